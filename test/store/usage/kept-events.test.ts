import { afterAll, beforeAll, expect, test } from 'vitest';
import { usageOfEvents } from '../../../src/billing/aggregate/usage-source.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { queueOf, receiveInto } from '../../../src/store/usage/event-intake.ts';
import { type EventRow, keyOf } from '../../../src/store/usage/event-row.ts';
import type { EventStore } from '../../../src/store/usage/event-store.ts';
import { keepEventsIn } from '../../../src/store/usage/kept-events.ts';
import { createTestApp, statementsOf, type TestApp } from '../../support.ts';

const NOW = new Date('2026-06-15T10:00:00.250Z');

/** Conditions of lists and lookups, as far as these tests have them. */
function meets(row: EventRow, where: Record<string, unknown>): boolean {
  return Object.entries(where).every(([name, wanted]) => {
    if (name === 'AND') return [wanted].flat().every((one) => meets(row, one as Record<string, unknown>));
    const value: unknown = Reflect.get(row, name);
    const list = typeof wanted === 'object' && wanted !== null && 'in' in wanted ? wanted.in : undefined;
    return Array.isArray(list) ? list.includes(value) : value === wanted;
  });
}

/** A store of events beside the database, in memory. */
function storeInMemory() {
  const kept: EventRow[] = [];
  const has = (row: EventRow) => kept.some((one) => keyOf(one) === keyOf(row));
  const knownOf = (rows: readonly EventRow[]) => rows.flatMap((row, place) => (has(row) ? [place] : []));
  const found = (args: object) => {
    const { where = {}, take } = args as { where?: Record<string, unknown>; take?: number };
    return kept.filter((row) => meets(row, where)).slice(0, take);
  };
  const store: EventStore = {
    append: async (parts) =>
      parts.map((rows) => {
        const known = knownOf(rows);
        if (known.length === 0) kept.push(...rows);
        return known;
      }),
    apart: {
      known: async (rows) => knownOf(rows),
      rows: { findMany: async (args) => found(args), count: async (args) => found(args).length },
    },
    reading: (_reader, organizationId) => {
      const of = ([externalSubscriptionId, code]: readonly [string, string]) =>
        usageOfEvents(
          kept
            .filter((row) => meets(row, { organizationId, externalSubscriptionId, code }))
            .map((row) => ({ ...row, timestamp: row.timestamp.getTime(), createdAt: row.createdAt.getTime() })),
        );
      return {
        groups: async (metric, asked) => of(metric).groups(asked),
        advance: async (metric, asked) => of(metric).advance(asked),
      };
    },
    completeUntil: async () => NOW,
    ready: async () => undefined,
  };
  return { kept, store };
}

const { kept, store } = storeInMemory();
let gateway: TestApp;
beforeAll(async () => {
  gateway = await createTestApp({ now: () => NOW });
  keepEventsIn(gateway.db.prisma, store);
  const { name: organization } = await gateway.db.prisma.organization.findFirstOrThrow();
  const stored = {
    billable_metrics: [{ code: 'calls', aggregation_type: 'sum_agg', field_name: 'n' }],
    plans: [
      {
        ...{ code: 'plan', interval: 'monthly', amount_cents: 0, amount_currency: 'EUR' },
        charges: [{ billable_metric_code: 'calls', properties: { amount: '1' } }],
      },
    ],
    customers: [{ external_id: 'customer', currency: 'EUR' }],
    subscriptions: [
      {
        ...{ external_id: 'sub', external_customer_id: 'customer', plan_code: 'plan', status: 'active' },
        ...{ subscription_at: '2026-06-01T00:00:00Z', started_at: '2026-06-01T00:00:00Z' },
      },
    ],
  };
  await importDocument(gateway.db, stored, { organization, now: NOW });
});
afterAll(() => gateway.close());

const anEvent = (id: string, n: number) => ({
  ...{ transaction_id: id, code: 'calls', external_subscription_id: 'sub', properties: { n } },
});
const rowsInDatabase = () => gateway.db.prisma.event.count();
const send = (id: string, n: number, headers: Record<string, string> = {}) =>
  gateway.rest('POST', '/events', { event: anEvent(id, n) }, { headers });
const KNOWN = { transaction_id: ['value_already_exist'] };

test('what is sent goes to the store beside the database, and its lists and lookups come from there', async () => {
  const { status, body } = await send('one', 5);
  expect(status).toBe(200);
  expect(kept.map(({ transactionId }) => transactionId)).toEqual(['one']);
  expect(await rowsInDatabase()).toBe(0);
  expect((await gateway.rest('GET', '/events/one')).body).toEqual(body);
  expect((await gateway.rest('GET', '/events/two')).status).toBe(404);
  const query = '{ events(filter: { code: ["calls"] }) { totalCount nodes { id transactionId properties } } }';
  // Asked again it is compiled: the database is still not asked for what it does not have.
  for (let times = 0; times < 3; times += 1) {
    const statements = await statementsOf(gateway.db, async () => {
      const { data, errors } = await gateway.graphql(query);
      expect(errors).toBeUndefined();
      const [node] = data.events.nodes;
      expect(data.events).toMatchObject({ totalCount: 1, nodes: [{ transactionId: 'one', properties: { n: 5 } }] });
      const again = await gateway.graphql(
        'query ($id: ID!) { node(id: $id) { ... on Event { transactionId } } }',
        node,
      );
      expect(again.data.node).toEqual({ transactionId: 'one' });
    });
    expect(statements.filter((sql) => /\bevents\b/.test(sql))).toEqual([]);
  }
});

test('a preview adds up what the store has', async () => {
  const { body } = await gateway.rest('POST', '/invoices/preview', {
    customer: { external_id: 'customer' },
    subscriptions: { external_ids: ['sub'] },
  });
  expect(body.invoice.fees.slice(1)).toMatchObject([{ units: '5.0', amount_cents: 500 }]);
});

test('what is known is refused, and a batch with it stores nothing', async () => {
  expect((await send('one', 7)).body.error_details).toEqual(KNOWN);
  const batch = { events: [anEvent('two', 1), anEvent('one', 1)] };
  const { status, body } = await gateway.rest('POST', '/events/batch', batch);
  expect([status, body.error_details]).toEqual([422, { 1: KNOWN }]);
  expect(kept).toHaveLength(1);
});

test('a dry run tells what would be and stores nothing', async () => {
  const dry = (id: string) =>
    gateway.graphql(
      'mutation ($input: RecordEventInput!) { recordEvent(input: $input, dryRun: true) { transactionId } }',
      { input: { transactionId: id, code: 'calls', externalSubscriptionId: 'sub' } },
    );
  expect((await dry('dry')).data.recordEvent).toEqual({ transactionId: 'dry' });
  expect((await dry('one')).errors?.[0]?.extensions?.errorDetails).toEqual(KNOWN);
  expect(kept).toHaveLength(1);
});

test('a named request stores once and is answered again', async () => {
  const named = () => send('named', 2, { 'Idempotency-Key': 'a name' });
  const [first, second] = [await named(), await named()];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body).toEqual(first.body);
  expect(kept).toHaveLength(2);
  expect(await rowsInDatabase()).toBe(0);
});

test('a buffer takes what is sent, and the queue brings it to the store', async () => {
  const buffered: EventRow[] = [];
  receiveInto(gateway.db.prisma, {
    add: async (rows) => {
      buffered.push(...rows);
      return [];
    },
    waiting: async () => ({ count: buffered.length, since: buffered[0]?.createdAt ?? null }),
    ready: async () => undefined,
  });
  expect((await send('later', 3)).status).toBe(200);
  expect((await gateway.rest('GET', '/events/later')).status).toBe(404);
  const until = async () => new Date((await gateway.graphql('{ usageCompleteUntil }')).data.usageCompleteUntil);
  expect(await until()).toEqual(buffered[0]?.createdAt);
  expect(await queueOf(gateway.db.prisma).add(buffered)).toEqual([]);
  expect((await gateway.rest('GET', '/events/later')).status).toBe(200);
});
