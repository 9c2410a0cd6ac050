/**
 * How many usage events a second are stored, each answered when it is committed, beside INSERTs by bare `pg` on the same database:
 * `DATABASE_URL=postgresql://... npm run bench -- events --seconds 4 --rounds 3`.
 * The peers send the same rows to a table of the same indexes: one INSERT an event over a pool of ten, also behind a server that does nothing
 * else, and 1000 rows an INSERT. A server that only answers says what HTTP leaves of a second.
 */
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createKey } from '../../src/store/access/api-key.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { newId } from '../../src/store/database/uuid.ts';
import { startPeer } from './gateway/peer.ts';
import { postgresCpu } from './gateway/postgres-cpu.ts';
import { type Server, startServer } from './gateway/server.ts';

const OPTIONS = { seconds: { type: 'string', default: '4' }, rounds: { type: 'string', default: '3' } } as const;

/** Sends once and waits until what was sent is committed; says how many events it was. */
type Send = (caller: number) => Promise<number>;

interface Way {
  readonly name: string;
  readonly callers: number;
  readonly send: Send;
  /** Seconds of CPU that who stores has used: the gateway, or this process, which makes the rows too. */
  readonly cpu: () => number;
}

interface Figure {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU an event, of who stores and of PostgreSQL. */
  readonly own: number;
  readonly postgres: number;
}

let sent = 0;
const anEvent = () => {
  sent += 1;
  const [transaction, subscription] = [`t-${process.pid}-${sent}`, `sub-${sent % 5000}`];
  const names = { transaction_id: transaction, external_subscription_id: subscription, code: `metric-${sent % 5}` };
  return { ...names, timestamp: Date.now() / 1000 - (sent % 86_400), properties: { count: sent % 100, region: 'eu' } };
};

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function measure(
  { callers, send, cpu }: Way,
  seconds: number,
  postgres: ReturnType<typeof postgresCpu>,
): Promise<Figure> {
  // Connections that have been closed since the last round are open again.
  await Promise.all(Array.from({ length: callers }, (_, caller) => send(caller)));
  const latencies: number[] = [];
  let events = 0;
  postgres.begin();
  const used = cpu();
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const call = async (caller: number) => {
    while (performance.now() < end) {
      const from = performance.now();
      const stored = await send(caller);
      events += stored;
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  const sorted = latencies.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const each = (cpuSeconds: number) => (cpuSeconds / events) * 1e6;
  return {
    ...{ rate: events / ((performance.now() - begin) / 1000), p50: at(0.5), p99: at(0.99) },
    ...{ own: each(cpu() - used), postgres: each(postgres.spent()) },
  };
}

/** Posts over connections that stay open. */
function poster(url: string, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return (path: string, body: unknown) =>
    new Promise<void>((resolve, reject) => {
      const sending = request(`${url}${path}`, { method: 'POST', agent, headers }, (response) => {
        response.resume().once('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`${path} answered ${response.statusCode}`));
        });
      });
      sending.once('error', reject).end(JSON.stringify(body));
    });
}

const COLUMNS =
  'id, organization_id, transaction_id, external_subscription_id, code, "timestamp", properties, created_at';
const ONE = `INSERT INTO events (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, to_timestamp($6), $7, now())`;
const MANY = `INSERT INTO events (${COLUMNS}) SELECT id, $1::uuid, transaction_id, external_subscription_id, code,
  to_timestamp("timestamp"), properties, now() FROM json_to_recordset($2::text::json) AS given (id uuid,
  transaction_id text, external_subscription_id text, code text, "timestamp" float8, properties jsonb)`;

const ownCpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

interface Servers {
  readonly gateway: Server;
  readonly inserting: Server;
  readonly answering: Server;
}

function ways(
  { gateway: server, inserting, answering }: Servers,
  key: string,
  pool: pg.Pool,
  organizationId: string,
): Way[] {
  const post = poster(server.url, key);
  const cpu = () => server.cpuSeconds();
  const bare = (name: string, peer: Server): Way => {
    const postBare = poster(peer.url, key);
    const send: Send = async () => {
      await postBare('/', { event: anEvent() });
      return 1;
    };
    return { name, callers: 200, send, cpu: () => peer.cpuSeconds() };
  };
  const gateway: Send = async () => {
    await post('/api/v1/events', { event: anEvent() });
    return 1;
  };
  const batch: Send = async () => {
    await post('/api/v1/events/batch', { events: Array.from({ length: 100 }, anEvent) });
    return 100;
  };
  const insert: Send = async () => {
    const event = anEvent();
    const names = [event.transaction_id, event.external_subscription_id, event.code];
    await pool.query({
      name: 'one',
      text: ONE,
      values: [newId(new Date()), organizationId, ...names, event.timestamp, event.properties],
    });
    return 1;
  };
  const insertMany: Send = async () => {
    const rows = Array.from({ length: 1000 }, () => ({ id: newId(new Date()), ...anEvent() }));
    await pool.query({ name: 'many', text: MANY, values: [organizationId, JSON.stringify(rows)] });
    return 1000;
  };
  return [
    ...[1, 20, 200].flatMap((callers) => [
      { name: 'POST /events', callers, send: gateway, cpu },
      { name: 'one INSERT an event, bare pg', callers, send: insert, cpu: ownCpu },
    ]),
    bare('one INSERT an event, bare node:http', inserting),
    bare('nothing stored, bare node:http', answering),
    { name: 'POST /events/batch of 100', callers: 8, send: batch, cpu },
    { name: '1000 rows an INSERT, bare pg', callers: 2, send: insertMany, cpu: ownCpu },
  ];
}

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const server = new URL(process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres');
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  const name = `bench_events_${randomBytes(4).toString('hex')}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = name;
  const db = await openDatabase({ url: url.href });
  const { id: organizationId } = await db.prisma.organization.create({ data: { name: 'Bench' } });
  const { key } = await createKey(db.prisma, { organizationId, kind: 'secret' });
  await db.close();
  const gateway = await startPeer(process.execPath, 'gateway', { url: url.href, organizationId });
  const peer = [new URL('peers/events.mjs', import.meta.url).pathname];
  const connected = { DATABASE_URL: url.href, ORGANIZATION: organizationId };
  const inserting = await startServer(process.execPath, peer, { ...connected, INSERT: ONE });
  const answering = await startServer(process.execPath, peer, connected);
  const pool = new pg.Pool({ connectionString: url.href, max: 10 });
  try {
    const all = ways({ gateway, inserting, answering }, key, pool, organizationId);
    const postgres = postgresCpu(name);
    // Long enough for what is called often to be compiled.
    for (const way of all) await measure(way, 2, postgres);
    const figures = new Map<Way, Figure[]>(all.map((way) => [way, []]));
    // Each round asks all of them, so that what else the machine does meets all alike.
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const way of all) figures.get(way)?.push(await measure(way, Number(values.seconds), postgres));
    }
    const rows = [...figures].map(([way, found]) => {
      const of = (member: keyof Figure) => median(found.map((one) => one[member]));
      return {
        way: way.name,
        callers: way.callers,
        'events/s': Math.round(of('rate')),
        p50: of('p50'),
        p99: of('p99'),
        'CPU µs an event': Math.round(of('own')),
        'and of PostgreSQL': Math.round(of('postgres')),
      };
    });
    console.table(rows.map((row) => ({ ...row, p50: Number(row.p50.toFixed(1)), p99: Number(row.p99.toFixed(1)) })));
  } finally {
    await pool.end();
    for (const one of [gateway, inserting, answering]) await one.stop();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}
