import { afterAll, beforeAll, expect, test } from 'vitest';
import { countStatements, createTestApp, type TestApp } from '../../support.ts';

let now = new Date('2026-06-15T10:07:30.250Z');
const MINUTE = 60_000;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createTestApp({ now: () => now });
  const metric = { organizationId: gateway.organizationId, name: 'Total', aggregationType: 'sum_agg' } as const;
  await gateway.db.prisma.billableMetric.create({
    data: { ...metric, code: 'computed', fieldName: 'total', expression: 'event.properties.a * 2' },
  });
});
afterAll(() => gateway?.close());

let count = 0;
const anEvent = (members: object = {}) => {
  count += 1;
  return {
    ...{ transaction_id: `event-${count}`, code: 'calls', external_subscription_id: 'sub' },
    ...{ timestamp: 1_767_225_600, properties: { n: 1, a: '1' }, ...members },
  };
};

const send = (event: object) => gateway.rest('POST', '/events', { event });
const sendBatch = (events: unknown) => gateway.rest('POST', '/events/batch', { events });

const LIST = `query ($filter: EventRefusalFilter) {
  eventRefusals(filter: $filter, first: 100) { totalCount nodes {
    fate transactionId externalSubscriptionId code timestamp reasons { member code } body digest createdAt svcEventId event { transactionId } } } }`;

async function refusals(filter: object = {}) {
  const { data, errors } = await gateway.graphql(LIST, { filter });
  expect(errors).toBeUndefined();
  return data.eventRefusals.nodes;
}
const refusalsOf = (...ids: unknown[]) => refusals({ transactionId: ids });

/** How many events have each fate. */
async function counts(key?: string): Promise<Record<string, number>> {
  const query = '{ eventFates { sent counts { fate count } } }';
  const { data, errors } = await gateway.graphql(query, {}, key);
  expect(errors).toBeUndefined();
  const listed = data.eventFates.counts.map((one: { fate: string; count: string }) => [one.fate, Number(one.count)]);
  const sum = listed.reduce((total: number, [, own]: [string, number]) => total + own, 0);
  expect(Number(data.eventFates.sent)).toBe(sum);
  return Object.fromEntries(listed);
}

async function grownBy(run: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await counts();
  await run();
  const after = await counts();
  const grown = Object.entries(after).map(([fate, number]) => [fate, number - (before[fate] ?? 0)]);
  return Object.fromEntries(grown.filter(([, number]) => number !== 0));
}

test('the same event again is a duplicate, however it is written', async () => {
  const event = anEvent({ precise_total_amount_cents: '1.50' });
  await send(event);
  const written = { n: '1', a: '1' };
  const same = [
    event,
    { ...event, timestamp: '1767225600.0001', precise_total_amount_cents: '1.5' },
    { ...event, properties: { a: '1', n: 1 } },
  ];
  for (const again of same) expect((await send(again)).status).toBe(422);
  const raw = JSON.stringify({ event }).replace('"n":1,', '"n":1.0,');
  expect((await gateway.rest('POST', '/events', undefined, { raw })).status).toBe(422);
  const listed = await refusalsOf(event.transaction_id);
  expect(listed).toHaveLength(4);
  for (const one of listed) {
    const reasons = [{ member: 'transaction_id', code: 'value_already_exist' }];
    expect(one).toMatchObject({ fate: 'duplicate', reasons, event: { transactionId: event.transaction_id } });
  }
  // A text is no number: properties are of any shape.
  await send({ ...event, properties: written });
  expect((await refusalsOf(event.transaction_id)).map(({ fate }: { fate: string }) => fate).sort()).toEqual([
    'conflict',
    ...['duplicate', 'duplicate', 'duplicate', 'duplicate'],
  ]);
});

test.each([
  [{ code: 'other' }, ['code']],
  [{ timestamp: 1_767_225_601 }, ['timestamp']],
  [{ timestamp: undefined }, ['timestamp']],
  [{ properties: { n: 2 } }, ['properties']],
  [{ precise_total_amount_cents: '1' }, ['precise_total_amount_cents']],
  [{ code: 'x', properties: {} }, ['code', 'properties']],
])(
  'another event of the same names (%j) is a conflict that says where, and changes nothing',
  async (members, names) => {
    const event = anEvent();
    const stored = await send(event);
    const answer = await send({ ...event, ...members });
    expect(answer.body.error_details).toEqual({ transaction_id: ['value_already_exist'] });
    expect((await gateway.rest('GET', `/events/${event.transaction_id}`)).body).toEqual(stored.body);
    const [one] = await refusalsOf(event.transaction_id);
    const reasons = names.map((member) => ({ member, code: 'value_differs' }));
    expect(one).toMatchObject({ fate: 'conflict', reasons, svcEventId: stored.body.event.svc_id });
  },
);

test('an event without a time is the same as one that had none; what a metric computes is not the sender’s', async () => {
  const untimed = anEvent({ timestamp: undefined });
  await send(untimed);
  now = new Date(now.getTime() + MINUTE);
  await send(untimed);
  const computed = anEvent({ code: 'computed', properties: { a: 1 } });
  await send(computed);
  await gateway.db.prisma.billableMetric.updateMany({ data: { expression: 'event.properties.a * 3' } });
  await send(computed);
  await send({ ...computed, properties: { a: 2 } });
  expect((await refusalsOf(untimed.transaction_id))[0].fate).toBe('duplicate');
  const fates = (await refusalsOf(computed.transaction_id)).map(({ fate }: { fate: string }) => fate);
  expect(fates.sort()).toEqual(['conflict', 'duplicate']);
});

test('with an event of a detached month only the time is compared, and that is said', async () => {
  const { transaction_id: id, timestamp, ...event } = anEvent();
  await gateway.db.prisma.$executeRaw`
    INSERT INTO event_keys (organization_id, transaction_id, external_subscription_id, event_id, "timestamp")
    VALUES (${gateway.organizationId}::uuid, ${id}, 'sub', gen_random_uuid(), to_timestamp(${timestamp}::float8))`;
  await send({ ...event, transaction_id: id, timestamp });
  await send({ ...event, transaction_id: id, timestamp: timestamp + 1 });
  const told = (await refusalsOf(id)).map((one: { fate: string; reasons: { code: string }[]; event: unknown }) => [
    one.fate,
    ...one.reasons.map(({ code }) => code),
    one.event,
  ]);
  expect(told.sort()).toEqual([
    ['conflict', 'value_differs', null],
    ['duplicate', 'value_already_exist', 'not_compared', null],
  ]);
});

test('the graph says of a conflict that the name is another event’s', async () => {
  const recordEvent = 'mutation ($input: RecordEventInput!) { recordEvent(input: $input) { transactionId } }';
  const input = { transactionId: 'graph', code: 'calls', timestamp: '2026-01-01T00:00:00Z' };
  expect((await gateway.graphql(recordEvent, { input })).errors).toBeUndefined();
  const messageOf = async (members: object) => {
    const { errors } = await gateway.graphql(recordEvent, { input: { ...input, ...members } });
    return errors?.[0]?.extensions?.errors;
  };
  const known = { path: ['input', 'transactionId'], code: 'value_already_exist' };
  expect(await messageOf({})).toEqual([{ ...known, message: expect.not.stringContaining('another event') }]);
  expect(await messageOf({ code: 'x' })).toEqual([{ ...known, message: expect.stringContaining('another event') }]);
});

test('an event of a batch that cannot be computed is told by its place', async () => {
  const recordEvents = 'mutation ($events: [RecordEventInput!]!) { recordEvents(events: $events) { transactionId } }';
  const events = ['calls', 'computed'].map((code) => ({ transactionId: `placed-${code}`, code }));
  const { errors } = await gateway.graphql(recordEvents, { events });
  expect(errors?.[0]?.extensions?.errors).toMatchObject([
    { path: ['events', 1], code: 'expression_evaluation_failed: Variable: a not found' },
  ]);
});

test('what is wrong is kept with its reasons, also where it was refused before anything was executed', async () => {
  const wrong: [object, object[]][] = [
    [{ timestamp: 'soon' }, [{ member: 'timestamp', code: 'invalid_format' }]],
    [{ code: ' ' }, [{ member: 'code', code: 'value_is_mandatory' }]],
    [{ code: 'x'.repeat(300) }, [{ member: 'code', code: 'value_is_too_long' }]],
    [{ properties: { text: 'a\0b' } }, [{ member: 'properties', code: 'value_is_invalid' }]],
    [{ properties: { text: '\ud800' } }, [{ member: 'properties', code: 'value_is_invalid' }]],
    [{ precise_total_amount_cents: 'ten' }, [{ member: 'precise_total_amount_cents', code: 'value_is_invalid' }]],
    [
      { code: 'computed', properties: {} },
      [{ member: 'expression', code: 'expression_evaluation_failed: Variable: a not found' }],
    ],
  ];
  for (const [members, reasons] of wrong) {
    const event = anEvent(members);
    const grown = await grownBy(async () => expect((await send(event)).status).toBe(422));
    expect(grown).toEqual({ rejected: 1 });
    const [one] = await refusalsOf(event.transaction_id);
    expect(one).toMatchObject({ fate: 'rejected', reasons, externalSubscriptionId: 'sub', event: null });
    expect(one.digest).toMatch(/^[0-9a-f]{64}$/);
  }
  const nameless = await grownBy(() => send({ transaction_id: {}, code: ['x'], timestamp: 1e300, properties: [1] }));
  expect(nameless).toEqual({ rejected: 1 });
  const [{ body, ...one }] = await refusals({ transactionId: [''] });
  expect(one).toMatchObject({ transactionId: '', code: '', timestamp: null });
  expect(body).toMatchObject({ code: ['x'], properties: [1] });
  const long = anEvent({ timestamp: 'x', properties: { text: 'y'.repeat(2000) } });
  await send(long);
  expect((await refusalsOf(long.transaction_id))[0].body).toBeNull();
});

test('of a batch every event has a fate', async () => {
  const stored = anEvent();
  await send(stored);
  const cases: [unknown[], object][] = [
    [[anEvent(), anEvent()], { unmatched: 2 }],
    [[anEvent(), stored, anEvent()], { rejected: 2, duplicate: 1 }],
    [[anEvent(), { ...stored, code: 'x' }], { rejected: 1, conflict: 1 }],
    [[anEvent(), anEvent({ timestamp: 'x' }), '\0'], { rejected: 3 }],
    [[anEvent(), 1], { rejected: 2 }],
    [Array.from({ length: 101 }, () => anEvent()), { rejected: 101 }],
    [[], {}],
  ];
  for (const [events, grown] of cases) expect(await grownBy(() => sendBatch(events))).toEqual(grown);
  const [twice, alone] = [anEvent(), anEvent()];
  const again = [twice, alone, twice, { ...twice, timestamp: 1 }];
  expect(await grownBy(() => sendBatch(again))).toEqual({ rejected: 2, duplicate: 1, conflict: 1 });
  const [one] = await refusalsOf(alone.transaction_id);
  expect(one).toMatchObject({ reasons: [{ member: 'events', code: 'another_was_refused' }], event: null });
  expect(await grownBy(() => gateway.rest('POST', '/events/batch', undefined, { raw: '{' }))).toEqual({});
});

test('one of two at a moment is stored, and the other has its fate', async () => {
  const [same, other] = [anEvent(), anEvent()];
  const sent = [...Array.from({ length: 20 }, () => same), other, { ...other, code: 'x' }];
  const grown = await grownBy(() => Promise.all(sent.map(send)));
  expect(grown).toEqual({ unmatched: 2, duplicate: 19, conflict: 1 });
});

test('a write that is tried only, or a request that nobody may make, has no fate', async () => {
  const event = anEvent();
  await send(event);
  const dry = `mutation { recordEvent(dryRun: true, input: { transactionId: "${event.transaction_id}", code: "calls",
    externalSubscriptionId: "sub" }) { transactionId } }`;
  const reader = await gateway.makeKey({ permissions: { event: ['read'] } });
  const grown = await grownBy(async () => {
    expect((await gateway.graphql(dry)).errors).toHaveLength(1);
    expect((await gateway.rest('POST', '/events', { event }, { key: reader })).status).toBe(403);
  });
  expect(grown).toEqual({});
  const named = await grownBy(() =>
    gateway.rest('POST', '/events', { event }, { headers: { 'Idempotency-Key': 'refused' } }),
  );
  expect(named).toEqual({ duplicate: 1 });
});

test('is counted by quarters of an hour, of which a thousand of a fate are kept for thirty days', async () => {
  const other = await gateway.db.prisma.organization.create({ data: { name: 'Full' } });
  const key = await gateway.makeKey({ organizationId: other.id });
  const batch = () => {
    const events = Array.from({ length: 100 }, () => anEvent({ timestamp: 'x' }));
    return gateway.rest('POST', '/events/batch', { events }, { key });
  };
  now = new Date('2026-07-01T12:14:59.999Z');
  for (let times = 0; times < 11; times += 1) await batch();
  now = new Date('2026-07-01T12:15:00Z');
  await batch();
  const kept = () => gateway.db.prisma.eventRefusal.count({ where: { organizationId: other.id } });
  expect(await kept()).toBe(1100);
  expect((await counts(key)).rejected).toBe(1200);
  const within = async (from: string, to: string) => {
    const query = `{ eventFates(from: "${from}", to: "${to}") { fromDatetime toDatetime sent } }`;
    return (await gateway.graphql(query, {}, key)).data.eventFates;
  };
  expect(await within('2026-07-01T12:03:00Z', '2026-07-01T12:14:00Z')).toEqual({
    ...{ fromDatetime: '2026-07-01T12:00:00Z', toDatetime: '2026-07-01T12:15:00Z', sent: '1100' },
  });
  expect((await within('2026-07-01T12:15:00Z', '2026-07-01T12:30:00Z')).sent).toBe('100');
  // The last quarter of all ends with the years that have names.
  expect(await within('0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z')).toEqual({
    ...{ fromDatetime: '0001-01-01T00:00:00Z', toDatetime: '9999-12-31T23:59:59Z', sent: '1200' },
  });
  now = new Date('2026-07-31T12:15:00.001Z');
  await batch();
  expect(await kept()).toBe(100);
  expect((await counts(key)).rejected).toBe(1300);
});

test('of another organization nothing is seen', async () => {
  const other = await gateway.db.prisma.organization.create({ data: { name: 'Other' } });
  const key = await gateway.makeKey({ organizationId: other.id });
  const event = anEvent();
  await send(event);
  expect((await gateway.rest('POST', '/events', { event }, { key })).status).toBe(200);
  await send({ ...event, code: 'x' });
  expect((await gateway.graphql('{ eventRefusals { totalCount } }', {}, key)).data.eventRefusals.totalCount).toBe(0);
  const { sent } = (await gateway.graphql('{ eventFates { sent } }', {}, key)).data.eventFates;
  expect(sent).toBe('1');
});

test('many that are refused at a moment take few statements, and their list takes no more', async () => {
  const events = Array.from({ length: 200 }, () => anEvent());
  await Promise.all(events.map(send));
  expect(await countStatements(gateway.db, () => Promise.all(events.map(send)))).toBeLessThan(60);
  const shown = (first: number) =>
    `{ eventRefusals(first: ${first}) { nodes { fate reasons { code } event { code fate } } } }`;
  const few = await countStatements(gateway.db, () => gateway.graphql(shown(2)));
  expect(await countStatements(gateway.db, () => gateway.graphql(shown(100)))).toBe(few);
});
