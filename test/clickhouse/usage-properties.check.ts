import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { usageOfEvents } from '../../src/billing/aggregate/usage-source.ts';
import { isAddedUp } from '../../src/billing/aggregate/usage-total.ts';
import type { UsageEvent } from '../../src/billing/usage/usage.ts';
import { openClickHouse } from '../../src/store/clickhouse/clickhouse-events.ts';
import { parseExactJson } from '../../src/store/database/exact-json.ts';
import { forOrganization, transactionOf } from '../../src/store/database/tenant.ts';
import { type EventRow, eventRow } from '../../src/store/usage/event-row.ts';
import type { UsageReading } from '../../src/store/usage/event-store.ts';
import { usageReader } from '../../src/store/usage/read-usage.ts';
import { storedReading } from '../../src/store/usage/stored-usage.ts';
import { askedOf, bodyOf, charge, type Drawn, event, plain, view, ZONES } from '../store/usage/drawn-usage.ts';
import { createTestApp, type TestApp } from '../support.ts';

let test: TestApp;
let store: Awaited<ReturnType<typeof openClickHouse>>;
let reading: UsageReading;
beforeAll(async () => {
  test = await createTestApp();
  store = await openClickHouse(process.env.EVENTS_URL ?? '');
  const client = forOrganization(test.db.prisma, test.organizationId);
  // No transaction of the database is needed for what is not in it.
  reading = await transactionOf(client, async (tx) => storedReading(usageReader(client, tx, []), test.organizationId));
});
afterAll(async () => {
  await store?.close();
  await test?.close();
});

const RUNS = Number(process.env.RUNS ?? 40);

function rowOf(one: Drawn, at: number, subscription: string, from: number): EventRow {
  const names = { transactionId: `t${(at * 7919) % 101}`, externalSubscriptionId: subscription, code: 'm' };
  const properties = parseExactJson(bodyOf(one)) as EventRow['properties'];
  const amount = { preciseTotalAmountCents: one.amount };
  const row = { ...names, ...amount, properties, timestamp: new Date(from + one.at) };
  return eventRow(row, test.organizationId, new Date(from + one.createdAt));
}

const eventOf = (row: EventRow): UsageEvent => ({
  ...{ id: row.id, timestamp: row.timestamp.getTime(), createdAt: row.createdAt.getTime() },
  ...{ properties: row.properties, preciseTotalAmountCents: row.preciseTotalAmountCents },
});

/** Stores events under a subscription of their own, some of them again at another time and of another metric. */
async function stored(list: readonly Drawn[], from: number): Promise<{ id: string; events: UsageEvent[] }> {
  const id = randomUUID();
  const rows = list.map((one, at) => rowOf(one, at, id, from));
  expect(await store.append([rows])).toEqual([[]]);
  const again = rows.slice(0, 5).map((row, at) => {
    const later = new Date(row.timestamp.getTime() + at * 60_000);
    return eventRow({ ...row, timestamp: later, code: at % 2 ? 'm' : 'other' }, test.organizationId, row.createdAt);
  });
  if (again.length > 0) expect(await store.append([again])).toEqual([again.map((_row, at) => at)]);
  return { id, events: rows.map(eventOf) };
}

it('the store adds up what the folds of the rules do, to the last digit', { timeout: 600_000 }, async () => {
  let [addedUp, asked] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 25 }),
      fc.array(charge, { minLength: 5, maxLength: 5 }),
      fc.constantFrom(...ZONES),
      async (list, charges, zone) => {
        const { id, events } = await stored(list, zone.from);
        for (const drawn of charges) {
          const question = askedOf(drawn, zone);
          const read = await reading.groups([id, 'm'], question);
          expect(plain(view(read))).toBe(plain(view(usageOfEvents(events).groups(question))));
          asked += 1;
          if (isAddedUp(question)) addedUp += 1;
        }
      },
    ),
    { numRuns: RUNS },
  );
  expect(addedUp).toBeGreaterThan(asked / 3);
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
        const { levelFrom: _, withAdvance: __, ...question } = askedOf(drawn, zone);
        const one = events[place % events.length];
        if (!one) throw new Error('no event');
        const asked = { ...question, event: one };
        expect(plain(await reading.advance([id, 'm'], asked))).toBe(plain(usageOfEvents(events).advance(asked)));
      },
    ),
    { numRuns: RUNS },
  );
});
