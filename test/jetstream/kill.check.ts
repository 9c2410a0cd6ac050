import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { openJetStream } from '../../src/store/jetstream/jetstream-events.ts';
import { openStream } from '../../src/store/jetstream/stream.ts';
import { type EventRow, eventRow } from '../../src/store/usage/event-row.ts';
import { createServerDatabase, dice } from '../support.ts';

const EVENTS = Number(process.env.EVENTS ?? 20_000);
const KILLS = Number(process.env.KILLS ?? 12);
const FROM = Date.parse('2026-06-01T00:00:00Z');

/** A database that several processes open one after the other. */
async function place() {
  if (process.env.DATABASE_URL) {
    const { url, drop } = await createServerDatabase();
    return { variables: { DATABASE_URL: url }, open: () => openDatabase({ url }), drop };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'jetstream-data-'));
  const drop = () => rm(dataDir, { recursive: true, force: true });
  return { variables: { DATA_DIR: dataDir }, open: () => openDatabase({ dataDir }), drop };
}

function rowOf(organizationId: string, at: number): EventRow {
  const names = { transactionId: `t${at}`, externalSubscriptionId: `s${at % 7}`, code: 'calls' };
  const event = { ...names, timestamp: new Date(FROM + at * 60_000), properties: { n: at } };
  return eventRow({ ...event, preciseTotalAmountCents: null }, organizationId, new Date());
}

async function organizationIn(db: Database): Promise<string> {
  const { id } = await db.prisma.organization.create({ data: { name: 'Quillo' } });
  await db.close();
  return id;
}

test('a consumer that is killed again and again loses nothing and doubles nothing', { timeout: 900_000 }, async () => {
  const { variables, open, drop } = await place();
  const organizationId = await organizationIn(await open());
  const address = `${process.env.NATS_SERVER}/K_${randomBytes(6).toString('hex')}`;
  const script = new URL('consumer.ts', import.meta.url).pathname;
  const consumer = () =>
    spawn(process.execPath, ['--import', 'tsx', script], {
      env: { ...process.env, DATABASE_URL: '', ...variables, EVENTS_BUFFER_URL: address },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const { buffer, close } = await openJetStream(address);
  const roll = dice(7);
  let acknowledged = 0;
  const send = async () => {
    for (let at = 0; at < EVENTS; ) {
      const size = Math.min(1 + roll(40), EVENTS - at);
      const rows = Array.from({ length: size }, (_, place) => rowOf(organizationId, at + place));
      expect(await buffer.add(rows)).toEqual([]);
      acknowledged += size;
      // One in ten is sent again, in other company: the stream takes it for another message.
      if (roll(10) === 0)
        await buffer.add(
          rows.slice(0, 1 + roll(size)).map((row) => rowOf(organizationId, Number(row.transactionId.slice(1)))),
        );
      at += size;
    }
  };
  const sent = send();
  let kills = 0;
  for (; kills < KILLS; kills += 1) {
    const child = consumer();
    await once(child.stdout, 'data');
    await wait(100 + roll(900));
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await sent;
  expect(acknowledged).toBe(EVENTS);
  const last = consumer();
  for (;;) {
    const { count } = await buffer.waiting();
    if (count === 0) break;
    await wait(200);
  }
  last.kill('SIGTERM');
  await once(last, 'exit');
  await close();
  const db = await open();
  const [found] = await db.prisma.$queryRaw<{ rows: bigint; names: bigint; sum: string }[]>`
    SELECT count(*) AS rows, count(DISTINCT transaction_id) AS names, sum((properties ->> 'n')::numeric)::text AS sum FROM events`;
  await db.close();
  await drop();
  const { manager, name, connection } = await openStream(address);
  const { delivered } = await manager.consumers.info(name, 'store');
  const { last_seq: messages } = (await manager.streams.info(name)).state;
  const aside = (await manager.streams.info(`${name}_REJECTED`)).state.messages;
  await manager.streams.delete(name);
  await manager.streams.delete(`${name}_REJECTED`);
  await connection.close();
  // Some were handed out again: a process was killed that had them.
  expect(delivered.consumer_seq).toBeGreaterThan(messages);
  expect({ ...found, aside, kills }).toEqual({
    ...{ rows: BigInt(EVENTS), names: BigInt(EVENTS), sum: String((EVENTS * (EVENTS - 1)) / 2) },
    ...{ aside: 0, kills: KILLS },
  });
});
