import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createKey } from '../../../src/store/access/api-key.ts';
import { openDatabase } from '../../../src/store/database/database.ts';

/** The invoices of one organization on a database of their own. */
export interface Data {
  readonly url: string;
  readonly key: string;
  readonly organizationId: string;
  /** Invoices, and as many fees with the same numbers in their identifiers. */
  readonly invoices: number;
  drop(): Promise<void>;
}

export const ORGANIZATION = '00000000-0000-7000-8000-000000000001';
const LINES = 3;

const TABLES = { customer: 'c', invoice: 'd', fee: 'f', request: 'a', tax: 'b', feeTax: 'e' } as const;
const prefix = (table: keyof typeof TABLES) => `${TABLES[table].repeat(8)}-0000-7000-8000-`;

/** The identifier of the n-th row, from 1. */
export const idOf = (table: keyof typeof TABLES, n: number) => `${prefix(table)}${n.toString(16).padStart(12, '0')}`;

const id = (table: keyof typeof TABLES, n: string) => `('${prefix(table)}' || lpad(to_hex(${n}), 12, '0'))::uuid`;

const TAX = '00000000-0000-7000-8000-000000000003';
const ENTITY = '00000000-0000-7000-8000-000000000002';

const catalogue = () => `
INSERT INTO organizations (id, name) VALUES ('${ORGANIZATION}', 'Bench');
INSERT INTO billing_entities (id, organization_id, code, name, is_default)
  VALUES ('${ENTITY}', '${ORGANIZATION}', 'main', 'Main', true);
INSERT INTO taxes (id, organization_id, code, name, rate, applied_to_organization)
  VALUES ('${TAX}', '${ORGANIZATION}', 'vat', 'VAT', 20, true);
INSERT INTO plans (id, organization_id, code, name, interval, amount_cents, amount_currency)
  VALUES ('00000000-0000-7000-8000-000000000004', '${ORGANIZATION}', 'press', 'Press', 'monthly', 4900, 'EUR');`;

const documents = (invoices: number, customers: number) => `
INSERT INTO customers (id, organization_id, external_id, sequential_id, slug, billing_entity_id, name, email, currency)
  SELECT ${id('customer', 'n')}, '${ORGANIZATION}', 'customer_' || n, n, 'BEN-' || n, '${ENTITY}', 'Customer ' || n,
    'post@customer' || n || '.example', 'EUR'
  FROM generate_series(1, ${customers}) n;
INSERT INTO invoices (id, organization_id, customer_id, billing_entity_id, number, issuing_date, payment_due_date,
    invoice_type, status, currency, fees_amount_cents, sub_total_excluding_taxes_amount_cents, taxes_amount_cents, taxes_rate,
    sub_total_including_taxes_amount_cents, total_amount_cents, created_at, finalized_at)
  SELECT ${id('invoice', 'n')}, '${ORGANIZATION}', ${id('customer', `1 + n % ${customers}`)}, '${ENTITY}', 'BEN-' || n,
    '2026-01-31', '2026-02-28', 'one_off', 'finalized', 'EUR', 3000, 3000, 600, 20, 3600, 3600,
    timestamptz '2026-01-01' + n * interval '1 minute', '2026-01-31'
  FROM generate_series(1, ${invoices}) n;
INSERT INTO invoice_applied_taxes (id, organization_id, invoice_id, tax_id, tax_name, tax_code, tax_rate, amount_cents,
    fees_amount_cents, amount_currency)
  SELECT ${id('tax', 'n')}, '${ORGANIZATION}', ${id('invoice', 'n')}, '${TAX}', 'VAT', 'vat', 20, 600, 3000, 'EUR'
  FROM generate_series(1, ${invoices}) n;`;

const lines = (invoices: number, customers: number) => `
INSERT INTO fees (id, organization_id, invoice_id, customer_id, fee_type, item_code, item_name, item_type, amount_cents,
    precise_amount_cents, amount_currency, taxes_amount_cents, taxes_precise_amount_cents, taxes_rate, units, precise_unit_amount)
  SELECT ${id('fee', 'n')}, '${ORGANIZATION}', ${id('invoice', `1 + (n - 1) / ${LINES}`)},
    ${id('customer', `1 + (1 + (n - 1) / ${LINES}) % ${customers}`)}, 'add_on', 'item_' || n % ${LINES}, 'Item ' || n % ${LINES},
    'AddOn', 1000, 1000.25, 'EUR', 200, 200.05, 20, 4, 2.500625
  FROM generate_series(1, ${invoices * LINES}) n;
INSERT INTO fee_applied_taxes (id, organization_id, fee_id, tax_id, tax_name, tax_code, tax_rate, amount_cents, amount_currency)
  SELECT ${id('feeTax', 'n')}, '${ORGANIZATION}', ${id('fee', 'n')}, '${TAX}', 'VAT', 'vat', 20, 200, 'EUR'
  FROM generate_series(1, ${invoices * LINES}) n;
INSERT INTO payment_requests (id, organization_id, customer_id, email, amount_cents, amount_currency)
  SELECT ${id('request', 'n')}, '${ORGANIZATION}', ${id('customer', '1')}, 'post@customer1.example', 3600, 'EUR'
  FROM generate_series(1, 1000) n;
INSERT INTO "_PaymentRequestInvoices" ("A", "B")
  SELECT ${id('invoice', `1 + n % ${invoices}`)}, ${id('request', 'n')} FROM generate_series(1, 1000) n;
ANALYZE;`;

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Makes a scratch database on the server and fills it by SQL. `drop` removes it. */
export async function makeData(server: string, invoices: number): Promise<Data> {
  const name = `bench_${randomBytes(4).toString('hex')}`;
  await query(server, `CREATE DATABASE ${name}`);
  const drop = () => query(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  try {
    const address = new URL(server);
    address.pathname = name;
    const db = await openDatabase({ url: address.href });
    const customers = Math.max(1, Math.floor(invoices / 20));
    for (const part of [catalogue(), documents(invoices, customers), lines(invoices, customers)]) {
      await query(address.href, part);
    }
    const { key } = await createKey(db.prisma, { organizationId: ORGANIZATION, kind: 'secret' });
    await db.close();
    return { url: address.href, key, organizationId: ORGANIZATION, invoices, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}
