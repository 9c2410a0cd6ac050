import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../src/store/access/api-key.ts';
import { createTestApp, type TestApp } from '../../support.ts';

let test: TestApp;
let key: string;
beforeAll(async () => {
  test = await createTestApp();
  const data = { name: 'Clockwork', testClockAt: new Date('2026-01-10T09:30:00Z') };
  const { id: organizationId } = await test.db.prisma.organization.create({ data });
  key = (await createKey(test.db.prisma, { organizationId, kind: 'secret' })).key;
});
afterAll(() => test.close());

async function ask(query: string, variables: object = {}, bearer = key) {
  const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json', Accept: 'application/json' };
  const body = JSON.stringify({ query, variables });
  const response = await test.app.fetch(new Request('http://gateway.test/graphql', { method: 'POST', headers, body }));
  const { data, errors } = (await response.json()) as {
    data: Record<string, unknown>;
    errors?: { extensions: Record<string, unknown> }[];
  };
  return errors ? { data, errors } : { data };
}

const advance = (to: string, bearer = key) =>
  ask('mutation ($to: DateTime!) { advanceClock(input: { to: $to }) { testClockAt } }', { to }, bearer);

const INVOICES = `{ invoices(first: 100, orderBy: { field: issuing_date, direction: asc }) {
  nodes { number status issuingDate totalAmountCents fees(first: 9) { nodes { item { code } amountCents } } }
} }`;

/** Plan of 30.00 a month in arrears with a call at 0.50, and one of 90.00 in advance. */
beforeAll(async () => {
  const plan = `mutation ($input: CreatePlanInput!) { createPlan(input: $input) { code } }`;
  await ask('mutation ($input: CreateBillableMetricInput!) { createBillableMetric(input: $input) { code } }', {
    input: { code: 'calls', name: 'Calls', aggregationType: 'count_agg' },
  });
  const terms = { interval: 'monthly', amountCurrency: 'EUR' };
  const charge = { billableMetricCode: 'calls', chargeModel: 'standard', pricing: { standard: { amount: '0.5' } } };
  const made = [
    await ask(plan, {
      input: { ...terms, code: 'small', name: 'Small', amountCents: '3000', payInAdvance: false, charges: [charge] },
    }),
    await ask(plan, { input: { ...terms, code: 'big', name: 'Big', amountCents: '9000', payInAdvance: true } }),
  ];
  expect(made).toEqual([{ data: { createPlan: { code: 'small' } } }, { data: { createPlan: { code: 'big' } } }]);
});

describe('an organization with a clock', () => {
  it('is billed month by month as the clock moves, and nothing twice', async () => {
    const subscribe = `mutation ($input: CreateSubscriptionInput!) {
      createSubscription(input: $input) { externalId status planCode startedAt nextPlanCode }
    }`;
    const input = { externalCustomerId: 'acme', externalId: 'sub-1', planCode: 'small' };
    const began = await ask(subscribe, { input });
    expect(began).toEqual({
      data: {
        createSubscription: {
          ...{ externalId: 'sub-1', status: 'active', planCode: 'small', nextPlanCode: null },
          startedAt: '2026-01-10T09:30:00Z',
        },
      },
    });
    const event = { transactionId: 't-1', code: 'calls', externalSubscriptionId: 'sub-1' };
    await ask('mutation ($input: RecordEventInput!) { recordEvent(input: $input) { transactionId } }', {
      input: event,
    });
    expect((await advance('2026-03-02T00:00:00Z')).data).toEqual({
      advanceClock: { testClockAt: '2026-03-02T00:00:00Z' },
    });
    const nodes = [
      // 22 of 31 days of 30.00, and a call.
      ['2026-02-01', '2179', { small: '2129', calls: '50' }],
      ['2026-03-01', '3000', { small: '3000' }],
    ];
    const shown = async () => {
      const { data } = await ask(INVOICES);
      const { nodes: all } = data.invoices as { nodes: Record<string, unknown>[] };
      return all.map(({ issuingDate, totalAmountCents, fees }) => {
        const list = (fees as { nodes: { item: { code: string }; amountCents: string }[] }).nodes;
        const billed = list.filter(({ amountCents }) => amountCents !== '0');
        return [
          issuingDate,
          totalAmountCents,
          Object.fromEntries(billed.map((fee) => [fee.item.code, fee.amountCents])),
        ];
      });
    };
    expect(await shown()).toEqual(nodes);
    await advance('2026-03-02T12:00:00Z');
    expect(await shown()).toEqual(nodes);

    // The dearer plan follows now: one invoice for both, of which the day of the change is the new one's.
    const followed = await ask(subscribe, { input: { ...input, planCode: 'big' } });
    expect(followed.data.createSubscription).toMatchObject({ status: 'active', planCode: 'big' });
    expect((await shown()).slice(2)).toEqual([['2026-03-02', '8807', { small: '97', big: '8710' }]]);

    const ended = await ask('mutation { terminateSubscription(externalId: "sub-1") { status } }');
    expect(ended).toEqual({ data: { terminateSubscription: { status: 'terminated' } } });
    const notes = await ask('{ creditNotes(first: 9) { nodes { totalAmountCents creditAmountCents reason } } }');
    expect(notes.data.creditNotes).toMatchObject({ nodes: [{ reason: 'order_cancellation' }] });
    await advance('2026-08-01T00:00:00Z');
    expect((await shown()).length).toBe(4);
  });

  it('starts and ends what waits, on their days', async () => {
    const subscribe = `mutation ($input: CreateSubscriptionInput!) { createSubscription(input: $input) { status } }`;
    const input = {
      ...{ externalCustomerId: 'beta', externalId: 'sub-2', planCode: 'big' },
      ...{ subscriptionAt: '2026-08-05T10:00:00Z', endingAt: '2026-09-15T10:00:00Z' },
    };
    expect((await ask(subscribe, { input })).data).toEqual({ createSubscription: { status: 'pending' } });
    await advance('2026-10-10T00:00:00Z');
    const { data } = await ask(`{ customer(externalId: "beta") {
      subscriptions(first: 1) { nodes { status startedAt terminatedAt } }
      invoices(first: 9, orderBy: { field: issuing_date, direction: asc }) { nodes { issuingDate feesAmountCents } }
    } }`);
    expect(data.customer).toMatchObject({
      subscriptions: {
        nodes: [{ status: 'terminated', startedAt: '2026-08-05T10:00:00Z', terminatedAt: '2026-09-15T00:00:00Z' }],
      },
      invoices: {
        nodes: [{ issuingDate: '2026-08-05' }, { issuingDate: '2026-09-01' }, { issuingDate: '2026-09-15' }],
      },
    });
  });

  it('is not set back, not moved by years, and of real time there is none', async () => {
    const codesOf = ({ errors }: Awaited<ReturnType<typeof ask>>) => errors?.[0]?.extensions.code;
    expect(codesOf(await advance('2026-01-01T00:00:00Z'))).toBe('validation_errors');
    expect(codesOf(await advance('2040-01-01T00:00:00Z'))).toBe('validation_errors');
    expect(codesOf(await advance('2040-01-01T00:00:00Z', test.key))).toBe('method_not_allowed');
  });

  it('is moved by keys that may write the organization, and stays where others tried', async () => {
    const organization = await test.db.prisma.organization.findUniqueOrThrow({ where: { name: 'Clockwork' } });
    const keyOf = async (permissions: Record<string, ('read' | 'write')[]>) =>
      test.makeKey({ organizationId: organization.id, permissions });
    const to = '2026-10-11T00:00:00Z';
    const few: Record<string, ('read' | 'write')[]>[] = [
      { organization: ['read'] },
      { subscription: ['read', 'write'] },
    ];
    for (const permissions of few) {
      const { errors } = await advance(to, await keyOf(permissions));
      expect(errors?.[0]?.extensions.code).toBe('forbidden');
    }
    const stored = () => test.db.prisma.organization.findUniqueOrThrow({ where: { id: organization.id } });
    expect(await stored()).toEqual(organization);
    expect((await advance(to, await keyOf({ organization: ['read', 'write'] }))).data).toMatchObject({
      advanceClock: {},
    });
    expect((await stored()).testClockAt).toEqual(new Date(to));
  });
});

it('names the customer who cannot be billed, and stays where it is until that can be', async () => {
  const data = { name: 'Too much', testClockAt: new Date('2026-01-01T00:00:00Z') };
  const { id: organizationId } = await test.db.prisma.organization.create({ data });
  const { key: bearer } = await createKey(test.db.prisma, { organizationId, kind: 'secret' });
  const post = async (path: string, body: object, method = 'POST') => {
    const { status, body: answer } = await test.rest(method, path, body, { key: bearer });
    expect([path, status, answer.error_details]).toEqual([path, 200, undefined]);
  };
  const most = '9223372036854775807';
  const plan = { name: 'Plan', interval: 'monthly', amount_currency: 'EUR', pay_in_advance: false };
  await post('/plans', { plan: { ...plan, code: 'most', amount_cents: most } });
  await post('/plans', { plan: { ...plan, code: 'fair', amount_cents: 100 } });
  await post('/taxes', { tax: { code: 'vat', name: 'VAT', rate: 20 } });
  for (const [external_id, tax_codes, plan_code] of [
    ['taxed', ['vat'], 'most'],
    ['other', [], 'fair'],
  ]) {
    await post('/customers', { customer: { external_id, currency: 'EUR', tax_codes } });
    await post('/subscriptions', { subscription: { external_customer_id: external_id, external_id, plan_code } });
  }
  const to = { to: '2026-02-01T12:00:00Z' };
  const stopped = await test.rest('POST', '/test_clock/advance', to, { key: bearer });
  expect([stopped.status, stopped.body.error_details]).toEqual([
    422,
    { customer: ['could_not_be_billed: taxed'], amount_cents: ['value_is_out_of_range'] },
  ]);
  const where = { id: organizationId };
  expect((await test.db.prisma.organization.findUniqueOrThrow({ where })).testClockAt).toEqual(data.testClockAt);
  await post('/customers', { customer: { external_id: 'taxed', tax_codes: [] } });
  await post('/test_clock/advance', to);
  const totals = await test.db.prisma.invoice.findMany({
    where: { organizationId },
    select: { totalAmountCents: true },
  });
  const sums = totals.map(({ totalAmountCents }) => totalAmountCents);
  expect(sums.sort((one, other) => (one < other ? -1 : 1))).toEqual([100n, BigInt(most)]);
});

it('names the customer whose subscription cannot start, as another has its external identifier by now', async () => {
  const data = { name: 'Twice', testClockAt: new Date('2026-01-01T00:00:00Z') };
  const { id: organizationId } = await test.db.prisma.organization.create({ data });
  const { key: bearer } = await createKey(test.db.prisma, { organizationId, kind: 'secret' });
  const told = async (path: string, body: object) => {
    const answer = await test.rest('POST', path, body, { key: bearer });
    expect([path, answer.status, answer.body.error_details]).toEqual([path, 200, undefined]);
  };
  const plan = { name: 'Plan', code: 'plan', interval: 'monthly', amount_currency: 'EUR', amount_cents: 100 };
  await told('/plans', { plan: { ...plan, pay_in_advance: true } });
  const waits = { plan_code: 'plan', subscription_at: '2026-01-03T00:00:00Z' };
  for (const name of ['x', 'y']) {
    await told('/subscriptions', {
      subscription: { ...waits, external_customer_id: name, external_id: `dup-${name}` },
    });
  }
  // As it was left by those who were not asked whether others have it.
  await test.db.prisma.subscription.updateMany({ where: { organizationId }, data: { externalId: 'dup' } });
  const to = { to: '2026-01-04T00:00:00Z' };
  const stopped = await test.rest('POST', '/test_clock/advance', to, { key: bearer });
  expect(stopped.status).toBe(422);
  const customer = [expect.stringMatching(/^could_not_be_billed: [xy]$/)];
  expect(stopped.body.error_details).toEqual({ customer, external_id: ['value_already_exist'] });
  const statuses = await test.db.prisma.subscription.findMany({ where: { organizationId }, select: { status: true } });
  expect(statuses.map(({ status }) => status).sort()).toEqual(['active', 'pending']);
  const given = await test.rest('DELETE', '/subscriptions/dup?status=pending', undefined, { key: bearer });
  expect(given.status).toBe(200);
  await told('/test_clock/advance', to);
});
