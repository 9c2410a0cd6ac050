import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support.ts';

// What was previewed is agreed to by its hash: done where it is still the same, refused where the figures are other ones by now.

const clock = { now: new Date('2026-03-16T10:00:00Z') };
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ now: () => clock.now });
  await post('/billable_metrics', {
    billable_metric: { code: 'calls', name: 'Calls', aggregation_type: 'sum_agg', field_name: 'n' },
  });
  await post('/taxes', { tax: { code: 'vat', name: 'VAT', rate: '20' } });
  const coupon = { coupon_type: 'fixed_amount', amount_cents: 100, amount_currency: 'EUR', frequency: 'once' };
  await post('/coupons', { coupon: { code: 'less', name: 'Less', ...coupon, expiration: 'no_expiration' } });
  const { body } = await test.rest('GET', '/billable_metrics/calls');
  const terms = { interval: 'monthly', amount_currency: 'EUR', pay_in_advance: false, tax_codes: ['vat'] };
  const charge = { billable_metric_id: body.billable_metric.svc_id, charge_model: 'standard' };
  for (const [code, amount_cents] of Object.entries({ small: 1000, big: 3000, bigger: 9000, cheap: 100 })) {
    const charges = [{ ...charge, code: `${code}_calls`, properties: { amount: '0.10' } }];
    await post('/plans', { plan: { code, name: code, amount_cents, ...terms, charges } });
  }
});
afterAll(() => test?.close());

async function post(path: string, sent: object) {
  const { status, body } = await test.rest('POST', path, sent);
  expect([path, status, body.error_details]).toEqual([path, 200, undefined]);
  return body;
}
async function ask(query: string, variables: object) {
  const { data, errors } = await test.graphql(query, variables);
  // biome-ignore lint/suspicious/noExplicitAny: error details of any shape
  const told = errors?.map(({ extensions }) => (extensions as any).errorDetails);
  return { data, told };
}

const PREVIEW = 'query ($input: InvoicePreviewInput!) { invoicePreview(input: $input) { hash totalAmountCents } }';
const CREATE = `mutation ($input: CreateSubscriptionInput!, $agreedHash: String) {
  createSubscription(input: $input, agreedHash: $agreedHash) { svcId planCode nextPlanCode status } }`;

async function previewed(who: string, planCode: string) {
  const input = { customer: { externalId: who }, subscriptions: { externalIds: [who], planCode } };
  const { data, told } = await ask(PREVIEW, { input });
  expect(told).toBeUndefined();
  return data.invoicePreview;
}
const change = (who: string, planCode: string, agreedHash: string | null, members: object = {}) =>
  ask(CREATE, { input: { externalCustomerId: who, externalId: who, planCode, ...members }, agreedHash });

const CHANGED = [{ agreed_hash: ['figures_have_changed'] }];

let count = 0;
/** A customer with the small plan, and 3 calls of it; a wallet that pays a part. */
async function subscriber(): Promise<string> {
  count += 1;
  const who = `agreed-${count}`;
  await post('/customers', { customer: { external_id: who, currency: 'EUR' } });
  const { organizationId } = test;
  const { id: customerId } = await test.db.prisma.customer.findFirstOrThrow({ where: { externalId: who } });
  const wallet = { organizationId, customerId, code: who, currency: 'EUR', rateAmount: '1', balanceCents: 40n };
  await test.db.prisma.wallet.create({ data: { ...wallet, creditsBalance: '0.4' } });
  await ask(CREATE, { input: { externalCustomerId: who, externalId: who, planCode: 'small' } });
  await used(who, 3);
  return who;
}
/** Some seconds after what was before it, and before what comes after it: what is used at the moment of a change is of the plan that begins then. */
async function used(who: string, n: number) {
  const wait = () => {
    clock.now = new Date(clock.now.getTime() + 5000);
  };
  wait();
  const event = { transaction_id: `${who}-${Math.random()}`, external_subscription_id: who, code: 'calls' };
  const answer = await post('/events', { event: { ...event, properties: { n } } });
  wait();
  return answer;
}

describe.each(['big', 'cheap'])('a change to the %s plan', (plan) => {
  it('is done where it is what was agreed to, later that day too', async () => {
    const who = await subscriber();
    const { hash } = await previewed(who, plan);
    clock.now = new Date(clock.now.getTime() + 3_600_000);
    expect((await previewed(who, plan)).hash).toBe(hash);
    const { data, told } = await change(who, plan, hash);
    expect(told).toBeUndefined();
    expect(data.createSubscription).toMatchObject(plan === 'big' ? { planCode: 'big' } : { nextPlanCode: 'cheap' });
  });

  const price = (amount: string) =>
    test.rest('PUT', `/plans/${plan}/charges/${plan}_calls`, { charge: { properties: { amount } } });
  const CHANGES: Readonly<Record<string, (who: string) => Promise<unknown>>> = {
    'an event': (who) => used(who, 1),
    'a coupon': (who) =>
      post('/applied_coupons', { applied_coupon: { external_customer_id: who, coupon_code: 'less' } }),
    'the amount of its plan': () =>
      test.rest('PUT', `/plans/${plan}`, { plan: { amount_cents: plan === 'big' ? 3500 : 90 } }),
    'a price that nothing is used of yet': () => price('0.20'),
    'a tax': () => test.rest('PUT', '/taxes/vat', { tax: { rate: String(10 + count) } }),
    'the balance of a wallet': (who) =>
      test.db.prisma.wallet.updateMany({ where: { code: who }, data: { balanceCents: 10n, creditsBalance: '0.1' } }),
    'another day': async () => {
      clock.now = new Date(clock.now.getTime() + 86_400_000);
    },
  };
  it.each(Object.keys(CHANGES).filter((what) => plan === 'big' || what !== 'another day'))(
    'is refused after %s, and nothing is done',
    async (what) => {
      const who = await subscriber();
      const { hash } = await previewed(who, plan);
      const done = (await CHANGES[what]?.(who)) as { status?: number; text?: string } | undefined;
      expect([done?.status ?? 200, done?.text]).toEqual([200, done?.text]);
      const { data, told } = await change(who, plan, hash);
      expect([data.createSubscription, told]).toEqual([null, CHANGED]);
      const rows = await test.db.prisma.subscription.findMany({ where: { externalId: who }, include: { plan: true } });
      expect(rows.map((row) => [row.plan.code, row.status, row.nextPlanCode])).toEqual([['small', 'active', null]]);
      const again = await previewed(who, plan);
      expect(again.hash).not.toBe(hash);
      expect((await change(who, plan, again.hash)).told).toBeUndefined();
    },
  );
});

describe('two changes at one moment', () => {
  it.each([
    ['of two kinds', ['big', 'bigger'], CHANGED],
    ['of one kind', ['big', 'big'], [{ base: ['new_plan_should_be_different_from_existing_plan'] }]],
  ] as const)('%s: one is done, the other is told', async (_, plans, refusal) => {
    const who = await subscriber();
    const hashes = [(await previewed(who, plans[0])).hash, (await previewed(who, plans[1])).hash];
    const both = await Promise.all(plans.map((plan, index) => change(who, plan, hashes[index])));
    expect(both.filter(({ told }) => told === undefined)).toHaveLength(1);
    const told = both.flatMap((one) => (one.told ? [one.told] : []));
    expect(told).toEqual([refusal]);
    const { svcId } = both.find((one) => one.told === undefined)?.data.createSubscription ?? {};
    const rows = await test.db.prisma.subscription.findMany({
      where: { externalId: who },
      orderBy: { createdAt: 'asc' },
    });
    expect(rows.map(({ status }) => status)).toEqual(['terminated', 'active']);
    expect(rows[1]?.id).toBe(svcId);
    const invoices = await test.db.prisma.invoice.findMany({ where: { customer: { externalId: who } } });
    expect(invoices).toHaveLength(1);
  });
});

describe('what is agreed to', () => {
  it('is refused with members that no preview shows, all of them told', async () => {
    const who = await subscriber();
    const { hash } = await previewed(who, 'big');
    const unseen = {
      planOverrides: { amountCents: '5000' },
      endingAt: '2027-01-01T00:00:00Z',
      billingTime: 'anniversary',
    };
    const { told } = await change(who, 'big', hash, unseen);
    const code = ['not_compatible_with_agreed_hash'];
    expect(told).toEqual([{ plan_overrides: code, billing_time: code, ending_at: code }]);
  });

  it.each([{}, { planOverrides: { amountCents: '5000', invoiceDisplayName: 'Ours' } }])(
    'may be what a dry run of it said, also with %j, and is undone where it is something else',
    async (members) => {
      const who = await subscriber();
      const dry = async () => {
        const { data } = await ask(
          'mutation ($input: CreateSubscriptionInput!) { createSubscription(input: $input, dryRun: true) { changes { hash } } }',
          { input: { externalCustomerId: who, externalId: who, planCode: 'big', ...members } },
        );
        return data.createSubscription.changes.hash;
      };
      const hash = await dry();
      await used(who, 1);
      expect((await change(who, 'big', hash, members)).told).toEqual([
        'planOverrides' in members
          ? { plan_overrides: ['not_compatible_with_agreed_hash'] }
          : { agreed_hash: ['figures_have_changed'] },
      ]);
      const { data, told } = await change(who, 'big', await dry(), members);
      expect([told, data.createSubscription.status]).toEqual([undefined, 'active']);
      const invoices = await test.db.prisma.invoice.findMany({ where: { customer: { externalId: who } } });
      expect(invoices).toHaveLength(1);
    },
  );

  it('of a first subscription is what it proposes, from whichever day on', async () => {
    await post('/customers', { customer: { external_id: 'first', currency: 'EUR' } });
    const input = { customer: { externalId: 'first' }, planCode: 'small', subscriptionAt: '2026-05-10T00:00:00Z' };
    const { data } = await ask(PREVIEW, { input });
    const { hash } = data.invoicePreview;
    const begin = (members: object) => change('first', 'small', hash, members);
    expect((await begin({ subscriptionAt: '2026-05-12T00:00:00Z' })).told).toEqual(CHANGED);
    expect((await begin({ subscriptionAt: '2026-05-10T00:00:00Z' })).told).toBeUndefined();
  });
});

describe('a draft that is made final', () => {
  const FINAL = `mutation ($svcId: UUID!, $agreedHash: String, $dryRun: Boolean) {
    finalizeInvoice(svcId: $svcId, agreedHash: $agreedHash, dryRun: $dryRun) {
      status totalAmountCents changes { hash } } }`;
  async function draft(who: string): Promise<string> {
    await post('/customers', {
      customer: { external_id: who, currency: 'EUR', billing_configuration: { invoice_grace_period: 5 } },
    });
    const terms = { interval: 'monthly', amount_currency: 'EUR', pay_in_advance: true, amount_cents: 2000 };
    await post('/plans', { plan: { code: who, name: who, ...terms } });
    await ask(CREATE, { input: { externalCustomerId: who, externalId: who, planCode: who } });
    const { invoices } = (await test.rest('GET', `/invoices?external_customer_id=${who}`)).body;
    expect(invoices).toMatchObject([{ status: 'draft' }]);
    return invoices[0].svc_id;
  }

  it('is what a dry run said, or is refused and stays a draft', async () => {
    const svcId = await draft('graced');
    const { data: dry } = await ask(FINAL, { svcId, dryRun: true });
    const { hash } = dry.finalizeInvoice.changes;
    expect(hash).toBe((await ask(FINAL, { svcId, dryRun: true })).data.finalizeInvoice.changes.hash);
    await post('/applied_coupons', { applied_coupon: { external_customer_id: 'graced', coupon_code: 'less' } });
    expect((await ask(FINAL, { svcId, agreedHash: hash })).told).toEqual(CHANGED);
    expect((await test.rest('GET', `/invoices/${svcId}`)).body.invoice.status).toBe('draft');
    const { data: other } = await ask(FINAL, { svcId, dryRun: true });
    expect(other.finalizeInvoice.changes.hash).not.toBe(hash);
    const { data } = await ask(FINAL, { svcId, agreedHash: other.finalizeInvoice.changes.hash });
    expect(data.finalizeInvoice).toMatchObject({
      ...{ status: 'finalized', totalAmountCents: other.finalizeInvoice.totalAmountCents },
      changes: { hash: other.finalizeInvoice.changes.hash },
    });
  });
});
