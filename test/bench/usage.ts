/**
 * What previews of many events take, beside the plain SQL over the same rows: time, memory, and how long others wait. Of 100,000 events
 * and more it is kept what each hour comes to, once they were read: `npm run bench -- usage --sizes 1000,10000000`.
 */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { createKey } from '../../src/store/access/api-key.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { keepMonths } from '../../src/store/usage/table/event-month.ts';
import { cleanUp, freePort, run as start, untilListening } from '../process.ts';

let SIZES: readonly number[] = [1000, 100_000, 1_000_000];
const KEPT = 100_000;
const OTHERS = 100_000;
const ROUNDS = 3;

const RANGES = [
  { from_value: 0, to_value: 1000, per_unit_amount: '0.2', flat_amount: '1' },
  { from_value: 1001, to_value: null, per_unit_amount: '0.1', flat_amount: '0' },
];
const OWN = `FROM events WHERE organization_id = $1 AND external_subscription_id = $2 AND code = $3 AND deleted_at IS NULL
  AND "timestamp" >= date_trunc('month', now()) AND "timestamp" <= now()`;
const SUM = `SELECT sum(measured_value) ${OWN}`;

/** A case: which metric, what it does, the price, and the plain statement over the same rows. */
interface Case {
  readonly code: string;
  readonly aggregation: string;
  readonly model: string;
  readonly properties: object;
  readonly plain: string;
}
const standard = { model: 'standard', properties: { amount: '1' } };
const CASES: Record<string, Case> = {
  sum: { code: 'calls', aggregation: 'sum_agg', ...standard, plain: SUM },
  count: { code: 'calls', aggregation: 'count_agg', ...standard, plain: `SELECT count(*) ${OWN}` },
  'unique count': {
    ...{ code: 'users', aggregation: 'unique_count_agg', ...standard },
    plain: `SELECT count(*) FROM (SELECT measured_text ${OWN} GROUP BY measured_text) texts`,
  },
  max: { code: 'calls', aggregation: 'max_agg', ...standard, plain: `SELECT max(measured_value) ${OWN}` },
  latest: {
    ...{ code: 'calls', aggregation: 'latest_agg', ...standard },
    plain: `SELECT count(measured_value), max("timestamp") ${OWN}`,
  },
  'weighted sum': {
    ...{ code: 'calls', aggregation: 'weighted_sum_agg', ...standard },
    plain: `SELECT sum(measured_value * extract(epoch FROM "timestamp")) ${OWN}`,
  },
  graduated: {
    ...{ code: 'calls', aggregation: 'sum_agg', model: 'graduated', properties: { graduated_ranges: RANGES } },
    plain: SUM,
  },
  package: {
    ...{ code: 'calls', aggregation: 'sum_agg', model: 'package' },
    ...{ properties: { amount: '5', package_size: 10, free_units: 0 }, plain: SUM },
  },
  'sum by 7 groups': {
    ...{ code: 'calls', aggregation: 'sum_agg', model: 'standard' },
    properties: { amount: '1', pricing_group_keys: ['g'] },
    plain: `SELECT properties ->> 'g', sum(measured_value) ${OWN} GROUP BY 1`,
  },
  'percentage, each event (folded)': {
    ...{ code: 'calls', aggregation: 'sum_agg', model: 'percentage' },
    ...{ properties: { rate: '1', per_transaction_min_amount: '0.5' }, plain: SUM },
  },
};

const idOf = (size: number) => `events-${size}`;
const month = new Date();
month.setUTCDate(1);
month.setUTCHours(0, 0, 0, 0);
const startedAt = new Date(month.getTime() - 40 * 86_400_000).toISOString();

const document = () => ({
  billable_metrics: [
    { code: 'calls', name: 'Calls', aggregation_type: 'sum_agg', field_name: 'n' },
    { code: 'users', name: 'Users', aggregation_type: 'unique_count_agg', field_name: 'n' },
  ],
  plans: ['calls', 'users'].map((code) => ({
    ...{ code, name: code, interval: 'monthly', amount_cents: 0, amount_currency: 'EUR' },
    charges: [{ code, billable_metric_code: code, charge_model: 'standard', properties: { amount: '1' } }],
  })),
  customers: ['calls', 'users'].map((code) => ({ external_id: code, currency: 'EUR' })),
  subscriptions: ['calls', 'users'].flatMap((code) =>
    SIZES.map((size) => ({
      ...{ external_id: `${code}-${idOf(size)}`, external_customer_id: code, plan_code: code, status: 'active' },
      ...{ started_at: startedAt, subscription_at: startedAt, billing_time: 'calendar' },
    })),
  ),
});

/** Waits until it is kept what the events of a subscription come to, of which begins whoever reads them. */
async function untilKept(client: pg.Client, subscription: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { rowCount } = await client.query(
      'SELECT FROM kept_usage WHERE external_subscription_id = $1 AND is_complete',
      [subscription],
    );
    if (rowCount) break;
    await wait(200);
  }
  await client.query('ANALYZE usage_hours; ANALYZE usage_values');
}

async function fill(client: pg.Client, organizationId: string): Promise<void> {
  const counts = ['calls', 'users'].flatMap((code) => [
    ...SIZES.map((size) => [code, `'${code}-${idOf(size)}'`, size] as const),
    [code, `'other-' || at % 998`, OTHERS] as const,
  ]);
  // Identifiers in the order of making, as the gateway makes them.
  for (const [part, [code, subscription, size]] of counts.entries()) {
    await client.query(
      `INSERT INTO events (id, organization_id, external_subscription_id, code, transaction_id, "timestamp", created_at, properties)
      SELECT ('0199000' || $5::text || '-0000-7000-8000-' || lpad(to_hex(at), 12, '0'))::uuid, $1::uuid, ${subscription}, $2, $3 || at,
        date_trunc('month', now()) + (now() - date_trunc('month', now())) * (at::float / $4), now(),
        jsonb_build_object('n', at % 5000, 'g', 'g' || at % 7) FROM generate_series(1, $4::int) at`,
      [organizationId, code, `${code}-${size}-${subscription.length}-`, size, String(part)],
    );
  }
  await client.query('VACUUM (ANALYZE) events');
}

const median = (times: number[]) => times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  return median(times);
}

/** Runs work while /health is asked, and tells how long an answer took at most and by how much the process grew. */
async function beside<T>(address: string, pid: number, work: () => Promise<T>) {
  const memory = async (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
  const before = await memory('VmRSS');
  const workerData = { url: `${address}/health`, pause: 10, pid };
  const probe = new Worker(new URL('../robust/health-probe.mjs', import.meta.url), { workerData });
  const told = new Promise<{ times: number[] }>((resolve) => probe.once('message', resolve));
  await new Promise((done) => setTimeout(done, 100));
  const result = await work();
  probe.postMessage('end');
  return { result, health: Math.max(...(await told).times), grown: (await memory('VmHWM')) - before };
}

async function measure(client: pg.Client, organizationId: string, address: string, pid: number, key: string) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const preview = async (code: string, size: number) => {
    const subscriptions = { external_ids: [`${code}-${idOf(size)}`] };
    const body = JSON.stringify({ customer: { external_id: code }, subscriptions });
    const response = await fetch(`${address}/api/v1/invoices/preview`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  };
  for (const [name, { code, aggregation, model, properties, plain }] of Object.entries(CASES)) {
    await client.query('UPDATE billable_metrics SET aggregation_type = $1::"AggregationType" WHERE code = $2', [
      aggregation,
      code,
    ]);
    await client.query('UPDATE charges SET charge_model = $1::"ChargeModel", properties = $2 WHERE code = $3', [
      model,
      properties,
      code,
    ]);
    const row: Record<string, unknown> = { usage: name };
    let first = 0;
    const measureSize = async (size: number) => {
      const begin = performance.now();
      await preview(code, size);
      const cold = performance.now() - begin;
      if (size >= KEPT) await untilKept(client, `${code}-${idOf(size)}`);
      const sql = await timed(() => client.query(plain, [organizationId, `${code}-${idOf(size)}`, code]));
      const told = await beside(address, pid, () => timed(() => preview(code, size)));
      first ||= told.result;
      row[`${size}: SQL ms`] = Math.round(sql);
      row['preview ms'.padStart(10 + String(size).length, ' ')] = Math.round(told.result);
      row[`${size}: of 1.5 SQL + first`] = (told.result / (1.5 * sql + first)).toFixed(2);
      if (size >= KEPT)
        row[`${size}: of first (unkept ms)`] = `${(told.result / first).toFixed(2)} (${Math.round(cold)})`;
      if (size === SIZES.at(-1))
        Object.assign(row, { 'MB more': Math.round(told.grown), '/health ms': Math.round(told.health) });
    };
    for (const size of SIZES) {
      // Prices of each event, one by one, of millions take longer than a request may.
      await measureSize(size).catch((error: unknown) => {
        row[`${size}: refused`] = String(error);
      });
    }
    console.log(JSON.stringify(row));
  }
}

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { sizes: { type: 'string' } } });
  if (values.sizes) SIZES = values.sizes.split(',').map(Number);
  const server = process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
  const name = `bench_events_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = name;
  const client = new pg.Client({ connectionString: url.href });
  try {
    const db = await openDatabase({ url: url.href });
    await importDocument(db, document(), { organization: 'bench', now: new Date() });
    const { id } = await db.prisma.organization.findFirstOrThrow({ where: { name: 'bench' } });
    const { key } = await createKey(db.prisma, { organizationId: id, kind: 'secret' });
    const months = [month, new Date(month.getTime() - 1)].map((at) => `${at.toISOString().slice(0, 7)}-01`);
    await keepMonths(db, months);
    await db.close();
    await client.connect();
    await client.query("SET jit = off; SET TIME ZONE 'UTC'");
    await fill(client, id);
    const running = start([], { DATABASE_URL: url.href, PORT: await freePort(), RATE_LIMIT: 'off' });
    const address = await untilListening(running);
    await measure(client, id, address, running.child.pid ?? 0, key);
  } finally {
    await cleanUp();
    await client.end().catch(() => undefined);
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}
