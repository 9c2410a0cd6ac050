import type { TenantTransaction } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** A row by the names that the client has for its columns; a column that only some rows of a statement have is null in the others. */
type NewRow = Readonly<Record<string, unknown>>;

const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

// Of numbers the text is exact.
const plain = (value: unknown) => (typeof value === 'bigint' ? value.toString() : value);

/**
 * Adds rows to a table in one statement that is the same for any number of them: the client would make one anew for each number, which takes longer
 * than to store the rows. They have their organization.
 */
export async function insertRows(tx: TenantTransaction, table: string, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => [name, columnOf(name)] as const);
  const columns = Prisma.raw(names.map(([, column]) => `"${column}"`).join(', '));
  const given = rows.map((row) => Object.fromEntries(names.map(([name, column]) => [column, plain(row[name])])));
  await tx.$executeRaw`
    INSERT INTO ${Prisma.raw(`"${table}"`)} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${Prisma.raw(`"${table}"`)}, ${JSON.stringify(given)}::text::jsonb)`;
}
