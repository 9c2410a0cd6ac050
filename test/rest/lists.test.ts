import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countStatements } from '../support.ts';
import { createReadApp, IDS, NOW } from './fixture.ts';
import { itIsGuarded, NOT_FOUND } from './guarded.ts';

let app: Awaited<ReturnType<typeof createReadApp>>;
let customerId = '';
beforeAll(async () => {
  app = await createReadApp();
  ({ id: customerId } = await app.db.prisma.customer.findFirstOrThrow({ where: { externalId: 'cust_ada' } }));
});
afterAll(() => app?.close());

const get = (path: string, key?: string) => app.rest('GET', path, undefined, key ? { key } : {});
const idsOf = (body: Record<string, { svc_id: string }[]>, name: string) => body[name]?.map(({ svc_id }) => svc_id);
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const INVOICES = [...IDS.invoices].reverse();
const [SENT, REFUSED] = IDS.payments;

const OF_ADA = '/customers/cust_ada';
const LISTS = [
  ['/invoices', 'invoice:read'],
  [`${OF_ADA}/invoices`, 'invoice:read'],
  ['/fees', 'fee:read'],
  ['/credit_notes', 'credit_note:read'],
  [`${OF_ADA}/credit_notes`, 'credit_note:read'],
  ['/payments', 'payment:read'],
  [`${OF_ADA}/payments`, 'payment:read'],
  ['/payment_requests', 'payment_request:read'],
  ['/subscriptions', 'subscription:read'],
  [`${OF_ADA}/subscriptions`, 'subscription:read'],
] as const;

const ONES = [
  [`/invoices/${IDS.invoices[0]}`, 'invoice:read'],
  [`/credit_notes/${IDS.note}`, 'credit_note:read'],
  [`/payments/${SENT}`, 'payment:read'],
  [`/payment_requests/${IDS.requests[0]}`, 'payment_request:read'],
  ['/subscriptions/sub_ada', 'subscription:read'],
] as const;

describe.each([...LISTS, ...ONES])('%s', (path, permission) => {
  itIsGuarded(
    () => app,
    'GET',
    () => path,
    permission,
  );
});

it.each(ONES)("%s is nobody else's", async (path) => {
  expect((await get(path)).status).toBe(200);
  expect((await get(path, app.other)).body).toEqual(NOT_FOUND);
  const missing = path.replace(/[^/]+$/, '00000000-0000-7000-8000-000000000000');
  expect((await get(missing)).body).toEqual(NOT_FOUND);
  expect((await get(path.replace(/[^/]+$/, 'no such thing'))).body).toEqual(NOT_FOUND);
});

describe.each(LISTS)('%s', (path) => {
  it('has pages, and is read by page number', async () => {
    const { body } = await get(`${path}?page=1&per_page=1`);
    expect(body[nameOf(path)]).toHaveLength(1);
    expect(body.meta).toMatchObject({ current_page: 1, total_pages: body.meta.total_count });
    const all = await get(`${path}?page=x&per_page=`);
    expect(all.body[nameOf(path)]).toHaveLength(all.body.meta.total_count);
    const none = await get(`${path}?page=999`);
    expect([none.status, none.body[nameOf(path)]]).toEqual([200, []]);
  });

  it('is empty or unknown for another organization', async () => {
    const { status, body } = await get(path, app.other);
    if (path.startsWith('/customers')) expect(body).toEqual(NOT_FOUND);
    else expect([status, JSON.stringify(body).includes('cust_ada')]).toEqual([200, false]);
  });

  it.runIf(path.startsWith('/customers'))('an unknown customer is a 404, before what is wrong is told', async () => {
    const unknown = path.replace('cust_ada', 'nobody');
    for (const query of ['', '?page=2', '?issuing_date_from=x', '?invoice_id=x', '?status[]=x']) {
      expect((await get(`${unknown}${query}`)).body).toEqual(NOT_FOUND);
    }
    const bare = await get(path.replace('cust_ada', 'cust_bare'));
    expect([bare.status, bare.body[nameOf(path)], bare.body.meta.total_count]).toEqual([200, [], 0]);
  });
});

describe('invoices', () => {
  it('newest first, without their lines', async () => {
    const { body } = await get('/invoices');
    expect(idsOf(body, 'invoices')).toEqual(INVOICES);
    expect(body.invoices[0]).toMatchObject({ number: 'ADA-005', customer: { external_id: 'cust_ada' }, metadata: [] });
    expect(Object.keys(body.invoices[0])).not.toContain('fees');
    const one = (await get(`/invoices/${IDS.invoices[0]}`)).body.invoice;
    expect(one).toMatchObject({ svc_id: IDS.invoices[0], fees: [], credits: [], billing_periods: [] });
  });

  it.each([
    ['external_customer_id=cust_ada', 6],
    ['external_customer_id=nobody', 0],
    ['external_customer_id=', 6],
    ['amount_from=2000', 2],
    ['amount_from=1000&amount_to=1000', 4],
    ['amount_to=30000000000', 6],
    ['issuing_date_from=2026-01-01&issuing_date_to=2026-01-01', 6],
    ['issuing_date_from=2026-01-02', 0],
    ['issuing_date_from=', 6],
    ['statuses[]=finalized', 6],
    ['statuses[]=draft&statuses[]=voided', 0],
    ['statuses=draft', 6],
    ['payment_statuses[]=pending', 6],
    ['payment_statuses[]=failed', 0],
    ['payment_overdue=true', 0],
    ['payment_overdue=false', 6],
    ['payment_overdue=', 6],
    ['search_term=ADA-003', 1],
    ['currency=EUR', 6],
    ['currency=USD', 0],
    ['payment_dispute_lost=true', 0],
    ['invoice_type=one_off', 6],
    ['invoice_type=credit', 0],
    ['self_billed=true', 0],
    ['billing_entity_codes[]=acme_de', 2],
    ['metadata[tier]=gold', 1],
    ['metadata[tier]=', 5],
    ['metadata[tier]=tin', 0],
  ])('%s finds %i', async (query, count) => {
    const invoiceId = IDS.invoices[2] as string;
    const data = { invoiceId, organizationId: app.organizationId, key: 'tier', value: 'gold' };
    await app.db.prisma.invoiceMetadata.create({ data });
    const { body } = await get(`/invoices?${query}`);
    expect([body.invoices.length, body.meta.total_count]).toEqual([count, count]);
    await app.db.prisma.invoiceMetadata.deleteMany({ where: { invoiceId } });
  });

  it.each([
    ['status=finalized', 6],
    ['status=voided', 0],
    ['payment_status=succeeded', 0],
    ['status=&payment_status=', 6],
    ['amount_from=2000&search_term=ada-00', 2],
  ])('of a customer: %s finds %i', async (query, count) => {
    expect((await get(`${OF_ADA}/invoices?${query}`)).body.meta.total_count).toBe(count);
  });

  it.each([
    ['statuses[]=finalised', 'statuses', 'value_is_invalid'],
    ['payment_statuses[]=x', 'payment_statuses', 'value_is_invalid'],
    ['invoice_type=x', 'invoice_type', 'value_is_invalid'],
    ['issuing_date_from=yesterday', 'issuing_date_from', 'invalid_date'],
    ['issuing_date_to=2026-02-30', 'issuing_date_to', 'invalid_date'],
    ['amount_from=1.5', 'amount_from', 'value_is_invalid'],
    ['amount_to=99999999999999999999', 'amount_to', 'value_is_invalid'],
    ['payment_overdue=maybe', 'payment_overdue', 'value_is_invalid'],
    ['metadata=x', 'metadata', 'value_is_invalid'],
  ])('%s is refused', async (query, field, code) => {
    const { status, body } = await get(`/invoices?${query}`);
    expect([status, body.error_details]).toEqual([422, { [field]: [code] }]);
  });

  it('all that is wrong is told at once', async () => {
    const { body } = await get('/invoices?amount_from=x&issuing_date_to=x&invoice_type=x');
    expect(Object.keys(body.error_details).sort()).toEqual(['amount_from', 'invoice_type', 'issuing_date_to']);
  });

  it.each(['generating', 'open', 'closed'] as const)('%s ones are nowhere', async (status) => {
    const id = IDS.invoices[3] as string;
    const paid = { organizationId: app.organizationId, customerId, amountCents: 5n, amountCurrency: 'EUR' };
    const payment = await app.db.prisma.payment.create({ data: { ...paid, invoiceId: id } });
    expect((await get('/payments?per_page=1')).body.payments[0].svc_id).toBe(payment.id);
    await app.db.prisma.invoice.update({ where: { id }, data: { status } });
    expect((await get(`/invoices/${id}`)).body).toEqual(NOT_FOUND);
    for (const path of ['/invoices', `${OF_ADA}/invoices`]) {
      const { body } = await get(path);
      expect([idsOf(body, 'invoices')?.includes(id), body.meta.total_count]).toEqual([false, 5]);
    }
    expect(idsOf((await get('/payments')).body, 'payments')).toEqual([REFUSED, SENT]);
    await app.db.prisma.payment.delete({ where: { id: payment.id } });
    await app.db.prisma.invoice.update({ where: { id }, data: { status: 'finalized' } });
  });
});

describe('fees', () => {
  it.each([
    ['external_subscription_id=sub_ada', 4],
    ['external_subscription_id=nothing', 0],
    ['event_transaction_id=tx_1', 1],
    ['fee_type=charge&currency=EUR', 4],
    ['fee_type=add_on', 0],
    ['billable_metric_code=api_calls', 4],
    ['payment_status=refunded', 1],
    ['succeeded_at_from=2026-02-01T00:00:00Z&succeeded_at_to=2026-02-01T00:00:00Z', 1],
    ['succeeded_at_from=2026-02-02T00:00:00Z', 0],
    ['failed_at_to=2026-01-31T00:00:00Z', 1],
    ['refunded_at_from=2026-02-02T00:00:01Z', 0],
    ['refunded_at_to=2026-02-02T00:00:00Z', 1],
    ['created_at_from=2030-01-01T00:00:00Z', 0],
  ])('%s finds %i', async (query, count) => {
    const { body } = await get(`/fees?${query}`);
    expect([body.fees.length, body.meta.total_count]).toEqual([count, count]);
  });

  it.each([
    ['fee_type=x', { fee_type: ['value_is_invalid'] }],
    ['created_at_from=x', { created_at_from: ['invalid_date'] }],
    ['refunded_at_to=x', { refunded_at_to: ['invalid_date'] }],
  ])('%s is refused', async (query, details) => {
    expect((await get(`/fees?${query}`)).body.error_details).toEqual(details);
  });
});

describe('credit notes', () => {
  it('are shown with what they give back, and what their invoice says', async () => {
    const { body } = await get(`/credit_notes/${IDS.note}`);
    expect(body.credit_note).toMatchObject({
      ...{ svc_id: IDS.note, billing_entity_code: 'acme.fr', invoice_number: 'ADA-001', self_billed: false },
      ...{ reason: 'order_change', total_amount_cents: 400, customer: { external_id: 'cust_ada' } },
      items: [{ amount_cents: 400, fee: { svc_id: IDS.sparseFee } }],
    });
    expect((await get('/credit_notes')).body.credit_notes).toEqual([body.credit_note]);
  });

  it.each([
    ['reason=order_change', 1],
    ['reason=other', 0],
    ['credit_status=available&currency=EUR', 1],
    ['refund_status=pending', 0],
    ['invoice_number=ADA-001', 1],
    ['invoice_number=ADA-002', 0],
    ['amount_from=400&amount_to=400', 1],
    ['amount_from=401', 0],
    ['issuing_date_from=2026-03-01&issuing_date_to=2026-03-01', 1],
    ['issuing_date_to=2026-02-28', 0],
    ['self_billed=false', 1],
    ['self_billed=true', 0],
    ['search_term=CN001', 1],
    ['billing_entity_codes[]=acme.fr', 1],
    ['billing_entity_codes[]=acme_de', 0],
  ])('%s finds %i', async (query, count) => {
    expect((await get(`/credit_notes?${query}`)).body.meta.total_count).toBe(count);
    if (/currency|codes/.test(query)) return;
    expect((await get(`${OF_ADA}/credit_notes?${query}`)).body.meta.total_count).toBe(count);
  });

  it('drafts are not shown', async () => {
    await app.db.prisma.creditNote.update({ where: { id: IDS.note }, data: { status: 'draft' } });
    expect((await get(`/credit_notes/${IDS.note}`)).body).toEqual(NOT_FOUND);
    expect((await get('/credit_notes')).body.meta.total_count).toBe(0);
    await app.db.prisma.creditNote.update({ where: { id: IDS.note }, data: { status: 'finalized' } });
  });
});

describe('payments', () => {
  it('are shown with what they pay: an invoice, or those of a request', async () => {
    const { body } = await get('/payments');
    expect(idsOf(body, 'payments')).toEqual([REFUSED, SENT]);
    const [byRequest, byHand] = body.payments;
    expect(byHand).toMatchObject({
      ...{ payable_type: 'Invoice', svc_payable_id: IDS.invoices[0], invoice_ids: [IDS.invoices[0]] },
      ...{ invoice_numbers: ['ADA-000'], type: 'manual', reference: 'Transfer 7', payment_status: 'succeeded' },
      ...{ payment_provider_type: null, payment_provider_code: null, provider_customer_id: null, next_action: {} },
    });
    expect(byRequest).toMatchObject({
      ...{ payable_type: 'PaymentRequest', svc_payable_id: IDS.requests[1], invoice_numbers: ['ADA-000', 'ADA-004'] },
      ...{ type: 'provider', status: 'failed', payment_status: 'failed', payment_provider_type: 'stripe' },
      ...{ payment_provider_code: 'main', provider_customer_id: 'cus_1', provider_payment_id: 'pi_1' },
      ...{ external_payment_id: 'pi_1', next_action: { type: 'redirect' } },
    });
    expect((await get(`/payments/${SENT}`)).body).toEqual(byHand);
  });

  it.each([
    [`invoice_id=${IDS.invoices[0]}`, [REFUSED, SENT]],
    [`invoice_id=${IDS.invoices[4]}`, [REFUSED]],
    [`invoice_id=${IDS.invoices[1]}`, []],
    ['invoice_id=x', []],
  ])('%s finds %j', async (query, ids) => {
    for (const path of ['/payments', `${OF_ADA}/payments`])
      expect(idsOf((await get(`${path}?${query}`)).body, 'payments')).toEqual(ids);
    expect((await get(`/payments?external_customer_id=cust_bare&${query}`)).body.payments).toEqual([]);
  });
});

describe('payment requests', () => {
  const [FIRST, SECOND, THIRD] = IDS.requests;
  it.each([
    ['', [THIRD, SECOND, FIRST]],
    ['external_customer_id=cust_ada&payment_status=failed', [SECOND]],
    ['external_customer_id=nobody', []],
    ['currency=USD', []],
    ['billing_entity_codes[]=acme_de', [THIRD, SECOND]],
  ])('%s finds %j', async (query, ids) => {
    expect(idsOf((await get(`/payment_requests?${query}`)).body, 'payment_requests')).toEqual(ids);
  });
});

describe('subscriptions', () => {
  const subscriptions = async (query: string, path = '/subscriptions') =>
    (await get(`${path}?${query}`)).body.subscriptions.map((one: { plan_code: string; status: string }) => [
      one.plan_code,
      one.status,
    ]);

  it.each([
    ['external_id=sub_ada', [['orchid', 'active']]],
    ['external_id=sub_ada&status[]=pending', [['aster', 'pending']]],
    ['plan_code=orchid', [['orchid', 'active']]],
    ['plan_code=orchid&currency=USD', []],
    ['plan_code=orchid&currency=EUR&external_customer_id=cust_ada', [['orchid', 'active']]],
    ['plan_code=orchid&billing_entity_codes[]=acme_de', []],
    ['plan_code=clover-2&status[]=active&status[]=terminated', [['clover-2', 'terminated']]],
    ['external_customer_id=cust_bare', []],
  ])('%s finds %j', async (query, found) => {
    expect(await subscriptions(query)).toEqual(found);
    if (!/external_|currency/.test(query)) expect(await subscriptions(query, `${OF_ADA}/subscriptions`)).toEqual(found);
  });

  it('an unknown state is refused', async () => {
    const { status, body } = await get('/subscriptions?status[]=running');
    expect([status, body.error_details]).toEqual([422, { status: ['value_is_invalid'] }]);
  });

  it('the latest first, by the moment that periods are counted from', async () => {
    const { id } = await app.db.prisma.subscription.findFirstOrThrow({ where: { externalId: 'orbit.example' } });
    await app.db.prisma.subscription.update({ where: { id }, data: { subscriptionAt: NOW } });
    const { body } = await get('/subscriptions');
    const moments = body.subscriptions.map((one: { subscription_at: string }) => one.subscription_at);
    expect(moments).toEqual([...moments].sort().reverse());
    expect(moments[0]).toBe('2026-06-15T12:00:00Z');
  });

  it('one is the active, else the latest in its state, with its plan', async () => {
    expect((await get('/subscriptions/sub_ada')).body.subscription).toMatchObject({
      ...{ status: 'active', plan_code: 'orchid', plan: { code: 'orchid' }, applicable_usage_thresholds: [] },
    });
    const ended = await get('/subscriptions/sub_ada?status=terminated');
    expect(ended.body.subscription.plan_code).toBe('clover-2');
    expect((await get('/subscriptions/sub_ada?status=canceled')).body).toEqual(NOT_FOUND);
    expect((await get('/subscriptions/sub_ada?status=x')).status).toBe(422);
  });

  it('has the thresholds of its plan, least first, else those of the plan that its own overrides', async () => {
    const { planId } = await app.db.prisma.subscription.findFirstOrThrow({
      where: { externalId: 'sub_ada', status: 'active' },
    });
    const { organizationId } = app;
    const { parentId } = await app.db.prisma.plan.findUniqueOrThrow({ where: { id: planId } });
    const inherited = { organizationId, planId: parentId as string, amountCents: 900n, recurring: true };
    await app.db.prisma.usageThreshold.create({ data: inherited });
    const shown = async () => (await get('/subscriptions/sub_ada')).body.subscription.applicable_usage_thresholds;
    expect(await shown()).toEqual([{ threshold_display_name: null, amount_cents: 900, recurring: true }]);
    for (const amountCents of [500n, 100n])
      await app.db.prisma.usageThreshold.create({ data: { organizationId, planId, amountCents } });
    const gone = { organizationId, planId, amountCents: 1n, deletedAt: NOW };
    await app.db.prisma.usageThreshold.create({ data: gone });
    expect(await shown()).toEqual(
      [100, 500].map((amount_cents) => ({ threshold_display_name: null, amount_cents, recurring: false })),
    );
  });
});

it.each(['/invoices', '/credit_notes', '/payment_requests', '/subscriptions', `${OF_ADA}/subscriptions`])(
  '%s: an entity that nobody knows is not found',
  async (path) => {
    const codes = 'billing_entity_codes[]=acme.fr&billing_entity_codes[]=';
    expect((await get(`${path}?${codes}acme.fr`)).status).toBe(200);
    expect((await get(`${path}?${codes}none`)).body).toEqual(NOT_FOUND);
  },
);

it('what belonged to a deleted customer is found by its identifier, which another may have by now', async () => {
  const where = { id: customerId };
  await app.db.prisma.customer.update({ where, data: { deletedAt: NOW } });
  expect((await get(`${OF_ADA}/invoices`)).body).toEqual(NOT_FOUND);
  expect((await get('/invoices?external_customer_id=cust_ada')).body.meta.total_count).toBe(6);
  const made = await app.rest('POST', '/customers', { customer: { external_id: 'cust_ada' } });
  expect((await get(`${OF_ADA}/invoices`)).body.meta.total_count).toBe(6);
  for (const path of ['credit_notes', 'payments', 'subscriptions'])
    expect((await get(`${OF_ADA}/${path}`)).body.meta.total_count, path).toBeGreaterThan(0);
  await app.db.prisma.customer.delete({ where: { id: made.body.customer.svc_id } });
  await app.db.prisma.customer.update({ where, data: { deletedAt: null } });
});

describe('a list costs the same statements for a few rows and for 200 more', () => {
  const common = () => ({ organizationId: app.organizationId, customerId });
  const created = (index: number) => ({ createdAt: new Date(Date.UTC(2020, 0, 1, 0, 0, index)) });
  const more = async (index: number) => {
    const { prisma } = app.db;
    const billingEntity = await prisma.billingEntity.findFirstOrThrow({ where: { code: 'acme.fr' } });
    const subscription = await prisma.subscription.findFirstOrThrow({ where: { externalId: 'sub_ada' } });
    const dates = { issuingDate: NOW, paymentDueDate: NOW };
    const invoice = await prisma.invoice.create({
      data: {
        ...{ ...common(), ...dates, ...created(index), number: `M-${index}`, currency: 'EUR', status: 'finalized' },
        ...{ invoiceType: 'subscription', billingEntityId: billingEntity.id },
      },
    });
    const fee = await prisma.fee.findUniqueOrThrow({ where: { id: IDS.fullFee } });
    const { id: _id, words: _words, ...copy } = fee as typeof fee & { words?: string };
    const lineOf = { ...copy, invoiceId: invoice.id, filters: {}, ...created(index) };
    const line = await prisma.fee.create({
      data: { ...lineOf, groupedBy: {}, amountDetails: {}, presentationBreakdowns: [] },
    });
    await prisma.creditNote.create({
      data: {
        ...{ ...common(), ...created(index), invoiceId: invoice.id, number: `M-${index}-CN`, issuingDate: NOW },
        ...{ currency: 'EUR', totalAmountCents: 1n },
        items: {
          create: {
            ...{ organizationId: app.organizationId, feeId: line.id, amountCents: 1n, preciseAmountCents: 1 },
            amountCurrency: 'EUR',
          },
        },
      },
    });
    const paid = { ...common(), ...created(index), amountCents: 1n, amountCurrency: 'EUR' };
    const request = await prisma.paymentRequest.create({
      data: { ...paid, invoices: { connect: [{ id: invoice.id }, { id: IDS.invoices[0] as string }] } },
    });
    await prisma.payment.create({ data: { ...paid, paymentRequestId: request.id } });
    await prisma.subscription.create({
      data: {
        ...{ ...common(), ...created(index), externalId: `more-${index}`, planId: subscription.planId },
        ...{ status: 'active', subscriptionAt: NOW, startedAt: NOW },
      },
    });
  };

  it('of every kind, each time it is asked', { timeout: 120_000 }, async () => {
    const before = new Map<string, number[]>();
    const counted = async (path: string) => {
      const asked = async () => countStatements(app.db, () => get(`${path}?per_page=1000`));
      return [await asked(), await asked(), await asked()];
    };
    const lengths = new Map<string, number>();
    for (const [path] of LISTS) {
      before.set(path, await counted(path));
      lengths.set(path, (await get(`${path}?per_page=1000`)).body.meta.total_count);
    }
    for (let index = 0; index < 200; index++) await more(index);
    for (const [path] of LISTS) {
      const { body } = await get(`${path}?per_page=1000`);
      expect([path, body[nameOf(path)].length]).toEqual([path, (lengths.get(path) ?? 0) + 200]);
      const [, ...later] = before.get(path) ?? [];
      expect([path, (await counted(path)).slice(1)]).toEqual([path, later]);
    }
  });
});
