import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../src/store/access/api-key.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

let test: TestApp;
let key: string;
let organizationId: string;
beforeAll(async () => {
  test = await createTestApp();
  const name = 'Lives of invoices';
  const data = { name, testClockAt: new Date('2023-01-01T00:00:00Z') };
  ({ id: organizationId } = await test.db.prisma.organization.create({ data }));
  key = (await createKey(test.db.prisma, { organizationId, kind: 'secret' })).key;
  const wallet = { currency: 'EUR', rate_amount: '1', balance_cents: 500, credits_balance: '5.0' };
  const granted = { transaction_type: 'inbound', status: 'settled', transaction_status: 'granted', amount: '5.0' };
  await importDocument(
    test.db,
    {
      taxes: [{ code: 't20', rate: 20, name: 'VAT' }],
      billing_entities: [{ code: 'main', is_default: true, tax_codes: ['t20'], document_number_prefix: 'MAI' }],
      plans: [
        {
          code: 'plan',
          name: 'Plan',
          interval: 'monthly',
          amount_cents: 1000,
          amount_currency: 'EUR',
          pay_in_advance: true,
        },
      ],
      coupons: [
        {
          ...{ code: 'once', name: 'Once', coupon_type: 'fixed_amount', amount_cents: 100, amount_currency: 'EUR' },
          ...{ frequency: 'once', expiration: 'no_expiration' },
        },
      ],
      customers: [
        ...['void', 'note', 'other'].map((external_id) => ({ external_id, currency: 'EUR' })),
        ...['draft', 'early'].map((external_id) => ({
          ...{ external_id, currency: 'EUR', billing_configuration: { invoice_grace_period: 5 } },
        })),
      ],
      applied_coupons: [{ external_customer_id: 'void', coupon_code: 'once', status: 'active' }],
      wallets: [
        {
          ...{ external_customer_id: 'void', code: 'w', ...wallet },
          wallet_transactions: [
            { ...granted, credit_amount: '5.0', remaining_amount_cents: 500, settled_at: '2022-12-31T00:00:00Z' },
          ],
        },
      ],
    },
    { organization: name, now: new Date('2022-12-31T00:00:00Z') },
  );
});
afterAll(() => test.close());

const ask = (method: string, path: string, body?: object) => test.rest(method, path, body, { key });

/** Subscribes a customer to the plan, and says the invoice that it makes. */
async function invoiceOf(customer: string) {
  const subscription = { external_customer_id: customer, external_id: `${customer}-sub`, plan_code: 'plan' };
  expect((await ask('POST', '/subscriptions', { subscription })).status).toBe(200);
  return (await ask('GET', `/invoices?external_customer_id=${customer}`)).body.invoices[0];
}

describe('a draft', () => {
  it('is refreshed, and becomes final before its day: issued today, with the next number', async () => {
    const draft = await invoiceOf('draft');
    expect(draft).toMatchObject({ status: 'draft', number: 'MAI-DRAFT', issuing_date: '2023-01-06' });
    const path = `/invoices/${draft.svc_id}`;
    for (const [body, code] of [
      [{ payment_status: 'succeeded' }, 'payment_status_update_on_draft_invoice'],
      [{ metadata: [] }, 'metadata_on_draft_invoice'],
    ] as const) {
      expect(await ask('PUT', path, { invoice: body })).toMatchObject({ status: 405, body: { code } });
    }
    expect(await ask('POST', `${path}/void`)).toMatchObject({ status: 405, body: { code: 'not_voidable' } });
    expect(await ask('POST', `${path}/lose_dispute`)).toMatchObject({ status: 405, body: { code: 'not_disputable' } });
    const refreshed = await ask('PUT', `${path}/refresh`);
    expect(refreshed.body.invoice).toMatchObject({ svc_id: draft.svc_id, status: 'draft', total_amount_cents: 1200 });
    const final = await ask('PUT', `${path}/finalize`);
    expect(final.body.invoice).toMatchObject({
      ...{ status: 'finalized', number: 'MAI-004-001', issuing_date: '2023-01-01', total_amount_cents: 1200 },
    });
    for (const verb of ['finalize', 'refresh']) {
      const again = await ask('PUT', `${path}/${verb}`);
      expect(again.body.invoice).toMatchObject({ number: 'MAI-004-001', fees: final.body.invoice.fees });
    }
    const actions = await test.db.prisma.auditLog.findMany({ where: { organizationId, objectId: draft.svc_id } });
    const made = actions.map(({ action }) => action).sort();
    expect(made).toEqual(['invoice.created', 'invoice.finalized', 'invoice.refreshed']);
  });
});

describe('a final invoice', () => {
  it('is paid by hand with its fees, has pairs, and loses a dispute once', async () => {
    const { svc_id } = await invoiceOf('other');
    const path = `/invoices/${svc_id}`;
    const sent = { payment_status: 'succeeded', metadata: [{ key: 'po', value: '77' }] };
    const paid = (await ask('PUT', path, { invoice: sent })).body.invoice;
    expect(paid).toMatchObject({
      payment_status: 'succeeded',
      metadata: [sent.metadata[0]],
    });
    expect(paid.fees).toMatchObject([{ payment_status: 'succeeded', succeeded_at: '2023-01-01T00:00:00Z' }]);
    const kept = (await ask('PUT', path, { invoice: { payment_status: 'failed' } })).body.invoice;
    expect(kept).toMatchObject({ payment_status: 'failed', metadata: paid.metadata });
    expect(kept.fees).toMatchObject([{ payment_status: 'failed', succeeded_at: null }]);
    const pair = (value: string) => ({ key: 'k', value });
    const refused = await ask('PUT', path, { invoice: { metadata: [pair('v'.repeat(141)), pair('w')] } });
    expect(refused).toMatchObject({
      status: 422,
      body: { error_details: { value: ['value_is_too_long'], key: ['value_already_exist'] } },
    });
    const lost = (await ask('POST', `${path}/lose_dispute`)).body.invoice.payment_dispute_lost_at;
    expect(lost).toBe('2023-01-01T00:00:00Z');
    expect((await ask('POST', `${path}/lose_dispute`)).body.invoice.payment_dispute_lost_at).toBe(lost);
  });

  it('that is voided gives back what paid it, keeps its number, and is not billed again', async () => {
    const invoice = await invoiceOf('void');
    // 1000 less 100 of the coupon, 1080 with taxes, of which the wallet pays 500.
    expect(invoice).toMatchObject({ total_amount_cents: 580, prepaid_credit_amount_cents: 500 });
    const path = `/invoices/${invoice.svc_id}`;
    const voided = (await ask('POST', `${path}/void`)).body.invoice;
    expect(voided).toMatchObject({ status: 'voided', number: invoice.number });
    const given = await test.db.prisma.wallet.findFirstOrThrow({
      where: { organizationId },
      include: { transactions: { orderBy: { createdAt: 'desc' }, take: 1 } },
    });
    expect(given).toMatchObject({ balanceCents: 500n, transactions: [{ voidedInvoiceId: invoice.svc_id }] });
    expect(given.transactions).toMatchObject([{ transactionType: 'inbound', transactionStatus: 'granted' }]);
    const coupon = await test.db.prisma.appliedCoupon.findFirstOrThrow({ where: { organizationId } });
    expect(coupon).toMatchObject({ status: 'active', terminatedAt: null });
    expect(await ask('POST', `${path}/void`)).toMatchObject({ status: 405, body: { code: 'not_voidable' } });
    expect(await ask('PUT', path, { invoice: { payment_status: 'failed' } })).toMatchObject({ status: 405 });
    const later = 'mutation { advanceClock(input: { to: "2023-01-01T12:00:00Z" }) { testClockAt } }';
    expect((await test.graphql(later, {}, key)).errors).toBeUndefined();
    expect((await ask('GET', '/invoices?external_customer_id=void')).body.invoices).toHaveLength(1);
  });

  it('that is voided with a note gives back that, and the rest is a note that is void', async () => {
    const { svc_id } = await invoiceOf('note');
    const path = `/invoices/${svc_id}/void`;
    const wanted = { generate_credit_note: true, credit_amount: 401, refund_amount: 0 };
    const tooMuch = { credit_refund_amount: ['total_amount_exceeds_invoice_amount'] };
    const out = ['value_is_out_of_range'];
    for (const [wrong, told] of [
      [{ refund_amount: 1 }, tooMuch],
      [{ credit_amount: 1201 }, tooMuch],
      [{ credit_amount: -1 }, { credit_amount: out }],
      [
        { credit_amount: -1, refund_amount: -1 },
        { credit_amount: out, refund_amount: out },
      ],
      [{ credit_amount: 1201, refund_amount: -1 }, { refund_amount: out }],
      [
        { credit_amount: 1202, refund_amount: -1 },
        { refund_amount: out, ...tooMuch },
      ],
    ] as const) {
      const { status, body } = await ask('POST', path, { ...wanted, ...wrong });
      expect([status, body.error_details]).toEqual([422, told]);
    }
    await test.db.prisma.invoice.update({ where: { id: svc_id }, data: { totalPaidAmountCents: 300n } });
    const { body } = await ask('POST', path, { ...wanted, refund_amount: 300 });
    expect(body.invoice).toMatchObject({ status: 'voided' });
    const notes = (await ask('GET', '/credit_notes?external_customer_id=note')).body.credit_notes.sort(
      (one: { number: string }, other: { number: string }) => (one.number < other.number ? -1 : 1),
    );
    expect(notes).toMatchObject([
      { credit_amount_cents: 401, refund_amount_cents: 300, total_amount_cents: 701, credit_status: 'available' },
      { credit_amount_cents: 499, refund_amount_cents: 0, total_amount_cents: 499, credit_status: 'voided' },
    ]);
    const sum = (name: string) =>
      notes.reduce((all: number, note: Record<string, number>) => all + (note[name] ?? 0), 0);
    expect([sum('sub_total_excluding_taxes_amount_cents'), sum('taxes_amount_cents')]).toEqual([1000, 200]);
  });
});

it('an invoice that is not there is a 404 before anything else', async () => {
  const path = '/invoices/7d0f5a34-1b1e-4c57-9a52-000000000999';
  for (const [method, verb, body] of [
    ...[['PUT', '', { invoice: { payment_status: 'wrong' } }] as const, ['PUT', '/finalize'] as const],
    ...[
      ['PUT', '/refresh'] as const,
      ['POST', '/void', { credit_amount: 'x' }] as const,
      ['POST', '/lose_dispute'] as const,
    ],
  ]) {
    expect(await ask(method, `${path}${verb}`, body)).toMatchObject({
      status: 404,
      body: { code: 'object_not_found' },
    });
  }
});

it('invoices that become final at one moment have numbers without gap or double', async () => {
  const drafts = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const customer = { external_id: name, currency: 'EUR', billing_configuration: { invoice_grace_period: 5 } };
    expect((await ask('POST', '/customers', { customer })).status).toBe(200);
    drafts.push(await invoiceOf(name));
  }
  await test.db.prisma.billingEntity.updateMany({
    where: { organizationId },
    data: { documentNumbering: 'per_billing_entity' },
  });
  const before = await test.db.prisma.invoice.count({ where: { organizationId, sequentialId: { not: null } } });
  // Each is asked for twice: one of the two finds nothing to do.
  const twice = [...drafts, ...drafts].map(({ svc_id }) => ask('PUT', `/invoices/${svc_id}/finalize`));
  expect((await Promise.all(twice)).map(({ status }) => status)).toEqual(twice.map(() => 200));
  const rows = await test.db.prisma.invoice.findMany({
    where: { organizationId, billingEntitySequentialId: { not: null } },
    orderBy: { billingEntitySequentialId: 'asc' },
  });
  expect(rows.map((row) => row.billingEntitySequentialId)).toEqual(drafts.map((_, index) => before + index + 1));
  const voids = drafts.flatMap(({ svc_id }) => [1, 2].map(() => ask('POST', `/invoices/${svc_id}/void`)));
  const statuses = (await Promise.all(voids)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, 200, 405, 405, 405, 405]);
});

describe('add-ons that are sold at once', () => {
  const sell = (fees: readonly object[], more: object = {}) =>
    ask('POST', '/invoices', { invoice: { external_customer_id: 'other', fees, ...more } });

  it('are an invoice of their own, taxed as is said, else by the customer or the entity, and numbered without gap', async () => {
    const tax = { code: 't5', rate: 5, name: 'Low' };
    expect((await ask('POST', '/taxes', { tax })).status).toBe(200);
    for (const code of ['a1', 'a2']) {
      const add_on = { code, name: code, amount_cents: 6833, amount_currency: 'EUR', description: `Of ${code}` };
      expect((await ask('POST', '/add_ons', { add_on })).status).toBe(200);
    }
    const { body } = await sell([
      { add_on_code: 'a1', units: '1.5', unit_amount_cents: 333, description: 'Said', tax_codes: ['t5'] },
      { add_on_code: 'a2', tax_codes: [], from_datetime: '2023-01-01T00:00:00Z', to_datetime: '2023-01-31T00:00:00Z' },
    ]);
    expect(body.invoice).toMatchObject({
      ...{ invoice_type: 'one_off', status: 'finalized', currency: 'EUR', issuing_date: '2023-01-01' },
      ...{ fees_amount_cents: 7333, taxes_amount_cents: 1392, total_amount_cents: 8725 },
    });
    const fees = body.invoice.fees.sort((one: { amount_cents: number }, other: { amount_cents: number }) =>
      one.amount_cents < other.amount_cents ? -1 : 1,
    );
    expect(fees).toMatchObject([
      { description: 'Said', item: { description: 'Of a1' } },
      { description: 'Of a2', item: { description: 'Of a2' } },
    ]);
    expect(fees).toMatchObject([
      { amount_cents: 500, units: '1.5', item: { type: 'add_on', code: 'a1' }, applied_taxes: [{ tax_code: 't5' }] },
      { amount_cents: 6833, units: '1.0', from_date: '2023-01-01T00:00:00Z', applied_taxes: [{ tax_code: 't20' }] },
    ]);
    const sold = await Promise.all([1, 2, 3, 4].map(() => sell([{ add_on_code: 'a1' }])));
    const ranks = sold.map((one) => one.body.invoice.sequential_id).sort();
    expect(ranks).toEqual([1, 2, 3, 4].map((step) => body.invoice.sequential_id + step));
  });

  it('are refused with all that is wrong, and what is not there is a 404', async () => {
    const wrong = await sell([
      { add_on_code: 'a1', units: '-1', unit_amount_cents: -1 },
      { add_on_code: 'a1', from_datetime: '2023-01-31T00:00:00Z' },
    ]);
    expect(wrong).toMatchObject({
      status: 422,
      body: {
        error_details: {
          ...{ units: ['value_is_out_of_range'], unit_amount_cents: ['value_is_out_of_range'] },
          boundaries: ['values_are_invalid'],
        },
      },
    });
    const { body } = await sell([{ add_on_code: 'a1' }], { currency: 'USD' });
    expect(body.error_details).toEqual({ currency: ['currencies_does_not_match'] });
    for (const [fees, more] of [
      [[{ add_on_code: 'none' }], {}],
      [[{ add_on_code: 'a1', tax_codes: ['none'] }], {}],
      [[], {}],
      [[{ add_on_code: 'a1' }], { external_customer_id: 'none' }],
      [[{ add_on_code: 'a1' }], { billing_entity_code: 'none' }],
    ] as const) {
      expect((await sell(fees, more)).status).toBe(404);
    }
  });
});

describe('a fee', () => {
  it('on no invoice is paid by hand and deleted; one on an invoice is neither', async () => {
    const on = await test.db.prisma.fee.findFirstOrThrow({ where: { organizationId, feeType: 'subscription' } });
    const path = `/fees/${on.id}`;
    const paid = { fee: { payment_status: 'succeeded' } };
    expect(await ask('PUT', path, paid)).toMatchObject({ status: 405, body: { code: 'invoiceable_fee' } });
    expect(await ask('DELETE', path)).toMatchObject({ status: 405, body: { code: 'invoiced_fee' } });
    await test.db.prisma.fee.update({ where: { id: on.id }, data: { invoiceId: null } });
    const changed = (await ask('PUT', path, paid)).body.fee;
    expect(changed).toMatchObject({ payment_status: 'succeeded', succeeded_at: '2023-01-01T12:00:00Z' });
    const refunded = (await ask('PUT', path, { fee: { payment_status: 'refunded' } })).body.fee;
    expect(refunded).toMatchObject({ payment_status: 'refunded', succeeded_at: null });
    expect((await ask('PUT', path, { fee: { payment_status: 'lost' } })).status).toBe(422);
    expect((await ask('DELETE', path)).body.fee.svc_id).toBe(on.id);
    for (const method of ['GET', 'DELETE']) expect((await ask(method, path)).status).toBe(404);
  });
});
