import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { usageOfEvents } from '../../../src/billing/aggregate/usage-source.ts';
import { isAddedUp } from '../../../src/billing/aggregate/usage-total.ts';
import { filterOrder } from '../../../src/billing/catalogue/filter.ts';
import type { UsageEvent } from '../../../src/billing/usage/usage.ts';
import { parseExactJson } from '../../../src/store/database/exact-json.ts';
import { forOrganization, type TenantClient, transactionOf } from '../../../src/store/database/tenant.ts';
import { keepUsage } from '../../../src/store/usage/hours/keep-usage.ts';
import { readAdvance, readGroups, usageReader } from '../../../src/store/usage/read-usage.ts';
import { storedReading } from '../../../src/store/usage/stored-usage.ts';
import { createTestApp, statementsOf, type TestApp } from '../../support.ts';
import { askedOf, bodyOf, charge, type Drawn, event, oneGroup, plain, view, ZONES } from './drawn-usage.ts';

let test: TestApp;
let client: TenantClient;
beforeAll(async () => {
  test = await createTestApp();
  client = forOrganization(test.db.prisma, test.organizationId);
});
afterAll(() => test?.close());

async function store(id: string, list: readonly Drawn[], from: number, name: string): Promise<void> {
  const rows = list.map((one, at) => ({
    ...{
      t: `${name}${(at * 7919) % 101}`,
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
}

/**
 * Stores events under a subscription of their own, and reads them back as the rules know them. What the first of them come to is
 * kept, before the others are stored.
 */
async function stored(list: readonly Drawn[], from: number, first = 0): Promise<{ id: string; events: UsageEvent[] }> {
  const id = randomUUID();
  await store(id, list.slice(0, first), from, 't');
  const metric = { organizationId: test.organizationId, externalSubscriptionId: id, code: 'm' };
  if (first > 0) await keepUsage(test.db.prisma, metric);
  await store(id, list.slice(first), from, 'later');
  const kept = await client.$queryRaw<{ id: string; at: Date; c: Date; body: string; amount: string | null }[]>`
    SELECT id::text, "timestamp" AS at, created_at AS c, properties::text AS body,
      precise_total_amount_cents::text AS amount FROM events WHERE external_subscription_id = ${id}`;
  const events = kept.map(({ id, at, c, body, amount }) => ({
    ...{ id, timestamp: at.getTime(), createdAt: c.getTime(), preciseTotalAmountCents: amount },
    properties: parseExactJson(body) as UsageEvent['properties'],
  }));
  return { id, events };
}

const RUNS = Number(process.env.RUNS ?? 40);

it('the database adds up what the folds of the rules do, to the last digit', { timeout: 600_000 }, async () => {
  let [addedUp, asked] = [0, 0];
  const statements = await statementsOf(test.db, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 25 }),
        fc.array(fc.oneof(charge, { arbitrary: oneGroup, weight: 2 }), { minLength: 5, maxLength: 5 }),
        fc.constantFrom(...ZONES),
        fc.constantFrom(0, 3, 8),
        async (list, charges, zone, first) => {
          const { id, events } = await stored(list, zone.from, first);
          const metric = { organizationId: test.organizationId, externalSubscriptionId: id, code: 'm' };
          await transactionOf(client, async (tx) => {
            for (const drawn of charges) {
              const question = askedOf(drawn, zone);
              const wanted = plain(view(usageOfEvents(events).groups(question)));
              for (const mostAtOnce of [Number.POSITIVE_INFINITY, 0]) {
                const read = await readGroups({ ...usageReader(client, tx, [id]), mostAtOnce }, metric, question);
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
  for (const table of ['usage_hours', 'usage_values']) {
    expect(statements.filter((sql) => sql.includes(`FROM ${table}`)).length).toBeGreaterThan(asked / 50);
  }
});

it('what is asked at one time of many subscriptions is what it is of each alone', { timeout: 600_000 }, async () => {
  let asked = 0;
  const statements = await statementsOf(test.db, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(event, { maxLength: 12 }), { minLength: 2, maxLength: 4 }),
        fc.array(fc.oneof(charge, { arbitrary: oneGroup, weight: 2 }), { minLength: 3, maxLength: 3 }),
        fc.constantFrom(...ZONES),
        async (lists, charges, zone) => {
          const subscriptions: Awaited<ReturnType<typeof stored>>[] = [];
          for (const list of lists) subscriptions.push(await stored(list, zone.from));
          const questions = charges.flatMap((drawn) => {
            const question = { ...askedOf(drawn, zone), supposed: [] };
            asked += 1;
            return subscriptions.map(({ id, events }) => ({ id, events, question }));
          });
          await transactionOf(client, async (tx) => {
            const reader = usageReader(
              client,
              tx,
              subscriptions.map(({ id }) => id),
            );
            const reading = storedReading(
              { ...reader, mostAtOnce: Number.POSITIVE_INFINITY, prisma: test.db.prisma },
              test.organizationId,
            );
            const read = await Promise.all(questions.map(({ id, question }) => reading.groups([id, 'm'], question)));
            const wanted = questions.map(({ events, question }) => usageOfEvents(events).groups(question));
            expect(read.map((one) => plain(view(one)))).toEqual(wanted.map((one) => plain(view(one))));
          });
        },
      ),
      { numRuns: RUNS },
    ),
  );
  expect(statements.filter((sql) => sql.includes('AS given(external_id, place)')).length).toBeGreaterThan(asked / 3);
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
      transactionOf(client, (tx) =>
        readGroups({ ...usageReader(client, tx, [id]), mostAtOnce, mostGroups }, metric, question),
      );
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
        const read = await transactionOf(client, (tx) => readAdvance(usageReader(client, tx, [id]), metric, asked));
        expect(plain(read)).toBe(plain(usageOfEvents(events).advance(asked)));
      },
    ),
    { numRuns: RUNS },
  );
});
