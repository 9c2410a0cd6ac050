import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UsageAsked, UsageGroup } from '../../../src/billing/aggregate/metric-usage.ts';
import { usageOfEvents } from '../../../src/billing/aggregate/usage-source.ts';
import { isAddedUp } from '../../../src/billing/aggregate/usage-total.ts';
import type { ChargeProperties } from '../../../src/billing/catalogue/charge-type.ts';
import { filterOrder } from '../../../src/billing/catalogue/filter.ts';
import type { AggregationType } from '../../../src/billing/catalogue/metric.ts';
import { Decimal } from '../../../src/billing/money/decimal.ts';
import type { UsageEvent } from '../../../src/billing/usage/usage.ts';
import { parseExactJson } from '../../../src/store/database/exact-json.ts';
import { forOrganization, type TenantClient, transactionOf } from '../../../src/store/database/tenant.ts';
import { readAdvance, readGroups, usageReader } from '../../../src/store/usage/read-usage.ts';
import { parseInstant } from '../../instant.ts';
import { createTestApp, statementsOf, type TestApp } from '../../support.ts';

let test: TestApp;
let client: TenantClient;
beforeAll(async () => {
  test = await createTestApp();
  client = forOrganization(test.db.prisma, test.organizationId);
});
afterAll(() => test?.close());

/** Properties as JSON: numbers of every notation, and what no metric can read. */
const VALUES = [
  ...['5', '-3', '0', '-0.0', '1.50', '10.0', '1e21', '1e-7', '0.1', '12345678901234567', '0.12345678901234567890'],
  ...['"2.5"', '"-0.000000000000000000001"', '"12345678901234567890.123"', '"5"', '"1.50"', '"07"', '"1.5"'],
  ...['"many"', '""', '"1e5"', '" 7"', '".5"', '"7\\n"', '"٣"', 'null', 'true', 'false', '"true"'],
];
const ODD = ['{"a":1,"10":2}', '[1]', '{"10":2,"a":1.0}'];
const json = (list: readonly string[], weight = 20) =>
  fc.oneof({ weight, arbitrary: fc.constantFrom(...list) }, { weight: 1, arbitrary: fc.constantFrom(...ODD) });

const ZONES = [
  { timezone: 'UTC', from: '2024-03-01T00:00:00Z', to: '2024-03-31T23:59:59.999Z' },
  { timezone: 'Europe/Paris', from: '2024-02-29T23:00:00Z', to: '2024-03-31T21:59:59.999Z' },
  { timezone: 'America/Sao_Paulo', from: '2018-02-05T14:30:00Z', to: '2018-03-01T02:59:59.999Z' },
  { timezone: 'Pacific/Apia', from: '2011-12-20T10:00:00Z', to: '2012-01-01T09:59:59.999Z' },
  { timezone: 'Asia/Kathmandu', from: '2024-02-29T18:15:00Z', to: '2024-03-31T18:14:59.999Z' },
].map(({ timezone, from, to }) => ({ timezone, from: parseInstant(from), to: parseInstant(to) }));

// Few moments, so that many events share one: the first and last of the period, its nights, and some before and after.
const HOUR = 3_600_000;
const moment = fc.oneof(
  fc.constantFrom(0, -1, 1, -400 * 24 * HOUR, 40 * 24 * HOUR),
  fc.integer({ min: -3, max: 33 * 24 * 4 }).map((quarter) => (quarter * HOUR) / 4),
  fc.integer({ min: 0, max: 4 }).map((day) => (-10 + 9 * day) * 24 * HOUR),
);

const event = fc.record({
  at: moment,
  createdAt: fc.integer({ min: 0, max: 2 }),
  amount: fc.constantFrom(null, '1.5', '-0.000000000000001', '12.50'),
  // Metrics change what they measure: events keep what was measured when they came.
  by: fc.constantFrom('=n', '=n', '#n', '#n', '', '=region'),
  members: fc.record(
    {
      n: json(VALUES),
      region: json(['"eu"', '"us"', '"ap"', '"other"', '""', 'null', '1', '1.0', 'true'], 40),
      cloud: fc.constantFrom('"aws"', '"gcp"', '"azure"', '1.50', '"1.5"'),
      operation_type: fc.constantFrom('"add"', '"remove"', '"remove"', '["remove"]', '1'),
    },
    { requiredKeys: [] },
  ),
});
type Drawn = typeof event extends fc.Arbitrary<infer T> ? T : never;

const keys = fc.subarray(['region', 'cloud']);
const values = (list: readonly string[]) =>
  fc.oneof(fc.subarray([...list], { minLength: 1 }), fc.constant(['__ALL_FILTER_VALUES__']));
const filter = fc.record({
  values: fc.record(
    { region: values(['eu', 'us', 'ap', '1', 'true']), cloud: values(['aws', 'gcp', '1.5']) },
    { requiredKeys: [] },
  ),
  age: fc.integer({ min: 0, max: 2 }),
  keys,
});

const ranges = [
  { from_value: 0, to_value: 2, per_unit_amount: '3', flat_amount: '1' },
  { from_value: 3, to_value: null, per_unit_amount: '0.7', flat_amount: '0' },
];
const MODELS: Record<string, ChargeProperties> = {
  standard: { amount: '1' },
  dynamic: {},
  graduated: { graduated_ranges: ranges },
  percentage: { rate: '1' },
  bounded: { rate: '1', fixed_amount: '0.3', per_transaction_min_amount: '1', free_units_per_events: 2 },
  allowed: { rate: '1', free_units_per_events: 2, free_units_per_total_aggregation: '6' },
  amount: { rate: '1', free_units_per_total_aggregation: '6' },
};
const charge = fc.record({
  aggregation: fc.constantFrom<AggregationType>('count', 'sum', 'max', 'latest', 'unique_count', 'weighted_sum'),
  model: fc.constantFrom(...Object.keys(MODELS)),
  ...{ recurring: fc.boolean(), prorated: fc.boolean(), payInAdvance: fc.boolean(), withAdvance: fc.boolean() },
  ...{ keys, shown: keys, filters: fc.array(filter, { maxLength: 4 }) },
  levelFrom: fc.constantFrom(null, 0, -5 * 24 * HOUR, 24 * HOUR),
  until: fc.constantFrom(undefined, undefined, 10 * 24 * HOUR),
  supposed: fc.array(event, { maxLength: 3 }),
});
type Charge = typeof charge extends fc.Arbitrary<infer T> ? T : never;

const bodyOf = ({ members }: Pick<Drawn, 'members'>) =>
  `{${Object.entries(members)
    .map(([name, value]) => `"${name}":${value}`)
    .join()}}`;

function askedOf(drawn: Charge, zone: (typeof ZONES)[number]): UsageAsked {
  const { aggregation, model, recurring, keys: grouped, shown, filters, levelFrom, until } = drawn;
  const isProratable = aggregation === 'sum' || aggregation === 'unique_count';
  const price = MODELS[model] ?? {};
  const declared = [
    { key: 'region', values: ['eu', 'us', '1'] },
    { key: 'cloud', values: ['aws', 'gcp'] },
  ];
  return {
    charge: {
      ...{ id: 'c', prorated: isProratable && drawn.prorated, payInAdvance: drawn.payInAdvance },
      model: ['bounded', 'allowed', 'amount'].includes(model) ? 'percentage' : (model as 'standard'),
      properties: {
        ...{ ...price, pricing_group_keys: grouped },
        presentation_group_keys: shown.map((value) => ({ value, options: { display_in_invoice: true } })),
      },
      metric: { aggregation, fieldName: aggregation === 'count' ? null : 'n', recurring, filters: declared },
      filters: filters.map(({ values: sets, age, keys: own }, at) => ({
        ...{ id: `f${at}`, values: sets as Record<string, string[]>, createdAt: age },
        properties: { ...price, pricing_group_keys: own },
      })),
    },
    period: { ...zone, durationDays: 31 },
    levelFrom: levelFrom === null ? null : zone.from + levelFrom,
    withAdvance: drawn.withAdvance,
    ...(until === undefined ? {} : { until: zone.from + until }),
    supposed: drawn.supposed.map((one) => ({
      ...{ timestamp: zone.from + one.at, properties: JSON.parse(bodyOf(one)), preciseTotalAmountCents: one.amount },
    })),
  };
}

/** Stores events under a subscription of their own, and reads them back as the rules know them. */
async function stored(list: readonly Drawn[], from: number): Promise<{ id: string; events: UsageEvent[] }> {
  const id = randomUUID();
  const rows = list.map((one, at) => ({
    ...{
      t: `t${(at * 7919) % 101}`,
      at: new Date(from + one.at),
      c: new Date(from + one.createdAt),
      amount: one.amount,
    },
    ...{ amount: one.amount, by: one.by, body: bodyOf(one) },
  }));
  await client.$executeRaw`INSERT INTO events (id, organization_id, external_subscription_id, code, transaction_id,
      "timestamp", created_at, properties, precise_total_amount_cents, measured_by)
    SELECT gen_random_uuid(), ${test.organizationId}::uuid, ${id}, 'm', one ->> 't', (one ->> 'at')::timestamptz,
      (one ->> 'c')::timestamptz, (one ->> 'body')::jsonb, (one ->> 'amount')::numeric, one ->> 'by'
    FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) one`;
  const kept = await client.$queryRaw<{ t: string; at: Date; c: Date; body: string; amount: string | null }[]>`
    SELECT transaction_id AS t, "timestamp" AS at, created_at AS c, properties::text AS body,
      precise_total_amount_cents::text AS amount FROM events WHERE external_subscription_id = ${id}`;
  const events = kept.map(({ t, at, c, body, amount }) => ({
    ...{ transactionId: t, timestamp: at.getTime(), createdAt: c.getTime(), preciseTotalAmountCents: amount },
    properties: parseExactJson(body) as UsageEvent['properties'],
  }));
  return { id, events };
}

const plain = (value: unknown): string =>
  JSON.stringify(
    value,
    function (this: Record<string, unknown>, name, one) {
      const held = this[name];
      return held instanceof Decimal ? (held.isZero() ? '0' : held.toFixed()) : one;
    },
    1,
  );
const view = (groups: readonly UsageGroup[]) =>
  groups.map(({ filter: of, ...group }) => ({ filter: of?.id, ...group }));

const RUNS = Number(process.env.RUNS ?? 40);

it('the database adds up what the folds of the rules do, to the last digit', { timeout: 600_000 }, async () => {
  let [addedUp, asked] = [0, 0];
  const statements = await statementsOf(test.db, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 25 }),
        fc.array(charge, { minLength: 5, maxLength: 5 }),
        fc.constantFrom(...ZONES),
        async (list, charges, zone) => {
          const { id, events } = await stored(list, zone.from);
          const metric = { organizationId: test.organizationId, externalSubscriptionId: id, code: 'm' };
          await transactionOf(client, async (tx) => {
            for (const drawn of charges) {
              const question = askedOf(drawn, zone);
              const wanted = plain(view(usageOfEvents(events).groups(question)));
              for (const mostAtOnce of [Number.POSITIVE_INFINITY, 0]) {
                const read = await readGroups({ ...usageReader(client, tx), mostAtOnce }, metric, question);
                expect(plain(view(read))).toBe(wanted);
              }
              const { charge: of } = question;
              asked += 1;
              if (isAddedUp(question) && filterOrder(of.filters, of.metric.filters) !== null) addedUp += 1;
            }
          });
        },
      ),
      { numRuns: RUNS },
    ),
  );
  // Most are added up, and what is not added up is folded.
  const folded = statements.filter((sql) => sql.startsWith('DECLARE')).length - asked;
  expect(addedUp).toBeGreaterThan(asked / 3);
  expect(folded).toBeLessThan(asked - addedUp / 2);
});

it('more groups than fees that may be made are refused, however they are read', async () => {
  const [zone] = ZONES;
  if (!zone) throw new Error('no zone');
  const list = ['"eu"', '"us"', '"ap"'].map((region, at) => ({
    ...{ at, createdAt: 0, amount: null, by: '=n' as const, members: { n: '1', region } },
  }));
  const { id } = await stored(list, zone.from);
  const metric = { organizationId: test.organizationId, externalSubscriptionId: id, code: 'm' };
  const none = { filters: [], shown: [], supposed: [], levelFrom: null, until: undefined, model: 'standard' };
  const flags = { recurring: false, prorated: false, payInAdvance: false, withAdvance: false };
  const question = askedOf({ ...none, ...flags, aggregation: 'sum', keys: ['region'] }, zone);
  for (const mostAtOnce of [Number.POSITIVE_INFINITY, 0]) {
    const read = (mostGroups: number) =>
      transactionOf(client, (tx) => readGroups({ tx, mostAtOnce, mostGroups }, metric, question));
    expect(await read(3)).toHaveLength(3);
    await expect(read(2)).rejects.toMatchObject({
      code: 'validation_errors',
      details: { usage: ['value_is_too_long'] },
    });
  }
});

it('an event that is billed at once sees what the folds see', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 20 }),
      charge,
      fc.constantFrom(...ZONES),
      fc.nat(),
      async (list, drawn, zone, place) => {
        const { id, events } = await stored(list, zone.from);
        const metric = { organizationId: test.organizationId, externalSubscriptionId: id, code: 'm' };
        const { levelFrom: _, withAdvance: __, ...question } = askedOf(drawn, zone);
        const one = events[place % events.length];
        if (!one || question.charge.metric.aggregation === 'custom') throw new Error('no event');
        const asked = { ...question, event: one };
        const read = await transactionOf(client, (tx) => readAdvance(usageReader(client, tx), metric, asked));
        expect(plain(read)).toBe(plain(usageOfEvents(events).advance(asked)));
      },
    ),
    { numRuns: RUNS },
  );
});
