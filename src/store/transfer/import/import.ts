import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { repeated } from '../../database/attempt.ts';
import type { Database } from '../../database/database.ts';
import { isHeldByOthers } from '../../database/unavailable.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { recountInvoices } from '../../invoice/invoice-counter.ts';
import { FaultList, ImportError } from '../document/fault.ts';
import { readValue } from '../document/read-value.ts';
import { field } from '../document/shape.ts';
import { SECTIONS } from '../shape/all.ts';
import { type Json, parseJson } from '../value/json.ts';
import { Sql } from '../value/sql.ts';
import { ahead } from './ahead.ts';
import { Importer } from './importer.ts';
import { checkEncoding, isLineFile, linePartsOf } from './line-source.ts';
import { prepareMonths } from './month.ts';
import type { Counts } from './run.ts';
import { type Part, partsOf } from './source.ts';

export { type Fault, ImportError } from '../document/fault.ts';

export interface ImportOptions {
  /** Name of the organization, made when it is missing; for documents of one organization. */
  readonly organization?: string;
  readonly now: Date;
  /** Called as entries are read. */
  onProgress?(done: number, total?: number): void;
  /** Writes what belongs to the import, with it or not at all. */
  addTo?(tx: Prisma.TransactionClient): Promise<void>;
}

export interface ImportResult {
  /** Names of the organizations, with commas between them. */
  readonly organization: string;
  /** Rows by table. */
  readonly created: Record<string, number>;
  readonly updated: Record<string, number>;
  readonly unchanged: number;
}

// Invoices bring their fees with them.
const BATCH = 1000;
const BATCH_OF_INVOICES = 200;
const LONGEST_MS = 6 * 60 * 60 * 1000;
// 'impo' in ASCII: two imports at once would mint the same rows twice.
const IMPORT_LOCK = 0x696d706f;

async function nameOf(part: Part, options: ImportOptions, sql: Sql, faults: FaultList): Promise<string> {
  const given = options.organization ?? part.organization.name;
  if (typeof given === 'string' && given !== '') {
    if ('value' in readValue(field('name', 'text'), given)) return given;
  } else if (given === undefined || given === null) {
    const names = await sql.rows('SELECT name FROM organizations ORDER BY created_at LIMIT 2');
    return names.length === 1 ? String(names[0]?.name) : 'default';
  }
  faults.add(`${part.place}organization.name`, 'value_is_invalid');
  return 'default';
}

/** Finds or makes the organization; the identifier and times of the document are taken when it is new and they are free. */
async function organizationId(part: Part, name: string, now: string, sql: Sql): Promise<string> {
  const [known] = await sql.rows('SELECT id::text AS id FROM organizations WHERE name = $1', name);
  if (known?.id) return known.id;
  const read = (member: string, kind: 'uuid' | 'time') => {
    const reading = readValue(field(member, kind), part.organization[member] ?? null);
    return part.organization.name === name && 'value' in reading ? String(reading.value) : undefined;
  };
  const given = read('svc_id', 'uuid');
  const taken = given && (await sql.rows('SELECT 1 AS one FROM organizations WHERE id = $1::uuid', given)).length > 0;
  const id = given && !taken ? given.toLowerCase() : randomUUID();
  const created = read('created_at', 'time') ?? now;
  await sql.run(
    `INSERT INTO organizations (id, name, created_at, updated_at) VALUES ($1::uuid, $2, $3::timestamptz, $4::timestamptz)`,
    id,
    name,
    created,
    read('updated_at', 'time') ?? created,
  );
  return id;
}

interface Progress {
  done: number;
  readonly total: number;
}

async function importPart(
  part: Part,
  name: string,
  sql: Sql,
  faults: FaultList,
  options: ImportOptions,
  progress: Progress,
): Promise<Counts> {
  const now = options.now.toISOString();
  const importer = new Importer(sql, await organizationId(part, name, now, sql), name, now, faults);
  for (const shape of SECTIONS) {
    for await (const entries of ahead(part.entries(shape, shape.name === 'invoice' ? BATCH_OF_INVOICES : BATCH))) {
      await importer.store(shape, entries);
      progress.done += entries.length;
      options.onProgress?.(progress.done, progress.total);
    }
  }
  await importer.finish();
  const { created, updated } = importer.counts;
  if (created.invoices || updated.invoices) {
    await recountInvoices((text, ...values) => sql.run(text, ...values), importer.organizationId);
  }
  return importer.counts;
}

const added = (counts: readonly Record<string, number>[]): Record<string, number> => {
  const sum: Record<string, number> = {};
  for (const [table, count] of counts.flatMap(Object.entries<number>)) sum[table] = (sum[table] ?? 0) + count;
  return sum;
};

async function importParts(
  parts: readonly Part[],
  sql: Sql,
  faults: FaultList,
  options: ImportOptions,
): Promise<ImportResult> {
  await sql.run('SELECT pg_advisory_xact_lock($1::bigint)', String(IMPORT_LOCK));
  // Subscribers are not told of every row: they read the lists again.
  await sql.run(`SELECT set_config('billing.quiet', 'on', true)`);
  if (options.organization !== undefined && parts.length > 1) faults.add('organizations', 'value_is_out_of_range');
  const progress = { done: 0, total: parts.reduce((total, part) => total + part.total, 0) };
  const counts: Counts[] = [];
  const names: string[] = [];
  for (const part of parts) {
    const name = await nameOf(part, options, sql, faults);
    names.push(name);
    counts.push(await importPart(part, name, sql, faults, options, progress));
  }
  faults.throwIfAny();
  return {
    organization: [...new Set(names)].join(', '),
    created: added(counts.map(({ created }) => created)),
    updated: added(counts.map(({ updated }) => updated)),
    unchanged: counts.reduce((sum, { unchanged }) => sum + unchanged, 0),
  };
}

// So many new rows make other plans worth while. The embedded server never looks at its tables by itself, others later.
const MANY_ROWS = 5000;
const rowsOf = ({ created }: ImportResult) => Object.values(created).reduce((sum, count) => sum + count, 0);

async function inOneTransaction(db: Database, options: ImportOptions, faults: FaultList, parts: readonly Part[]) {
  const write = async (tx: Prisma.TransactionClient) => {
    const imported = await importParts(parts, new Sql(tx), faults, options);
    await options.addTo?.(tx);
    return imported;
  };
  try {
    return await db.prisma.$transaction(write, { timeout: LONGEST_MS });
  } catch (error) {
    // A statement that failed because of a fault found before says less than the fault.
    faults.throwIfAny();
    throw error;
  }
}

/** An import that others were in the way of is tried again as a whole; where they stay, it ends with one line that says so. */
async function inTransaction(db: Database, options: ImportOptions, faults: FaultList, parts: readonly Part[]) {
  try {
    await prepareMonths(db, parts);
    const result = await repeated(() => inOneTransaction(db, options, faults, parts));
    if (rowsOf(result) >= MANY_ROWS) await db.prisma.$executeRaw`ANALYZE`;
    return result;
  } catch (error) {
    if (!isHeldByOthers(error)) throw error;
    const line = 'others hold rows that the import writes; nothing is stored, run it again';
    throw new ImportError([{ place: 'database', codes: [line] }]);
  }
}

/** Imports a document that is in memory, whole or not at all. Throws ImportError with every fault and its place. */
export async function importDocument(db: Database, document: unknown, options: ImportOptions): Promise<ImportResult> {
  const faults = new FaultList();
  return inTransaction(db, options, faults, partsOf(document as Json, faults));
}

/** Imports a file, a JSON document or one resource a line, whole or not at all. Throws ImportError with every fault and its place. */
export async function importFile(db: Database, path: string, options: ImportOptions): Promise<ImportResult> {
  const faults = new FaultList();
  if (await isLineFile(path)) return inTransaction(db, options, faults, await linePartsOf(path, faults));
  await checkEncoding(path, faults);
  let document: Json;
  try {
    document = parseJson((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    // A document nested too deeply ends in a RangeError.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    throw new ImportError([{ place: 'document', codes: [`is not JSON: ${error.message}`] }]);
  }
  return inTransaction(db, options, faults, partsOf(document, faults));
}
