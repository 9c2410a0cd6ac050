import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClickHouse } from '../../src/store/clickhouse/clickhouse-events.ts';
import { type Connection, connect } from '../../src/store/clickhouse/connection.ts';
import { sql } from '../../src/store/clickhouse/sql.ts';
import { EVENTS } from '../../src/store/clickhouse/table.ts';
import { forOrganization, transactionOf } from '../../src/store/database/tenant.ts';
import { type EventRow, eventRow } from '../../src/store/usage/event-row.ts';
import { usageReader } from '../../src/store/usage/read-usage.ts';
import { storedReading } from '../../src/store/usage/stored-usage.ts';
import { createTestApp, type TestApp } from '../support.ts';

const URL_OF_EVENTS = process.env.EVENTS_URL ?? '';
const FROM = Date.parse('2026-06-01T00:00:00Z');
const NOW = new Date('2026-06-15T10:00:00.250Z');

let gateway: TestApp;
let store: Awaited<ReturnType<typeof openClickHouse>>;
let connection: Connection;
beforeAll(async () => {
  gateway = await createTestApp({ now: () => NOW });
  store = await openClickHouse(URL_OF_EVENTS);
  connection = await connect(URL_OF_EVENTS);
});
afterAll(async () => {
  await connection?.close();
  await store?.close();
  await gateway?.close();
});

interface Wanted {
  readonly at?: number;
  readonly received?: number;
  readonly code?: string;
  readonly n?: unknown;
}

function row(subscription: string, transactionId: string, { at = 0, received = 0, code = 'm', n = 1 }: Wanted = {}) {
  const names = { transactionId, externalSubscriptionId: subscription, code };
  const event = { ...names, timestamp: new Date(FROM + at), properties: { n }, preciseTotalAmountCents: null };
  return eventRow(event, gateway.organizationId, new Date(FROM + received));
}

const metric = { aggregation: 'sum', fieldName: 'n', recurring: false, filters: [] } as const;
const charge = { id: 'c', model: 'standard', properties: { amount: '1' }, filters: [], metric } as const;
const period = { from: FROM, to: FROM + 30 * 86_400_000 - 1, timezone: 'UTC', durationDays: 30 };

/** The sum and the count of a subscription's events. */
async function used(subscription: string, code = 'm'): Promise<[string, string]> {
  const client = forOrganization(gateway.db.prisma, gateway.organizationId);
  const reading = await transactionOf(client, async (tx) =>
    storedReading(usageReader(client, tx, [subscription]), gateway.organizationId),
  );
  const [group] = await reading.groups([subscription, code], { charge, period, levelFrom: null, withAdvance: false });
  return [group?.aggregate.units.toFixed() ?? '', group?.aggregate.eventsCount.toFixed() ?? ''];
}

describe('an event is once', () => {
  test('whatever its time and its metric, and whoever sends it', async () => {
    const own = randomUUID();
    expect(await store.append([[row(own, 'a')], [row(own, 'b')]])).toEqual([[], []]);
    expect(await store.append([[row(own, 'a', { at: 1000 })], [row(own, 'b', { code: 'other' })]])).toEqual([[0], [0]]);
    expect(await store.append([[row(randomUUID(), 'a')]])).toEqual([[]]);
    expect([await used(own), await used(own, 'other')]).toEqual([
      ['2', '2'],
      ['0', '0'],
    ]);
  });

  test('a part with one that is known is not stored, the others are', async () => {
    const own = randomUUID();
    await store.append([[row(own, 'a')]]);
    expect(await store.append([[row(own, 'b'), row(own, 'a')], [row(own, 'c')]])).toEqual([[1], []]);
    expect(await used(own)).toEqual(['2', '2']);
  });

  test('the same row again, as after an answer that was lost, is no other event', async () => {
    const own = randomUUID();
    const rows = [row(own, 'a'), row(own, 'b')];
    expect(await store.append([rows])).toEqual([[]]);
    expect(await store.append([rows])).toEqual([[]]);
    expect(await used(own)).toEqual(['2', '2']);
  });

  test('two parts of one call with the same event: the first is stored', async () => {
    const own = randomUUID();
    expect(await store.append([[row(own, 'a', { n: 5 })], [row(own, 'a', { n: 7, at: 9 }), row(own, 'b')]])).toEqual([
      [],
      [0],
    ]);
    expect(await used(own)).toEqual(['5', '1']);
  });

  test('two at one moment: the first received counts, at whatever times', { timeout: 120_000 }, async () => {
    for (let round = 0; round < 15; round += 1) {
      const own = randomUUID();
      const [first, second] = [row(own, 'a', { n: 5, at: 60_000 }), row(own, 'a', { n: 7, at: round, received: 1 })];
      const answers = await Promise.all([store.append([[first]]), store.append([[second]])]);
      expect(answers.flat(2).length).toBeLessThanOrEqual(1);
      const [sum, count] = await used(own);
      expect(count).toBe('1');
      // Who asked before the other was there was told so.
      if (answers.flat(2).length === 0 || answers[1]?.[0]?.length) expect(sum).toBe('5');
    }
  });

  test('what a process left that died between two steps is found, and a moment says until when', async () => {
    const own = randomUUID();
    const values = (one: EventRow, rank: string) => ({
      ...{ organization_id: one.organizationId, external_subscription_id: own, code: one.code, id: one.id, rank },
      ...{ at: one.timestamp.getTime(), transaction_id: one.transactionId, created_at: one.createdAt.getTime() },
      ...{ stored_at: Date.now(), is_void: 0, texts: { n: '3' }, properties: one.written, amount: null },
    });
    const left = [values(row(own, 'a'), '100'), values(row(own, 'a', { at: 5000 }), '200')];
    await connection.insert(EVENTS, left);
    expect(await used(own)).toEqual(['6', '2']);
    const before = Date.now();
    const position = await store.completeUntil();
    expect(position.getTime()).toBeGreaterThanOrEqual(before);
    expect(await used(own)).toEqual(['3', '1']);
    expect((await store.apart?.known([row(own, 'a')])) ?? []).toEqual([0]);
    await connection.run(sql`OPTIMIZE TABLE ${EVENTS} FINAL`);
    expect(await used(own)).toEqual(['3', '1']);
    expect(await store.append([[row(own, 'a')]])).toEqual([[0]]);
  });
});

test('numbers that fit no column are added up from their texts', async () => {
  const own = randomUUID();
  const numbers = ['123456789012345678901234567890.5', '0.0000000000000000000000000000000001', '2'];
  await store.append([numbers.map((n, at) => row(own, `t${at}`, { n, at }))]);
  expect((await used(own))[0]).toBe('123456789012345678901234567892.5');
});

describe('through the gateway', () => {
  const send = (members: object) => gateway.rest('POST', '/events', { event: members });
  const anEvent = (id: string, timestamp: number) => ({
    ...{ transaction_id: id, code: 'calls', external_subscription_id: "it's \\ here", timestamp },
    ...{ properties: { long: '0.12345678901234567890', 'é ü': "x'\\" } },
    precise_total_amount_cents: '12.3456',
  });

  test('an event is answered, found, listed and refused the second time', async () => {
    const { status, body } = await send(anEvent('one', 1_767_225_600.5));
    expect([status, body.event.timestamp]).toEqual([200, '2026-01-01T00:00:00.500Z']);
    expect((await gateway.rest('GET', '/events/one')).body).toEqual(body);
    expect((await send(anEvent('one', 1_767_225_601))).body.error_details).toEqual({
      transaction_id: ['value_already_exist'],
    });
    const batch = { events: [anEvent('two', 1_767_225_602), anEvent('one', 1)] };
    expect((await gateway.rest('POST', '/events/batch', batch)).body.error_details).toEqual({
      1: { transaction_id: ['value_already_exist'] },
    });
    expect((await gateway.rest('GET', '/events/two')).status).toBe(404);
    const listed = await gateway.rest('GET', '/events?code=calls');
    expect(listed.body).toEqual({ events: [body.event], meta: expect.objectContaining({ total_count: 1 }) });
  });

  test('lists are filtered, ordered and paged by places', async () => {
    for (let at = 0; at < 7; at += 1) await send({ ...anEvent(`p${at}`, 1_767_300_000 + (at % 3)), code: 'paged' });
    const query = `query ($after: String, $from: DateTime) {
      events(first: 3, after: $after, filter: { code: ["paged"], timestamp: { from: $from } }, orderBy: { field: timestamp }) {
        totalCount pageInfo { endCursor hasNextPage } nodes { transactionId preciseTimestamp preciseTotalAmountCents }
      } }`;
    const seen: string[] = [];
    let after: string | null = null;
    for (let pages = 0; pages < 3; pages += 1) {
      const { data, errors } = await gateway.graphql(query, { after });
      expect(errors).toBeUndefined();
      expect(data.events.totalCount).toBe(7);
      seen.push(...data.events.nodes.map(({ transactionId }: { transactionId: string }) => transactionId));
      after = data.events.pageInfo.endCursor;
    }
    expect(new Set(seen).size).toBe(7);
    expect(seen).toEqual(['p0', 'p3', 'p6', 'p1', 'p4', 'p2', 'p5']);
    const { body } = await gateway.rest('GET', '/events?code=paged');
    const listed = body.events.map(({ transaction_id: id }: { transaction_id: string }) => id);
    expect(listed).toEqual(['p2', 'p5', 'p1', 'p4', 'p0', 'p3', 'p6']);
    const { data } = await gateway.graphql(query, { from: '2026-01-01T20:40:02Z' });
    expect(data.events.nodes.map(({ transactionId }: { transactionId: string }) => transactionId).sort()).toEqual([
      'p2',
      'p5',
    ]);
    expect(data.events.nodes[0].preciseTotalAmountCents).toBe('12.3456');
  });

  test("another organization's events are not there", async () => {
    const { id } = await gateway.db.prisma.organization.create({ data: { name: 'Other' } });
    const key = await gateway.makeKey({ organizationId: id });
    expect((await gateway.rest('GET', '/events/one', undefined, { key })).status).toBe(404);
    expect((await gateway.rest('GET', '/events', undefined, { key })).body.meta.total_count).toBe(0);
  });
});
