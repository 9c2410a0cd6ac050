/**
 * What a catalogue costs: plans with 20 charges of 10 filters each, made through the API, then one of them changed, and the change carried
 * over to overrides: `DATABASE_URL=postgresql://... npm run bench -- catalogue --plans 200 --overrides 2000`. The
 * status and the time of each, and how many SQL statements: what takes longer than a transaction may is a 503, and is undone.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { createKey } from '../../src/store/access/api-key.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';

const CHARGES = 20;
const FILTERS = 10;
const ORGANIZATION = 'Bench';
const VALUES = Array.from({ length: FILTERS }, (_, at) => `v${at}`);
const BRACKETS = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)|"api_keys"/i;

const priced = (amount: number) => ({ charge_model: 'standard', properties: { amount: String(amount) } });
const filtersAt = (amount: number) =>
  VALUES.map((value, at) => ({ values: { part: [value] }, properties: { amount: String(amount + at) } }));
const charges = (amount: number, more: (at: number) => object) =>
  Array.from({ length: CHARGES }, (_, at) => ({ ...priced(amount), ...more(at), filters: filtersAt(amount) }));

const planOf = (code: string) => ({
  ...{ code, name: code, interval: 'monthly', amount_cents: 1000, amount_currency: 'EUR', pay_in_advance: false },
  charges: charges(1, (at) => ({ code: `c${at}`, billable_metric_code: 'calls' })),
  fixed_charges: [{ ...priced(5), code: 'desk', add_on_code: 'desk', units: 1 }],
});

const BASE = {
  organization: { name: ORGANIZATION },
  billable_metrics: [
    { code: 'calls', name: 'Calls', aggregation_type: 'count_agg', filters: [{ key: 'part', values: VALUES }] },
  ],
  add_ons: [{ code: 'desk', name: 'Desk', amount_cents: 500, amount_currency: 'EUR' }],
  customers: [{ external_id: 'customer', currency: 'EUR' }],
};

/** A subscription with an override of a plan, which is a copy of it. */
const overrideOf = (plan_code: string) => ({
  organization: { name: ORGANIZATION },
  subscriptions: [
    {
      ...{ external_id: 'first', external_customer_id: 'customer', plan_code, status: 'active' },
      ...{ subscription_at: '2026-01-01T00:00:00Z', started_at: '2026-01-01T00:00:00Z', plan_overrides: {} },
    },
  ],
});

/** Tables of the first override with what is under it, how its rows are found, and which of their columns name others of them. */
const COPIED = [
  ['plans', 'id = $1', []],
  ['subscriptions', 'plan_id = $1', ['plan_id']],
  ['charges', 'plan_id = $1', ['plan_id']],
  ['fixed_charges', 'plan_id = $1', ['plan_id']],
  ['charge_filters', 'charge_id IN (SELECT id FROM charges WHERE plan_id = $1)', ['charge_id']],
] as const;

/** Has so many subscriptions with overrides, all as the first one is. */
async function copyOverrides(db: Database, first: string, from: number, to: number): Promise<void> {
  // Identifiers of one copy stand together, as those of rows do that are made together.
  const given = (name: string) =>
    `'${name}', lpad(to_hex(at), 8, '0') || substr(md5(row.${name}::text || '/' || at), 9)`;
  for (const [table, where, names] of COPIED) {
    const changed = ['id', ...names].map(given).join(', ');
    const named = table === 'subscriptions' ? `, 'external_id', 'sub-' || at` : '';
    await db.prisma.$executeRawUnsafe(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(row, jsonb_build_object(${changed}${named}))).*
       FROM ${table} AS row, generate_series(${from}, ${to - 1}) AS at WHERE ${where.replace('$1', `'${first}'`)}
       ORDER BY at`,
    );
  }
  await db.prisma.$executeRawUnsafe('ANALYZE');
}

async function client(db: Database) {
  const now = new Date();
  await importDocument(db, BASE, { organization: ORGANIZATION, now });
  const { id } = await db.prisma.organization.findFirstOrThrow({ where: { name: ORGANIZATION } });
  const { key } = await createKey(db.prisma, { organizationId: id, kind: 'secret' });
  const app = createApp({ db, logger: pino({ level: 'silent' }) });
  let statements = 0;
  db.onStatement(({ sql }) => {
    if (!BRACKETS.test(sql)) statements += 1;
  });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  /** Sends a request; says its answer, how long it took and how many statements. */
  const send = async (method: string, path: string, body: object) => {
    statements = 0;
    const begin = performance.now();
    const request = new Request(`http://bench${path}`, { method, headers, body: JSON.stringify(body) });
    const response = await app.fetch(request);
    const { plan } = (await response.json()) as { plan?: { charges: { svc_id: string }[] } };
    const ms = Math.round(performance.now() - begin);
    await new Promise((resolve) => setTimeout(resolve, 5)); // the client tells of its statements a little later
    return { plan, told: { status: response.status, ms, statements } };
  };
  return { send, close: () => app.close() };
}

async function measure(db: Database, plans: number, overrides: number): Promise<void> {
  const { send, close } = await client(db);
  const made = [];
  for (let at = 0; at < plans; at += 1) {
    made.push(await send('POST', '/api/v1/plans', { plan: planOf(`plan${at}`) }));
  }
  const times = made.map(({ told }) => told.ms).sort((one, other) => one - other);
  const median = times[Math.floor(times.length / 2)];
  console.log(JSON.stringify({ created: plans, 'ms each': median, 'statements each': made.at(-1)?.told.statements }));
  const ids = made[0]?.plan?.charges.map((charge) => charge.svc_id) ?? [];
  const change = (amount: number, cascade_updates: boolean) => ({
    plan: { amount_cents: 1000 + amount, cascade_updates, charges: charges(amount, (at) => ({ id: ids[at] })) },
  });
  const alone = await send('PUT', '/api/v1/plans/plan0', change(2, false));
  console.log(JSON.stringify({ changed: 'every price of a plan', overrides: 0, ...alone.told }));
  await importDocument(db, overrideOf('plan0'), { organization: ORGANIZATION, now: new Date() });
  const first = await db.prisma.plan.findFirstOrThrow({ where: { code: 'plan0', parentId: { not: null } } });
  let there = 1;
  for (const wanted of [...new Set([Math.ceil(overrides / 10), overrides])]) {
    await copyOverrides(db, first.id, there, wanted);
    there = wanted;
    const one = { charge: { properties: { amount: String(wanted) }, cascade_updates: true } };
    const single = await send('PUT', '/api/v1/plans/plan0/charges/c0', one);
    console.log(JSON.stringify({ changed: 'a price of one charge', overrides: there, ...single.told }));
    const all = await send('PUT', '/api/v1/plans/plan0', change(3 + wanted, true));
    console.log(JSON.stringify({ changed: 'every price of a plan', overrides: there, ...all.told }));
  }
  await close();
}

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { plans: { type: 'string', default: '200' }, overrides: { type: 'string', default: '2000' } },
  });
  const server = new URL(process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres');
  const name = `bench_catalogue_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  try {
    const db = await openDatabase({ url: Object.assign(new URL(server), { pathname: name }).href });
    await measure(db, Number(values.plans), Number(values.overrides)).finally(() => db.close());
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}
