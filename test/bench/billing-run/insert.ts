import type { Data } from './data.ts';

// Everything that is stored of an invoice, and where its rows say so.
const TABLES = {
  invoices: 'id = $1',
  invoice_applied_taxes: 'invoice_id = $1',
  billing_periods: 'invoice_id = $1',
  fees: 'invoice_id = $1',
  fee_applied_taxes: 'fee_id IN (SELECT id FROM public.fees WHERE invoice_id = $1)',
  audit_logs: 'object_id = $1::text',
};

/** Invoices a second that are stored by plain INSERTs of their rows into tables that are made alike, a transaction for each. */
export async function insertRate({ client }: Data, sample: number): Promise<number> {
  await client.query('CREATE SCHEMA copies; SET synchronous_commit = on');
  for (const table of Object.keys(TABLES)) {
    await client.query(`CREATE TABLE copies.${table} (LIKE public.${table} INCLUDING ALL)`);
  }
  const { rows: invoices } = await client.query<{ id: string }>(`SELECT id::text FROM invoices LIMIT ${sample}`);
  const statements: { table: string; rows: string }[][] = [];
  for (const { id } of invoices) {
    const of: { table: string; rows: string }[] = [];
    for (const [table, where] of Object.entries(TABLES)) {
      const { rows } = await client.query(
        `SELECT coalesce(jsonb_agg(row), '[]')::text AS rows FROM public.${table} row WHERE ${where}`,
        [id],
      );
      of.push({ table, rows: rows[0].rows });
    }
    statements.push(of);
  }
  const begin = performance.now();
  for (const of of statements) {
    await client.query('BEGIN');
    for (const { table, rows } of of) {
      await client.query({
        name: table,
        text: `INSERT INTO copies.${table} SELECT * FROM jsonb_populate_recordset(NULL::public.${table}, $1::jsonb)`,
        values: [rows],
      });
    }
    await client.query('COMMIT');
  }
  return invoices.length / ((performance.now() - begin) / 1000);
}
