/**
 * How many events a second an import writes, beside INSERTs of a thousand rows by bare `pg` into a table of the same columns and
 * indexes without keys, and by the same into the table of events: `DATABASE_URL=postgresql://... npm run bench -- import --events 100000`.
 * Time, and the CPU of this process and of the server, which others on the machine change less.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openDatabase } from '../../src/store/database/database.ts';
import { importFile } from '../../src/store/transfer/import/import.ts';
import { keepMonths } from '../../src/store/usage/table/event-month.ts';

const DAY_MS = 86_400_000;
const ROWS = 1000;

const anEvent = (at: number, prefix: string) => ({
  ...{ transaction_id: `${prefix}${at}`, external_subscription_id: `s${at % 1000}`, code: `m${at % 5}` },
  timestamp: new Date(Date.now() - ((at * 1000) % DAY_MS)).toISOString(),
  properties: { count: at % 100, region: 'eu' },
});

const batchSql = (
  table: string,
) => `INSERT INTO ${table} (id, organization_id, transaction_id, external_subscription_id, code,
    "timestamp", properties, created_at, measured_by)
  SELECT id, $1::uuid, transaction_id, external_subscription_id, code, "timestamp", properties, now(), '=count'
  FROM json_to_recordset($2::text::json) AS given (id uuid, transaction_id text, external_subscription_id text, code text,
    "timestamp" timestamptz, properties jsonb)`;

async function insertAll(client: pg.Client, table: string, organizationId: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += ROWS) {
    const rows = Array.from({ length: ROWS }, (_, at) => ({ id: randomUUID(), ...anEvent(done + at, `${table} `) }));
    await client.query({ name: table, text: batchSql(table), values: [organizationId, JSON.stringify(rows)] });
  }
}

// In hundredths of a second, of the processes that serve a database.
async function serverCpu(admin: pg.Client, name: string): Promise<number> {
  const { rows } = await admin.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE datname = $1', [name]);
  const times = rows.map(async ({ pid }) => {
    const [, text = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ');
    const [user, system] = text.split(' ').slice(11, 13);
    return Number(user) + Number(system);
  });
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0);
}

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { events: { type: 'string', default: '100000' } } });
  const count = Math.ceil(Number(values.events) / ROWS) * ROWS;
  const server = new URL(process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres');
  const name = `bench_import_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(server), { pathname: name }).href;
  const client = new pg.Client({ connectionString: url });
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  try {
    const db = await openDatabase({ url });
    const { id } = await db.prisma.organization.create({ data: { name: 'Bench' } });
    await keepMonths(
      db,
      [0, DAY_MS].map((ago) => `${new Date(Date.now() - ago).toISOString().slice(0, 7)}-01`),
    );
    await client.connect();
    await client.query(`CREATE TABLE bare (LIKE events INCLUDING ALL);
      CREATE UNIQUE INDEX ON bare (organization_id, external_subscription_id, transaction_id)`);
    const file = join(folder, 'events.ndjson');
    const lines = Array.from({ length: count }, (_, at) => JSON.stringify({ event: anEvent(at, 'imported ') }));
    await writeFile(file, lines.join('\n'));
    const ways: Record<string, () => Promise<unknown>> = {
      'INSERTs of 1000 rows, without keys': () => insertAll(client, 'bare', id, count),
      'INSERTs of 1000 rows': () => insertAll(client, 'events', id, count),
      import: () => importFile(db, file, { organization: 'Bench', now: new Date() }),
    };
    let first = 0;
    for (const [way, work] of Object.entries(ways)) {
      const [cpu, own, begin] = [await serverCpu(admin, name), process.cpuUsage(), performance.now()];
      await work();
      const rate = count / ((performance.now() - begin) / 1000);
      first ||= rate;
      const { user, system } = process.cpuUsage(own);
      const server = (((await serverCpu(admin, name)) - cpu) * 10_000) / count;
      const micro = { 'µs here': Math.round((user + system) / count), 'µs server': Math.round(server) };
      console.log(
        JSON.stringify({ way, 'events/s': Math.round(rate), 'of the first': (rate / first).toFixed(2), ...micro }),
      );
    }
    await db.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
    await client.end().catch(() => undefined);
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}
