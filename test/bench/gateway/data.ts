import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createKey } from '../../../src/store/access/api-key.ts';
import { openDatabase } from '../../../src/store/database/database.ts';

/** The invoices of fifty organizations on a database of their own. One of them is asked for. */
export interface Data {
  readonly url: string;
  readonly key: string;
  readonly organizationId: string;
  /** Of all organizations. */
  readonly invoices: number;
  /** Of the organization that is asked for, which has three times as many fees. */
  readonly own: number;
  drop(): Promise<void>;
}

export const ORGANIZATIONS = 50;
/** Payment requests of the organization's first customer. */
export const REQUESTS = 1000;
const LINES = 3;
const FIRST = '2022-01-01T00:00:00Z';

const TABLES = {
  ...{ organization: '1', entity: '2', plan: '3', vat: '4' },
  ...{ customer: 'c', invoice: 'd', fee: 'f', request: 'a', tax: 'b', feeTax: 'e' },
} as const;
type Name = keyof typeof TABLES;
const prefix = (table: Name) => `${TABLES[table].repeat(8)}-0000-7000-8000-`;

/** The identifier of the n-th row, from 0. What belongs together has numbers that are equal modulo the number of organizations. */
export const idOf = (table: Name, n: number) => `${prefix(table)}${n.toString(16).padStart(12, '0')}`;

/** The moment at which the n-th invoice was created. */
export const createdAt = (n: number) => new Date(Date.parse(FIRST) + n * 60_000).toISOString();

const id = (table: Name, n: string) => `('${prefix(table)}' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const owner = (n: string) => id('organization', `${n} % ${ORGANIZATIONS}`);

const catalogue = `
INSERT INTO organizations (id, name) SELECT ${id('organization', 'n')}, 'Bench ' || n FROM generate_series(0, ${ORGANIZATIONS - 1}) n;
INSERT INTO billing_entities (id, organization_id, code, name, is_default)
  SELECT ${id('entity', 'n')}, ${owner('n')}, 'main', 'Main', true FROM generate_series(0, ${ORGANIZATIONS - 1}) n;
INSERT INTO taxes (id, organization_id, code, name, rate, applied_to_organization)
  SELECT ${id('vat', 'n')}, ${owner('n')}, 'vat', 'VAT', 20, true FROM generate_series(0, ${ORGANIZATIONS - 1}) n;
INSERT INTO plans (id, organization_id, code, name, interval, amount_cents, amount_currency)
  SELECT ${id('plan', 'n')}, ${owner('n')}, 'press', 'Press', 'monthly', 4900, 'EUR' FROM generate_series(0, ${ORGANIZATIONS - 1}) n;`;

/** The number of an invoice's customer, of the same organization. */
const customerOf = (invoice: string, customers: number) =>
  `(${invoice} / ${ORGANIZATIONS}) % ${customers} * ${ORGANIZATIONS} + ${invoice} % ${ORGANIZATIONS}`;
const entityOf = (n: string) => id('entity', `${n} % ${ORGANIZATIONS}`);
const vatOf = (n: string) => id('vat', `${n} % ${ORGANIZATIONS}`);

const documents = (invoices: number, customers: number) => `
INSERT INTO customers (id, organization_id, external_id, sequential_id, slug, billing_entity_id, name, email, currency, created_at)
  SELECT ${id('customer', 'n')}, ${owner('n')}, 'customer_' || n / ${ORGANIZATIONS}, n / ${ORGANIZATIONS} + 1, 'BEN-' || n / ${ORGANIZATIONS},
    ${entityOf('n')}, 'Customer ' || n, 'post@customer' || n || '.example', 'EUR', timestamptz '2025-01-01' + n * interval '1 minute'
  FROM generate_series(0, ${customers * ORGANIZATIONS - 1}) n;
INSERT INTO invoices (id, organization_id, customer_id, billing_entity_id, number, issuing_date, payment_due_date,
    invoice_type, status, currency, fees_amount_cents, sub_total_excluding_taxes_amount_cents, taxes_amount_cents, taxes_rate,
    sub_total_including_taxes_amount_cents, total_amount_cents, created_at, finalized_at)
  SELECT ${id('invoice', 'n')}, ${owner('n')}, ${id('customer', customerOf('n', customers))}, ${entityOf('n')}, 'BEN-' || n,
    '2026-01-31', '2026-02-28', 'one_off', 'finalized', 'EUR', 3000, 3000, 600, 20, 3600, 3600,
    timestamptz '${FIRST}' + n * interval '1 minute', '2026-01-31'
  FROM generate_series(0, ${invoices - 1}) n;
INSERT INTO invoice_applied_taxes (id, organization_id, invoice_id, tax_id, tax_name, tax_code, tax_rate, amount_cents,
    fees_amount_cents, amount_currency)
  SELECT ${id('tax', 'n')}, ${owner('n')}, ${id('invoice', 'n')}, ${vatOf('n')}, 'VAT', 'vat', 20, 600, 3000, 'EUR'
  FROM generate_series(0, ${invoices - 1}) n;`;

const lines = (invoices: number, customers: number) => `
INSERT INTO fees (id, organization_id, invoice_id, customer_id, fee_type, item_code, item_name, item_type, amount_cents,
    precise_amount_cents, amount_currency, taxes_amount_cents, taxes_precise_amount_cents, taxes_rate, units, precise_unit_amount)
  SELECT ${id('fee', `n * ${LINES} + line`)}, ${owner('n')}, ${id('invoice', 'n')}, ${id('customer', customerOf('n', customers))},
    'add_on', 'item_' || line, 'Item ' || line, 'AddOn', 1000, 1000.25, 'EUR', 200, 200.05, 20, 4, 2.500625
  FROM generate_series(0, ${invoices - 1}) n, generate_series(0, ${LINES - 1}) line;
INSERT INTO fee_applied_taxes (id, organization_id, fee_id, tax_id, tax_name, tax_code, tax_rate, amount_cents, amount_currency)
  SELECT ${id('feeTax', `n * ${LINES} + line`)}, ${owner('n')}, ${id('fee', `n * ${LINES} + line`)}, ${vatOf('n')}, 'VAT', 'vat', 20, 200, 'EUR'
  FROM generate_series(0, ${invoices - 1}) n, generate_series(0, ${LINES - 1}) line;`;

// Those of the first customer have the lowest numbers, whatever the number of organizations.
const requests = (invoices: number, customers: number) => `
INSERT INTO payment_requests (id, organization_id, customer_id, email, amount_cents, amount_currency, created_at)
  SELECT ${id('request', 'n')}, ${owner('0')}, ${id('customer', '0')}, 'post@customer0.example', 3600, 'EUR',
    timestamptz '2026-01-01' + n * interval '1 minute' FROM generate_series(0, ${REQUESTS - 1}) n;
INSERT INTO "_PaymentRequestInvoices" ("A", "B")
  SELECT ${id('invoice', `n * ${ORGANIZATIONS} % ${invoices}`)}, ${id('request', 'n')} FROM generate_series(0, ${REQUESTS - 1}) n;
INSERT INTO payment_requests (id, organization_id, customer_id, email, amount_cents, amount_currency)
  SELECT ${id('request', `${REQUESTS} + n`)}, ${owner('n')}, ${id('customer', customerOf('n', customers))}, 'post@example.com', 3600, 'EUR'
  FROM generate_series(1, ${invoices - 1}, 20) n WHERE (n / ${ORGANIZATIONS}) % ${customers} > 0;
INSERT INTO "_PaymentRequestInvoices" ("A", "B")
  SELECT ${id('invoice', 'n')}, ${id('request', `${REQUESTS} + n`)}
  FROM generate_series(1, ${invoices - 1}, 20) n WHERE (n / ${ORGANIZATIONS}) % ${customers} > 0;`;

async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

const query = (url: string, ...statements: string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const sql of statements) await client.query(sql);
  });

// Those of constraints stay: they are what rows are found by. So do those of tables in parts, which get no rows here.
const INDEXES = `SELECT i.indexname AS name, i.indexdef AS definition FROM pg_indexes i
  JOIN pg_class t ON t.oid = format('%I.%I', i.schemaname, i.tablename)::regclass
  WHERE i.schemaname = 'public' AND NOT t.relispartition AND t.relkind <> 'p'
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conname = i.indexname)`;

// What rows are searched by, and what is due on them.
const KEPT = [
  ['customers', 'customers_words'],
  ['invoices', 'invoices_words'],
  ['invoices', 'invoices_due'],
] as const;

/** Fills an empty database, its indexes last. Foreign keys are not looked at and nobody is told: 20 million rows are made. */
const fill = (url: string, invoices: number): Promise<void> =>
  withClient(url, async (client) => {
    const customers = Math.max(1, Math.floor(invoices / ORGANIZATIONS / 20));
    await client.query(
      "SET session_replication_role = 'replica'; SET synchronous_commit = off; SET maintenance_work_mem = '1GB'",
    );
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES);
    for (const { name } of indexes) await client.query(`DROP INDEX "${name}"`);
    for (const [table, trigger] of KEPT) await client.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${trigger}`);
    for (const part of [catalogue, ...[documents, lines, requests].map((one) => one(invoices, customers))])
      await client.query(part);
    for (const { definition } of indexes) await client.query(definition);
    await client.query('VACUUM (ANALYZE)');
  });

const addressOf = (server: string, name: string) => {
  const address = new URL(server);
  address.pathname = name;
  return address.href;
};

async function exists(server: string, name: string): Promise<boolean> {
  const sql = 'SELECT FROM pg_database WHERE datname = $1';
  return withClient(server, async (client) => (await client.query(sql, [name])).rowCount === 1);
}

/**
 * Makes a scratch database on the server and fills it by SQL, which takes a superuser. `drop` removes it, unless it was given a
 * name: then it is kept, and found again.
 */
export async function makeData(server: string, invoices: number, kept?: string): Promise<Data> {
  const name = kept ?? `bench_${randomBytes(4).toString('hex')}`;
  const url = addressOf(server, name);
  const drop = () => query(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  const isNew = !(await exists(server, name));
  try {
    if (isNew) await query(server, `CREATE DATABASE ${name}`);
    const db = await openDatabase({ url });
    if (isNew) await fill(url, invoices);
    const organizationId = idOf('organization', 0);
    const { key } = await createKey(db.prisma, { organizationId, kind: 'secret' });
    await db.close();
    const own = Math.floor(invoices / ORGANIZATIONS);
    return { url, key, organizationId, invoices, own, drop: kept ? async () => undefined : drop };
  } catch (error) {
    if (isNew) await drop();
    throw error;
  }
}
