import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepMonths } from '../../../src/store/usage/table/event-month.ts';
import { countStatements, createTestApp, statementsOf, type TestApp } from '../../support.ts';

const NOW = new Date('2026-06-15T10:00:00.250Z');
const NOW_SECONDS = NOW.getTime() / 1000;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createTestApp({ now: () => NOW });
  const { id: organizationId } = await gateway.db.prisma.organization.findFirstOrThrow();
  const metric = { organizationId, name: 'Total', aggregationType: 'sum_agg', fieldName: 'total' } as const;
  await gateway.db.prisma.billableMetric.createMany({
    data: [
      { ...metric, code: 'computed', expression: 'event.properties.a + event.properties.b' },
      { ...metric, code: 'gone', expression: 'event.properties.a', deletedAt: NOW },
      { ...metric, code: 'plain' },
    ],
  });
});
afterAll(() => gateway.close());

let count = 0;
const anEvent = (members: object = {}) => {
  count += 1;
  return { transaction_id: `event-${count}`, code: 'plain', external_subscription_id: 'sub-1', ...members };
};
const send = (members: object = {}) => gateway.rest('POST', '/events', { event: anEvent(members) });
const sendBatch = (events: unknown) => gateway.rest('POST', '/events/batch', { events });
const stored = () => gateway.db.prisma.event.count();
const refused = (details: object) => ({
  status: 422,
  body: { status: 422, error: 'Unprocessable entity', code: 'validation_errors', error_details: details },
});

describe('one event', () => {
  test('is stored as it was sent, and answered', async () => {
    const properties = { a: 1, b: '2', long: '0.12345678901234567890', 'é ü': 'x' };
    const sent = anEvent({ timestamp: 1_767_225_600.5, properties, precise_total_amount_cents: '12.3456' });
    const { status, body } = await gateway.rest('POST', '/events', { event: sent });
    expect(status).toBe(200);
    expect(body.event).toEqual({
      svc_id: expect.any(String),
      transaction_id: sent.transaction_id,
      svc_customer_id: null,
      code: 'plain',
      timestamp: '2026-01-01T00:00:00.500Z',
      precise_total_amount_cents: '12.3456',
      properties,
      svc_subscription_id: null,
      external_subscription_id: 'sub-1',
      created_at: '2026-06-15T10:00:00Z',
    });
    const found = await gateway.rest('GET', `/events/${sent.transaction_id}`);
    expect(found.body).toEqual(body);
  });

  test('may hold a zero that is written as a decimal beside numbers with many digits', async () => {
    const { transaction_id: id } = anEvent();
    const raw = `{"event":{"transaction_id":"${id}","external_subscription_id":"sub-1","code":"plain",
      "timestamp":1767225600.123456,"properties":{"v":0.0,"w":-0.00,"n":"1234567890123456789"}}}`;
    const { status, body } = await gateway.rest('POST', '/events', undefined, { raw });
    expect([status, body.event.properties]).toEqual([200, { v: 0, w: 0, n: '1234567890123456789' }]);
  });

  test('has whole numbers of any length as the numbers that they were sent as', async () => {
    const { transaction_id: id } = anEvent();
    const properties =
      '{"at":9007199254740993,"low":-12345678901234567890,"half":0.5,"kept":"9007199254740993","large":9007199254740992}';
    const raw = `{"event":{"transaction_id":"${id}","external_subscription_id":"sub-1","code":"plain","properties":${properties}}}`;
    const answers = [await gateway.rest('POST', '/events', undefined, { raw })];
    for (const path of [`/events/${id}`, '/events?per_page=100']) answers.push(await gateway.rest('GET', path));
    for (const { text } of answers) expect(text).toContain(`"properties":${properties}`);
    const { data } = await gateway.graphql(`{ event(transactionId: "${id}") { properties } }`);
    expect(data.event.properties).toMatchObject({ at: '9007199254740993', low: '-12345678901234567890' });
    const list = `{ transactionId: "${id}", externalSubscriptionId: "list", code: "plain", properties: { at: [9007199254740993] } }`;
    const recorded = await gateway.graphql(`mutation { recordEvent(input: ${list}) { properties } }`);
    expect(recorded.data.recordEvent.properties).toEqual({ at: ['9007199254740993'] });
    await gateway.db.prisma.event.deleteMany({ where: { externalSubscriptionId: 'list' } });
  });

  test.each([
    [1_767_225_600, '2026-01-01T00:00:00.000Z'],
    ['1767225600', '2026-01-01T00:00:00.000Z'],
    ['1767225600.1239', '2026-01-01T00:00:00.123Z'],
    [1_767_225_600.001, '2026-01-01T00:00:00.001Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [-1.5, '1969-12-31T23:59:58.500Z'],
    [null, NOW.toISOString()],
    [undefined, NOW.toISOString()],
    [NOW_SECONDS + 300 * 86_400, '2027-04-11T10:00:00.250Z'],
  ])('at %s happened at %s', async (timestamp, shown) => {
    const { status, body } = await send({ timestamp });
    expect(status).toBe(200);
    expect(body.event.timestamp).toBe(shown);
  });

  test.each([
    ['2026-01-01T00:00:00Z', 'invalid_format'],
    ['', 'invalid_format'],
    ['soon', 'invalid_format'],
    [true, 'invalid_format'],
    [[1], 'invalid_format'],
    ['1e9', 'invalid_format'],
    [1e30, 'invalid_format'],
    [-1e14, 'invalid_format'],
    [NOW.getTime(), 'invalid_format'],
    [NOW_SECONDS + 400 * 86_400, 'value_is_out_of_range'],
  ])('at %s happened never', async (timestamp, code) => {
    expect(await send({ timestamp })).toMatchObject(refused({ timestamp: [code] }));
  });

  test.each([
    [{ transaction_id: ' ' }, { transaction_id: ['value_is_mandatory'] }],
    [
      { transaction_id: undefined, code: null },
      { transaction_id: ['value_is_mandatory'], code: ['value_is_mandatory'] },
    ],
    [{ code: '' }, { code: ['value_is_mandatory'] }],
    [{ properties: [] }, { properties: ['value_is_invalid'] }],
    [{ properties: 'a' }, { properties: ['value_is_invalid'] }],
    [{ precise_total_amount_cents: 'ten' }, { precise_total_amount_cents: ['value_is_invalid'] }],
    [{ precise_total_amount_cents: '1'.repeat(40) }, { precise_total_amount_cents: ['value_is_out_of_range'] }],
    [{ transaction_id: 'x'.repeat(256) }, { transaction_id: ['value_is_too_long'] }],
    [{ code: {} }, { code: ['value_is_invalid'] }],
  ])('of %j is refused', async (members, details) => {
    const before = await stored();
    expect(await send(members)).toMatchObject(refused(details));
    expect(await stored()).toBe(before);
  });

  test('needs its root', async () => {
    expect(await gateway.rest('POST', '/events', anEvent())).toMatchObject({ status: 400 });
    expect(await gateway.rest('POST', '/events', { event: {} })).toMatchObject({ status: 400 });
    expect(await gateway.rest('POST', '/events', undefined, { raw: '{' })).toMatchObject({ status: 400 });
  });

  test('is stored once, also at another time and with another body', async () => {
    const sent = anEvent({ timestamp: 1_767_225_600 });
    expect((await gateway.rest('POST', '/events', { event: sent })).status).toBe(200);
    const again = { ...sent, timestamp: 1_735_689_600, code: 'other' };
    expect(await gateway.rest('POST', '/events', { event: again })).toMatchObject(
      refused({ transaction_id: ['value_already_exist'] }),
    );
    const other = { ...sent, external_subscription_id: 'sub-2' };
    expect((await gateway.rest('POST', '/events', { event: other })).status).toBe(200);
  });

  test('without a subscription is stored once too', async () => {
    const sent = anEvent({ external_subscription_id: undefined });
    expect((await gateway.rest('POST', '/events', { event: sent })).status).toBe(200);
    const again = { ...sent, external_subscription_id: null };
    expect(await gateway.rest('POST', '/events', { event: again })).toMatchObject(
      refused({ transaction_id: ['value_already_exist'] }),
    );
  });

  test('of an unknown code is kept', async () => {
    expect((await send({ code: 'nobody-knows' })).status).toBe(200);
    expect((await send({ external_subscription_id: 'nobody' })).status).toBe(200);
  });

  test('has the property that its metric computes', async () => {
    const { body } = await send({ code: 'computed', properties: { a: '1', b: '2', total: 9 } });
    expect(body.event.properties).toEqual({ a: '1', b: '2', total: '3.0' });
    expect(await send({ code: 'computed', properties: { a: '1' } })).toMatchObject(
      refused({ expression: ['expression_evaluation_failed: Variable: b not found'] }),
    );
    const noName = await send({ code: 'computed', properties: { a: '1' }, transaction_id: ' ' });
    expect(noName.body.error_details).toEqual({
      expression: ['expression_evaluation_failed: Variable: b not found'],
      transaction_id: ['value_is_mandatory'],
    });
    expect((await send({ code: 'gone' })).status).toBe(200);
  });

  test('of hundreds at one moment each is stored once, by few statements', async () => {
    const same = anEvent();
    const events = [...Array.from({ length: 300 }, () => anEvent()), ...Array.from({ length: 20 }, () => same)];
    const before = await stored();
    const answers: number[] = [];
    const statements = await statementsOf(gateway.db, async () => {
      const sent = await Promise.all(events.map((event) => gateway.rest('POST', '/events', { event })));
      answers.push(...sent.map(({ status }) => status));
    });
    expect(answers.filter((status) => status === 200)).toHaveLength(301);
    expect(answers.filter((status) => status === 422)).toHaveLength(19);
    expect(await stored()).toBe(before + 301);
    expect(statements.length).toBeLessThan(60);
  });

  test('takes two statements, however many it comes with', async () => {
    await send();
    expect(await countStatements(gateway.db, () => send())).toBe(2);
    const events = Array.from({ length: 100 }, () => anEvent());
    expect(await countStatements(gateway.db, () => sendBatch(events))).toBe(2);
  });

  test('named by its sender is stored once and answered again', async () => {
    const event = anEvent();
    const headers = { 'Idempotency-Key': 'one-event' };
    const first = await gateway.rest('POST', '/events', { event }, { headers });
    const again = await gateway.rest('POST', '/events', { event }, { headers });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
    const known = await gateway.rest('POST', '/events', { event }, { headers: { 'Idempotency-Key': 'another' } });
    expect(known).toMatchObject(refused({ transaction_id: ['value_already_exist'] }));
  });
});

describe('a batch', () => {
  test('is answered in its order', async () => {
    const events = [anEvent(), anEvent({ timestamp: 1_767_225_600 }), anEvent({ external_subscription_id: 'b' })];
    const { status, body } = await sendBatch(events);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['events']);
    const shown = body.events.map(({ transaction_id: id }: { transaction_id: string }) => id);
    expect(shown).toEqual(events.map(({ transaction_id: id }) => id));
  });

  test.each([
    [[], { events: ['no_events'] }],
    [undefined, { events: ['no_events'] }],
    [{}, { events: ['value_is_invalid'] }],
    [[{}], { 0: { transaction_id: ['value_is_mandatory'], code: ['value_is_mandatory'] } }],
    [[1], { 0: { base: ['value_is_invalid'] } }],
  ])('of %j is refused', async (events, details) => {
    expect(await sendBatch(events)).toMatchObject(refused(details));
  });

  test('has 100 events at most', async () => {
    expect((await sendBatch(Array.from({ length: 100 }, () => anEvent()))).status).toBe(200);
    const more = Array.from({ length: 101 }, () => anEvent());
    expect(await sendBatch(more)).toMatchObject(refused({ events: ['too_many_events'] }));
  });

  test('is stored as a whole or not at all, and every fault is told by its place', async () => {
    const known = anEvent();
    await gateway.rest('POST', '/events', { event: known });
    const before = await stored();
    const cases: [unknown[], object][] = [
      [
        [anEvent(), anEvent({ timestamp: 'x' }), anEvent({ timestamp: '' })],
        { 1: { timestamp: ['invalid_format'] }, 2: { timestamp: ['invalid_format'] } },
      ],
      [
        [anEvent({ code: ' ' }), anEvent(), anEvent({ properties: 1 })],
        { 0: { code: ['value_is_mandatory'] }, 2: { properties: ['value_is_invalid'] } },
      ],
      [[anEvent(), anEvent({ code: 'a\0' })], { 1: { code: ['value_is_invalid'] } }],
      [[anEvent(), anEvent({ properties: { code: '\ud800' } })], { 1: { properties: ['value_is_invalid'] } }],
      [[anEvent(), anEvent({ properties: { a: [{ '\0': 1 }] } })], { 1: { properties: ['value_is_invalid'] } }],
      [[anEvent(), '\0'], { events: ['value_is_invalid'] }],
      [[anEvent(), anEvent({ code: {} })], { 1: { code: ['value_is_invalid'] } }],
      [[anEvent(), anEvent({ code: 'x'.repeat(300) })], { 1: { code: ['value_is_too_long'] } }],
      [
        [anEvent({ code: 'computed', properties: { a: 'x', b: 1 } }), anEvent()],
        { 0: { expression: ['expression_evaluation_failed: Expected a decimal'] } },
      ],
      [[anEvent(), known], { 1: { transaction_id: ['value_already_exist'] } }],
    ];
    for (const [events, details] of cases) {
      const answer = await sendBatch(events);
      expect(answer).toMatchObject({ status: 422 });
      expect(answer.body.error_details).toEqual(details);
    }
    const twice = anEvent();
    const again = await sendBatch([twice, anEvent(), { ...twice, code: 'other' }]);
    const taken = { transaction_id: ['value_already_exist'] };
    expect(again.body.error_details).toEqual({ 2: taken });
    const both = await sendBatch([twice, known, { ...twice, code: 'other' }, { ...known, code: 'other' }]);
    expect(both.body.error_details).toEqual({ 1: taken, 2: taken, 3: taken });
    expect(await stored()).toBe(before);
  });

  test('with more units than a fee can have are refused by place, where a metric reads the number', async () => {
    const most = '9'.repeat(35);
    const out = { properties: ['value_is_out_of_range'] };
    const events = ['9'.repeat(400), `-1${'0'.repeat(35)}`, most, `${most}.5`].map((total) =>
      anEvent({ properties: { total } }),
    );
    const { status, body } = await sendBatch(events);
    expect([status, body.error_details]).toEqual([422, { 0: out, 1: out }]);
    const alone = await gateway.rest('POST', '/events', undefined, {
      raw: `{"event":{"transaction_id":"long","code":"plain","properties":{"total":${'9'.repeat(36)}}}}`,
    });
    expect([alone.status, alone.body.error_details]).toEqual([422, out]);
    const computed = await send({ code: 'computed', properties: { a: '9'.repeat(40), b: 1 } });
    expect([computed.status, computed.body.error_details]).toEqual([422, out]);
    const others = [{ total: most }, { note: '9'.repeat(400) }, { total: 'x'.repeat(400) }];
    for (const properties of others) expect((await send({ properties })).status).toBe(200);
    expect((await send({ code: 'unknown', properties: { total: '9'.repeat(400) } })).status).toBe(200);
  });

  test('may name two subscriptions in one transaction', async () => {
    const event = anEvent();
    expect((await sendBatch([event, { ...event, external_subscription_id: 'other' }])).status).toBe(200);
  });

  test('is whole where others send a part of it at the same moment', async () => {
    const shared = Array.from({ length: 10 }, () => anEvent());
    const batches = shared.map((event, place) => [anEvent(), event, shared[(place + 1) % shared.length]]);
    const before = await stored();
    const answers = await Promise.all(batches.map(sendBatch));
    const done = answers.filter(({ status }) => status === 200).length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(10);
    expect(await stored()).toBe(before + 3 * done);
  });
});

describe('events are listed', () => {
  const list = (query: string) => gateway.rest('GET', `/events?${query}`);
  const idsOf = ({ body }: { body: { events: { transaction_id: string }[] } }) =>
    body.events.map(({ transaction_id: id }) => id).sort();

  beforeAll(async () => {
    const at = (timestamp: number, id: string, code = 'listed') =>
      anEvent({ transaction_id: id, external_subscription_id: 'listed', code, timestamp });
    await sendBatch([at(1_000_000_000, 'l1'), at(1_000_000_010, 'l2', 'other'), at(1_000_000_020.5, 'l3')]);
  });

  test('by code, subscription and time, both ends included', async () => {
    expect(idsOf(await list('external_subscription_id=listed'))).toEqual(['l1', 'l2', 'l3']);
    expect(idsOf(await list('external_subscription_id=listed&code=other'))).toEqual(['l2']);
    const from = 'external_subscription_id=listed&timestamp_from=2001-09-09T01:46:50Z';
    expect(idsOf(await list(from))).toEqual(['l2', 'l3']);
    expect(idsOf(await list(`${from}&timestamp_to=2001-09-09T01:46:50Z`))).toEqual(['l2']);
    expect(idsOf(await list('external_subscription_id=listed&timestamp_to=2001-09-09'))).toEqual([]);
  });

  test('the latest first, those of one moment by their transaction identifiers, whenever they came', async () => {
    const at = (timestamp: number, id: string, subscription = 'order') =>
      anEvent({ transaction_id: id, external_subscription_id: subscription, timestamp });
    await sendBatch([at(1_000_000_000, 'b'), at(1_000_000_020, 'a'), at(1_000_000_000, 'c'), at(1_003_000_000, 'z')]);
    await sendBatch([at(1_000_000_000, 'a2'), at(1_000_000_000, 'b2'), at(1_000_000_010, 'd')]);
    const all = ['z', 'a', 'd', 'a2', 'b', 'b2', 'c'];
    const pages: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { body } = await list(`external_subscription_id=order&per_page=2&page=${page}`);
      expect(body.meta).toMatchObject({ total_count: 7, total_pages: 4 });
      pages.push(...body.events.map(({ transaction_id: id }: { transaction_id: string }) => id));
    }
    expect(pages).toEqual(all);

    const query = `query ($first: Int, $after: String, $last: Int, $before: String, $direction: OrderDirection) {
      events(first: $first, after: $after, last: $last, before: $before, externalSubscriptionId: "order",
        orderBy: { field: timestamp, direction: $direction }) {
        pageInfo { startCursor endCursor hasNextPage hasPreviousPage } nodes { transactionId } } }`;
    const walk = async (direction: string, backward: boolean) => {
      const seen: string[] = [];
      for (let cursor: string | null = null, more = true; more; ) {
        const place = backward ? { last: 2, before: cursor } : { first: 2, after: cursor };
        const { data, errors } = await gateway.graphql(query, { ...place, direction });
        expect(errors).toBeUndefined();
        const { pageInfo, nodes } = data.events;
        const ids = nodes.map(({ transactionId }: { transactionId: string }) => transactionId);
        if (backward) seen.unshift(...ids);
        else seen.push(...ids);
        cursor = backward ? pageInfo.startCursor : pageInfo.endCursor;
        more = backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
      }
      return seen;
    };
    const rising = ['a2', 'b', 'b2', 'c', 'd', 'a', 'z'];
    for (const backward of [false, true]) {
      expect(await walk('desc', backward)).toEqual(all);
      expect(await walk('asc', backward)).toEqual(rising);
    }
    await gateway.db.prisma.event.deleteMany({ where: { externalSubscriptionId: 'order' } });
  });

  test('by an index of each month, without a look at the others of the month', async () => {
    const { prisma } = gateway.db;
    const { id } = await prisma.organization.findFirstOrThrow();
    await keepMonths(gateway.db, ['2025-12-01', '2026-01-01']);
    const plan = await prisma.$transaction(async (tx) => {
      await tx.$executeRawUnsafe('SET LOCAL enable_seqscan = off');
      return tx.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN SELECT * FROM events
        WHERE organization_id = '${id}' AND deleted_at IS NULL
        ORDER BY "timestamp" DESC, transaction_id, id LIMIT 101`);
    });
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toContain('Presorted Key: ');
    expect(text.match(/Index Scan Backward using \w*timestamp_id_idx/g)?.length).toBeGreaterThan(2);
    expect(text).not.toMatch(/-> {2}Sort {2}/);
  });

  test('by pages', async () => {
    const { body } = await list('external_subscription_id=listed&per_page=2&page=2');
    expect(body.events).toHaveLength(1);
    expect(body.meta).toEqual({ current_page: 2, next_page: null, prev_page: 1, total_count: 3, total_pages: 2 });
  });

  test('since the start of what runs', async () => {
    const { prisma } = gateway.db;
    const { id: organizationId } = await prisma.organization.findFirstOrThrow();
    const since = 'external_subscription_id=listed&timestamp_from_started_at=true';
    expect(idsOf(await list(since))).toEqual([]);
    const entity = await prisma.billingEntity.create({ data: { organizationId, code: 'e', name: 'E' } });
    const customer = await prisma.customer.create({
      data: { organizationId, externalId: 'c', billingEntityId: entity.id, sequentialId: 1, slug: 'C-1' },
    });
    const plan = await prisma.plan.create({
      data: { organizationId, code: 'p', name: 'P', interval: 'monthly', amountCents: 1n, amountCurrency: 'EUR' },
    });
    const startedAt = new Date('2001-09-09T01:46:50Z');
    await prisma.subscription.create({
      data: {
        ...{ organizationId, externalId: 'listed', customerId: customer.id, planId: plan.id, status: 'active' },
        ...{ startedAt, subscriptionAt: startedAt },
      },
    });
    expect(idsOf(await list(since))).toEqual(['l2', 'l3']);
    expect(idsOf(await list(since.replace('true', 'false')))).toEqual(['l1', 'l2', 'l3']);
  });

  test.each([
    [
      'timestamp_from=soon&timestamp_to=2001-02-30',
      { timestamp_from: ['invalid_date'], timestamp_to: ['invalid_date'] },
    ],
    ['timestamp_from_started_at=perhaps', { timestamp_from_started_at: ['value_is_invalid'] }],
    ['timestamp_from_started_at=true', { external_subscription_id: ['value_is_mandatory'] }],
    [
      'timestamp_from_started_at=true&external_subscription_id=listed&timestamp_from=2001-01-01',
      { timestamp_from: ['not_compatible_with_start'] },
    ],
  ])('not by %s', async (query, details) => {
    expect(await list(query)).toMatchObject(refused(details));
  });
});

describe('whoever asks', () => {
  test('finds an event by any text but one with a slash', async () => {
    const id = 'a b?c#d%e&é"';
    await send({ transaction_id: id });
    const { body } = await gateway.rest('GET', `/events/${encodeURIComponent(id)}`);
    expect(body.event.transaction_id).toBe(id);
    expect(await gateway.rest('GET', '/events/nobody')).toMatchObject({ status: 404 });
  });

  test('finds the first received where subscriptions use one identifier', async () => {
    const event = anEvent({ external_subscription_id: 'first' });
    await sendBatch([event, { ...event, external_subscription_id: 'second' }]);
    const { body } = await gateway.rest('GET', `/events/${event.transaction_id}`);
    expect(body.event.external_subscription_id).toBe('first');
  });

  test('needs a key that may', async () => {
    expect(await gateway.rest('POST', '/events', { event: anEvent() }, { key: null })).toMatchObject({ status: 401 });
    const reader = await gateway.makeKey({ permissions: { event: ['read'] } });
    const writer = await gateway.makeKey({ permissions: { event: ['write'] } });
    const event = anEvent();
    for (const path of ['/events', '/events/batch']) {
      const body = path === '/events' ? { event } : { events: [event] };
      expect(await gateway.rest('POST', path, body, { key: reader })).toMatchObject({ status: 403 });
    }
    expect(await gateway.rest('POST', '/events', { event }, { key: writer })).toMatchObject({ status: 200 });
    for (const path of ['/events', `/events/${event.transaction_id}`]) {
      expect(await gateway.rest('GET', path, undefined, { key: writer })).toMatchObject({ status: 403 });
      expect(await gateway.rest('GET', path, undefined, { key: reader })).toMatchObject({ status: 200 });
    }
  });

  test('of another organization sees and meets none of them', async () => {
    const { id } = await gateway.db.prisma.organization.create({ data: { name: 'Other' } });
    const key = await gateway.makeKey({ organizationId: id });
    const event = anEvent();
    await gateway.rest('POST', '/events', { event });
    expect(await gateway.rest('GET', `/events/${event.transaction_id}`, undefined, { key })).toMatchObject({
      status: 404,
    });
    expect((await gateway.rest('GET', '/events', undefined, { key })).body.events).toEqual([]);
    expect(await gateway.rest('POST', '/events', { event }, { key })).toMatchObject({ status: 200 });
    const computed = { ...anEvent(), code: 'computed', properties: { a: 1, b: 2 } };
    const { body } = await gateway.rest('POST', '/events', { event: computed }, { key });
    expect(body.event.properties).toEqual({ a: 1, b: 2 });
  });
});

describe('the graph', () => {
  const RECORD = `mutation ($events: [RecordEventInput!]!, $dryRun: Boolean) {
    recordEvents(events: $events, dryRun: $dryRun) { id transactionId preciseTimestamp timestamp properties }
  }`;
  const input = (members: object = {}) => {
    const { transaction_id: transactionId, code, external_subscription_id: externalSubscriptionId } = anEvent();
    return { transactionId, code, externalSubscriptionId, ...members };
  };

  test('records events', async () => {
    const events = [
      input({ timestamp: '2026-02-03T04:05:06.789+01:00', properties: { a: 1, deep: { list: [1, null, true] } } }),
      input(),
    ];
    const { data, errors } = await gateway.graphql(RECORD, { events });
    expect(errors).toBeUndefined();
    expect(data.recordEvents).toEqual([
      {
        id: expect.any(String),
        transactionId: events[0]?.transactionId,
        preciseTimestamp: '2026-02-03T03:05:06.789Z',
        timestamp: '2026-02-03T03:05:06Z',
        properties: { a: 1, deep: { list: [1, null, true] } },
      },
      expect.objectContaining({ preciseTimestamp: NOW.toISOString() }),
    ]);
    const [{ id }] = data.recordEvents;
    const node = await gateway.graphql('query ($id: ID!) { node(id: $id) { ... on Event { transactionId } } }', { id });
    expect(node.data.node.transactionId).toBe(events[0]?.transactionId);
  });

  test('tells what is wrong by its place in the input', async () => {
    const events = [input(), input({ code: ' ' })];
    const { errors } = await gateway.graphql(RECORD, { events });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'validation_errors',
      errorDetails: { '1.code': ['value_is_mandatory'] },
      errors: [{ path: ['events', 1, 'code'], code: 'value_is_mandatory' }],
    });
  });

  test('names the event and the member of it that holds what no database stores', async () => {
    const cases: [object, string][] = [
      [input({ properties: { code: 'a\0' } }), '1.properties'],
      [input({ code: 'a\0' }), '1.code'],
    ];
    for (const [event, field] of cases) {
      const { errors } = await gateway.graphql(RECORD, { events: [input(), event] });
      expect(errors?.[0]?.extensions?.errorDetails).toEqual({ [field]: ['value_is_invalid'] });
    }
    const one = 'mutation ($event: RecordEventInput!) { recordEvent(input: $event) { id } }';
    const { errors } = await gateway.graphql(one, { event: input({ properties: { a: { b: '\0' } } }) });
    expect(errors?.[0]?.extensions?.errorDetails).toEqual({ properties: ['value_is_invalid'] });
  });

  test('tries events and stores none', async () => {
    const events = [input(), input()];
    const before = await stored();
    const dry = await gateway.graphql(RECORD, { events, dryRun: true });
    expect(dry.errors).toBeUndefined();
    expect(dry.data.recordEvents).toHaveLength(2);
    expect(await stored()).toBe(before);
    expect((await gateway.graphql(RECORD, { events })).errors).toBeUndefined();
    const again = await gateway.graphql(RECORD, { events, dryRun: true });
    expect(again.errors?.[0]?.extensions?.errorDetails).toEqual({
      '0.transaction_id': ['value_already_exist'],
      '1.transaction_id': ['value_already_exist'],
    });
  });
});

test('a batch tells all that is wrong with any of its events: form, members and what a metric cannot compute', async () => {
  const metric = { code: 'ratio', name: 'Ratio', aggregation_type: 'sum_agg', field_name: 'total' };
  const made = await gateway.rest('POST', '/billable_metrics', {
    billable_metric: { ...metric, expression: 'event.properties.a / event.properties.b' },
  });
  expect([made.status, made.body.error_details]).toEqual([200, undefined]);
  const event = (members: object) => ({ transaction_id: 'all', code: 'ratio', properties: {}, ...members });
  const send = async (...events: object[]) =>
    (await gateway.rest('POST', '/events/batch', { events })).body.error_details;
  expect(
    await send(event({ timestamp: 'x' }), event({ transaction_id: '' }), event({ timestamp: 'y', code: ' ' })),
  ).toEqual({
    0: { timestamp: ['invalid_format'] },
    1: { transaction_id: ['value_is_mandatory'] },
    2: { timestamp: ['invalid_format'], code: ['value_is_mandatory'] },
  });
  expect(await send(event({}), event({ transaction_id: '' }))).toEqual({
    0: { expression: [expect.stringMatching(/^expression_evaluation_failed/)] },
    1: {
      transaction_id: ['value_is_mandatory'],
      expression: [expect.stringMatching(/^expression_evaluation_failed/)],
    },
  });
  expect(await send(event({ transaction_id: '', code: '' }))).toEqual({
    0: { transaction_id: ['value_is_mandatory'], code: ['value_is_mandatory'] },
  });
});
