import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKey } from '../../src/store/access/api-key.ts';
import type { Database } from '../../src/store/database/database.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { cleanUp } from '../process.ts';
import { type Attacked, beside, expectUnharmed, startGateway } from './beside.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

// How long a request may take: 3 s, or longer where filling the database takes longer: some 2 s where the machine is not busy.
const USUAL_TIMEOUT = 3000;
let timeout = USUAL_TIMEOUT;
const STORED = 50_000;
const MEGABYTES = 200; // a thread and what it computes: stored usage comes added up, or is folded in pages

const rangesOf = (length: number) =>
  Array.from({ length }, (_, at) => ({
    from_value: at === 0 ? 0 : 20 * at + 1,
    to_value: at === length - 1 ? null : 20 * at + 20,
    ...{ per_unit_amount: '0.12345', flat_amount: '0.01' },
  }));
const metric = (code: string, recurring: boolean) => ({
  ...{ code, name: code, aggregation_type: 'sum_agg', field_name: 'n', recurring },
});
const charge = (code: string, billable_metric_code: string, charge_model: string, properties: object, more = {}) => ({
  ...{ code, billable_metric_code, charge_model, properties },
  ...more,
});
const planOf = (code: string, charges: object[]) => ({
  ...{ code, name: code, interval: 'monthly', amount_cents: 100, amount_currency: 'EUR', charges },
});

const BY_GROUP = { graduated_ranges: rangesOf(20), pricing_group_keys: ['g'] };
const NAMES = Array.from({ length: 100 }, (_, at) => `c${at}`);
const SMALL = {
  billable_metrics: [metric('calls', false), metric('seats', true)],
  plans: [planOf('small', [charge('c', 'calls', 'standard', { amount: '1' })])],
};
const DOCUMENT = {
  ...SMALL,
  customers: [{ external_id: 'cust_ada', name: 'Ada', currency: 'EUR' }],
  plans: [
    ...SMALL.plans,
    planOf('groups', [charge('c', 'calls', 'graduated', BY_GROUP)]),
    planOf('prorated', [charge('c', 'seats', 'graduated', { graduated_ranges: rangesOf(500) }, { prorated: true })]),
    planOf(
      'charges',
      NAMES.map((code) => charge(code, 'calls', 'standard', { amount: '1' })),
    ),
  ],
  subscriptions: [
    {
      ...{ external_id: 'sub', external_customer_id: 'cust_ada', plan_code: 'groups', status: 'active' },
      ...{ started_at: '2026-01-01T00:00:00Z', subscription_at: '2026-01-01T00:00:00Z', billing_time: 'calendar' },
    },
  ],
};

let otherKey: string;
async function fill(db: Database): Promise<void> {
  const begun = performance.now();
  await db.prisma.$executeRaw`INSERT INTO events
      (id, organization_id, external_subscription_id, code, transaction_id, "timestamp", created_at, properties)
    SELECT gen_random_uuid(), o.id, 'sub', 'calls', 't' || n, now() - n * interval '1 ms', now(),
      json_build_object('n', n % 7, 'g', 'g' || n % 5)::jsonb FROM organizations o, generate_series(1, ${STORED}::int) n`;
  await db.prisma.$executeRaw`ANALYZE events`;
  timeout = Math.max(timeout, 1000 * Math.ceil((performance.now() - begun) / 1000));
  if (process.env.SHOW_BESIDE) console.log({ timeout });
  await importDocument(db, { organization: { name: 'Other' }, ...SMALL }, { now: new Date() });
  const { id } = await db.prisma.organization.findUniqueOrThrow({ where: { name: 'Other' } });
  otherKey = (await createKey(db.prisma, { organizationId: id, kind: 'secret' })).key;
}

const supposed = (metric_code: string, lists: number, groups: number) =>
  Array.from({ length: lists }, () => ({
    metric_code,
    events: Array.from({ length: 1000 }, (_, at) => ({ properties: { n: at % 1000, g: `g${at % groups}` } })),
  }));
const proposal = (plan_code: string, usage: object[]) => ({ customer: { currency: 'EUR' }, plan_code, usage });
const STORED_USAGE = { customer: { external_id: 'cust_ada' }, subscriptions: { external_ids: ['sub'] } };

let attacked: Attacked;

async function post(
  path: string,
  body: unknown,
  { key = attacked.secretKey, signal = undefined as AbortSignal | undefined } = {},
) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const before = performance.now();
  const answer = await fetch(`${attacked.address}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal,
  });
  const text = await answer.text();
  const [retryAfter, took] = [answer.headers.get('retry-after'), performance.now() - before];
  return { status: answer.status, text, retryAfter, took };
}
const preview = (body: unknown, more = {}) => post('/api/v1/invoices/preview', body, more);
const small = () => preview(proposal('small', [{ metric_code: 'calls', units: '3' }]), { key: otherKey });

beforeAll(async () => {
  const environment = {
    RATE_LIMIT: 'off',
    get REQUEST_TIMEOUT() {
      return `${timeout / 1000}s`;
    },
  };
  attacked = await startGateway(DOCUMENT, environment, undefined, fill);
  for (let times = 0; times < 20; times += 1) await small();
  for (let times = 0; times < 3; times += 1) await preview(proposal('groups', supposed('calls', 3, 900)));
  await preview(STORED_USAGE);
});
afterAll(cleanUp);

// The machine may be busy with something else for a moment: what a limit did not hold is harmed every time.
describe('the others are answered, and memory is bounded, beside', { retry: 2 }, () => {
  it.each([
    ['10,000 supposed events over 500 prorated ranges', proposal('prorated', supposed('seats', 10, 1)), 2],
    ['10,000 supposed events in 900 groups of 20 ranges', proposal('groups', supposed('calls', 10, 900)), 901],
    ['50,000 stored events', STORED_USAGE, 1 + 5],
  ])('%s', async (_what, body, fees) => {
    const told = await beside(attacked, () => preview(body));
    expect(told.result.status).toBe(200);
    expect(JSON.parse(told.result.text).invoice.fees).toHaveLength(fees);
    expectUnharmed(told, MEGABYTES, timeout / USUAL_TIMEOUT);
  });

  it('many at once, by REST and as aliases of one operation, which end with their time; another tenant is answered', async () => {
    const fields = Array.from({ length: 3 }, (_, at) => `p${at}: invoicePreview(input: $input) { totalAmountCents }`);
    const query = `query ($input: InvoicePreviewInput!) { ${fields.join(' ')} }`;
    const usage = supposed('calls', 1, 1).map(({ events }) => ({ metricCode: 'calls', events }));
    const input = { customer: { currency: 'EUR' }, planCode: 'charges', usage };
    // On any machine one takes a part of the time that a request has, and all of them several times as much as that.
    const ofOneList = await preview(proposal('charges', supposed('calls', 1, 1)));
    const body = proposal('charges', supposed('calls', Math.min(Math.ceil(timeout / 10 / ofOneList.took), 6), 1));
    const alone = await preview(body);
    expect(alone.status).toBe(200);
    const many = Math.max(Math.ceil((6 * timeout) / alone.took), 12);
    const others: Awaited<ReturnType<typeof small>>[] = [];
    const told = await beside(attacked, async () => {
      const large = Promise.all([
        post('/graphql', { query, variables: { input } }),
        ...Array.from({ length: many }, () => preview(body)),
      ]);
      for (let asked = 0; asked < 5; asked += 1) others.push(await small());
      return large;
    });
    expect(others.map(({ status }) => status)).toEqual(Array(5).fill(200));
    const statuses = told.result.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    for (const { status, retryAfter, took } of told.result) {
      if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(took).toBeLessThan(timeout + 1000 + told.occupied);
    }
    expectUnharmed(told, MEGABYTES, timeout / USUAL_TIMEOUT);
    expect((await preview(body)).status).toBe(200);
  });

  it('previews that their clients do not wait for', async () => {
    const told = await beside(attacked, async () => {
      const gone = () => preview(STORED_USAGE, { signal: AbortSignal.timeout(500) }).catch(() => 'gone');
      await Promise.all(Array.from({ length: 8 }, gone));
      return small();
    });
    expect(told.result.status).toBe(200);
    expect(told.result.took).toBeLessThan(1000 + told.occupied);
    expectUnharmed(told, MEGABYTES, timeout / USUAL_TIMEOUT);
  });
});
