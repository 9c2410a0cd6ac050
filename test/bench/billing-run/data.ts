import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createKey } from '../../../src/store/access/api-key.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { keepMonths } from '../../../src/store/usage/table/event-month.ts';

/** Customers with a weekly subscription each, that have all used something in the week until today. */
export interface Data {
  readonly url: string;
  readonly organizationId: string;
  readonly key: string;
  readonly client: pg.Client;
  drop(): Promise<void>;
}

const ORGANIZATION = 'Bench';

const DAY_MS = 86_400_000;
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;

/** The week that is billed, and the moment at which it has to be. */
export const [BEGIN, DUE] = [new Date(today - 7 * DAY_MS), new Date(today)];
/** Up to when everything has happened before that. */
export const LIVED_UNTIL = new Date(DUE.getTime() - 3_600_000);

const RANGES = [
  { from_value: 0, to_value: 20, per_unit_amount: '0.20', flat_amount: '1' },
  { from_value: 21, to_value: null, per_unit_amount: '0.10', flat_amount: '0' },
];
const CHARGES = [
  ['calls', 'standard', { amount: '0.03' }],
  ['traffic', 'graduated', { graduated_ranges: RANGES }],
  ['storage', 'package', { amount: '5', package_size: 10, free_units: 5 }],
] as const;

const DOCUMENT = {
  organization: { name: ORGANIZATION },
  billing_entities: [{ code: 'main', name: 'Main', is_default: true, tax_codes: ['vat'] }],
  taxes: [{ code: 'vat', name: 'VAT', rate: 20, applied_to_organization: true }],
  billable_metrics: [
    { code: 'calls', name: 'Calls', aggregation_type: 'count_agg' },
    { code: 'traffic', name: 'Traffic', aggregation_type: 'sum_agg', field_name: 'n' },
    { code: 'storage', name: 'Storage', aggregation_type: 'sum_agg', field_name: 'n' },
  ],
  plans: [
    {
      ...{ code: 'press', name: 'Press', interval: 'weekly', amount_cents: 4900, amount_currency: 'EUR' },
      charges: CHARGES.map(([code, charge_model, properties]) => ({
        ...{ code, billable_metric_code: code, charge_model, properties },
      })),
    },
  ],
  customers: [{ external_id: 'c0', currency: 'EUR' }],
  subscriptions: [
    {
      ...{
        external_id: 's0',
        external_customer_id: 'c0',
        plan_code: 'press',
        status: 'active',
        billing_time: 'anniversary',
      },
      ...{ subscription_at: BEGIN, started_at: BEGIN, created_at: BEGIN },
    },
  ],
};

const ID = (row: string) => `(lpad(to_hex(at), 8, '0') || substr(${row}::text, 9))::uuid`;

/** Rows like the first customer and its subscription, a number of times. */
const COPIES = [
  `INSERT INTO customers SELECT (jsonb_populate_record(row, jsonb_build_object('id', ${ID('row.id')}, 'external_id', 'c' || at,
     'sequential_id', at + 1, 'slug', 'BEN-' || at))).* FROM customers AS row, generate_series(1, $1::int - 1) AS at`,
  `INSERT INTO subscriptions SELECT (jsonb_populate_record(row, jsonb_build_object('id', ${ID('row.id')},
     'customer_id', ${ID('row.customer_id')}, 'external_id', 's' || at))).* FROM subscriptions AS row, generate_series(1, $1::int - 1) AS at`,
];
const EVENTS = `
  INSERT INTO events (id, organization_id, external_subscription_id, code, transaction_id, "timestamp", created_at, properties)
  SELECT gen_random_uuid(), $1::uuid, 's' || at, (ARRAY['calls', 'traffic', 'storage'])[1 + n % 3], 'e' || n,
    $2::timestamptz + (n + 1) * ($3::timestamptz - $2::timestamptz) / ($4::int + 2), $2, jsonb_build_object('n', n % 7)
  FROM generate_series($5::int, $6::int - 1) at, generate_series(0, $4::int - 1) n`;
const AT_ONCE = 10_000;

export async function makeData(subscriptions: number, events: number): Promise<Data> {
  const server = new URL(process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres');
  const name = `bench_billing_run_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(server), { pathname: name }).href;
  const client = new pg.Client({ connectionString: url });
  const drop = async () => {
    await client.end().catch(() => undefined);
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  };
  try {
    const db = await openDatabase({ url });
    await importDocument(db, JSON.parse(JSON.stringify(DOCUMENT)), { organization: ORGANIZATION, now: BEGIN });
    const { id: organizationId } = await db.prisma.organization.findFirstOrThrow({ where: { name: ORGANIZATION } });
    const { key } = await createKey(db.prisma, { organizationId, kind: 'secret' });
    await keepMonths(
      db,
      [BEGIN, DUE].map((at) => `${at.toISOString().slice(0, 7)}-01`),
    );
    await db.close();
    await client.connect();
    await client.query("SET synchronous_commit = off; SET jit = off; SET TIME ZONE 'UTC'");
    for (const sql of COPIES) await client.query(sql, [subscriptions]);
    for (let from = 0; from < subscriptions; from += AT_ONCE) {
      const to = Math.min(subscriptions, from + AT_ONCE);
      await client.query(EVENTS, [organizationId, BEGIN, DUE, events, from, to]);
    }
    await client.query('UPDATE due_customers SET lived_until = now(), due_at = NULL');
    // Of tables without rows it would be noted that they have none: sessions that then fill them go on to search them row by row.
    await client.query('VACUUM (ANALYZE) customers, subscriptions, due_customers, events');
    return { url, organizationId, key, client, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}
