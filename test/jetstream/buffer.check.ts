import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type JetStreamEvents, openJetStream } from '../../src/store/jetstream/jetstream-events.ts';
import { openStream } from '../../src/store/jetstream/stream.ts';
import { receiveInto } from '../../src/store/usage/event-intake.ts';
import { createTestApp, type TestApp } from '../support.ts';

const addressOf = (more = '') => `${process.env.NATS_SERVER}/T_${randomBytes(6).toString('hex')}${more}`;

let gateway: TestApp;
let events: JetStreamEvents;
let address: string;
const rejected: unknown[] = [];

async function begin(more?: string): Promise<void> {
  address = addressOf(more);
  events = await openJetStream(address);
  receiveInto(gateway.db.prisma, events.buffer);
}
const store = () => events.store(gateway.db.prisma, (error) => rejected.push(error));

beforeEach(async () => {
  gateway = await createTestApp();
  rejected.length = 0;
  await begin();
});

async function dropStream(): Promise<void> {
  const { manager, name, connection } = await openStream(address);
  await manager.streams.delete(name);
  await manager.streams.delete(`${name}_REJECTED`);
  await connection.close();
}

afterEach(async () => {
  await events.close();
  await dropStream();
  await gateway.close();
});

const anEvent = (id: string, members: object = {}) => ({
  ...{ transaction_id: id, code: 'calls', external_subscription_id: 'sub', properties: { n: '1.50', long: 0.1 } },
  ...members,
});
const send = (id: string, members?: object) => gateway.rest('POST', '/events', { event: anEvent(id, members) });
const sendBatch = (list: object[]) => gateway.rest('POST', '/events/batch', { events: list });
const KNOWN = { transaction_id: ['value_already_exist'] };

async function untilStored(): Promise<void> {
  for (let times = 0; times < 300; times += 1) {
    if ((await events.buffer.waiting()).count === 0) return;
    await wait(50);
  }
  throw new Error('messages are left');
}

test('an event is answered once the server has it, and seen once it is stored', async () => {
  const { status, body } = await send('one');
  const answered = Date.now();
  expect(status).toBe(200);
  expect((await gateway.rest('GET', '/events/one')).status).toBe(404);
  expect((await events.buffer.waiting()).count).toBe(1);
  const until = async () => Date.parse((await gateway.graphql('{ usageCompleteUntil }')).data.usageCompleteUntil);
  expect(await until()).toBeLessThanOrEqual(answered);
  store();
  await untilStored();
  expect((await gateway.rest('GET', '/events/one')).body).toEqual(body);
  const before = Date.now();
  expect(await until()).toBeGreaterThanOrEqual(before);
});

test('the same again is known in the window, and once it is stored for ever', async () => {
  expect((await send('one')).status).toBe(200);
  expect((await send('one')).body.error_details).toEqual(KNOWN);
  const batch = [anEvent('two'), anEvent('three')];
  expect((await sendBatch(batch)).status).toBe(200);
  expect((await sendBatch(batch)).body.error_details).toEqual({ 0: KNOWN, 1: KNOWN });
  // Another message with a known event is taken; where events are stored it is found, and its fate tells so.
  expect((await sendBatch([anEvent('one', { properties: { n: 2 } }), anEvent('four')])).status).toBe(200);
  store();
  await untilStored();
  const listed = await gateway.rest('GET', '/events');
  expect(listed.body.events.map((one: { transaction_id: string }) => one.transaction_id).sort()).toEqual([
    'four',
    'one',
    'three',
    'two',
  ]);
  expect((await gateway.rest('GET', '/events/one')).body.event.properties).toEqual({ n: '1.50', long: 0.1 });
  const refusals = await gateway.db.prisma.eventRefusal.findMany({ where: { transactionId: 'one' } });
  expect(refusals.map(({ fate }) => fate).sort()).toEqual(['conflict', 'duplicate']);
});

test('what is wrong is refused before the buffer', async () => {
  expect((await send('', {})).status).toBe(422);
  expect((await sendBatch([anEvent('a'), anEvent('b', { timestamp: 1e12 })])).status).toBe(422);
  expect((await sendBatch([anEvent('a'), anEvent('a')])).status).toBe(422);
  expect((await events.buffer.waiting()).count).toBe(0);
});

test('a full stream answers 429, until there is room', async () => {
  await events.close();
  await dropStream();
  await begin('?max_messages=2');
  const statuses = [(await send('a')).status, (await send('b')).status, (await send('c')).status];
  expect(statuses).toEqual([200, 200, 429]);
  store();
  await untilStored();
  expect((await send('c')).status).toBe(200);
  await untilStored();
});

test('a message that cannot be stored is put aside and keeps no other waiting', { timeout: 120_000 }, async () => {
  const { client, manager, name, connection, subjectOf } = await openStream(address);
  await client.publish(subjectOf('nobody'), 'no event');
  const row = {
    ...{ id: '018f0000-0000-7000-8000-000000000001', organization: '018f0000-0000-7000-8000-0000000000ff' },
    ...{ subscription: 's', code: 'c', transaction: 't', at: 0, received: 0, amount: null, properties: '{}' },
  };
  await client.publish(subjectOf('gone'), JSON.stringify([row]));
  expect((await send('good')).status).toBe(200);
  store();
  for (let times = 0; times < 100 && (await gateway.rest('GET', '/events/good')).status !== 200; times += 1)
    await wait(50);
  expect((await gateway.rest('GET', '/events/good')).status).toBe(200);
  await untilStored();
  expect(rejected).toHaveLength(2);
  expect((await manager.streams.info(`${name}_REJECTED`)).state.messages).toBe(2);
  await connection.close();
});

test('a request with a name is answered again by its first answer', async () => {
  const named = () =>
    gateway.rest('POST', '/events', { event: anEvent('named') }, { headers: { 'Idempotency-Key': 'a name' } });
  const first = await named();
  expect(first.status).toBe(200);
  expect((await named()).body).toEqual(first.body);
  store();
  await untilStored();
  expect(await gateway.db.prisma.event.count()).toBe(1);
});
