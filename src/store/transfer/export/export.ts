import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Database } from '../../database/database.ts';
import type { Shape } from '../document/shape.ts';
import { SECTIONS } from '../shape/all.ts';
import { type JsonObject, jsonText } from '../value/json.ts';
import { type Found, Sql } from '../value/sql.ts';
import { itemsOf, selection } from './export-item.ts';

export interface ExportOptions {
  /** Name of the organization; every organization when it is left out. */
  readonly organization?: string;
  /** One document, or one `{"resource": {...}}` a line. */
  readonly format?: 'json' | 'ndjson';
}

const PAGE = 200;
const LONGEST_MS = 6 * 60 * 60 * 1000;

type Print = (text: string) => Promise<void>;

/** The items of a section, a page at a time, in the order in which they were made. */
async function* pagesOf(shape: Shape, organizationId: string, sql: Sql): AsyncGenerator<JsonObject[]> {
  const read = (after: string, ...place: (string | null)[]): Promise<Found[]> =>
    sql.rows(
      `${selection(shape)} FROM ${shape.table} t WHERE t.organization_id = $1::uuid ${after}
       ${shape.listed ? `AND ${shape.listed}` : ''} ORDER BY t.created_at, t.id LIMIT ${PAGE}`,
      organizationId,
      ...place,
    );
  let rows = await read('');
  while (rows.length > 0) {
    yield [...(await itemsOf(shape, rows, sql)).values()];
    const last = rows.at(-1);
    const moment = last?.['f created_at'] ?? null;
    // Indexes have the newest first: as one range, the rest of a moment would be sorted again for every page of it.
    rows = await read('AND t.created_at = $2::timestamptz AND t.id > $3::uuid', moment, last?.id ?? null);
    if (rows.length === 0) rows = await read('AND t.created_at > $2::timestamptz', moment);
  }
}

async function printSection(shape: Shape, organizationId: string, sql: Sql, print: Print): Promise<void> {
  let separator = `,\n"${shape.section}": [\n`;
  for await (const items of pagesOf(shape, organizationId, sql)) {
    for (const item of items) {
      await print(separator + jsonText(item));
      separator = ',\n';
    }
  }
  if (separator === ',\n') await print('\n]');
}

async function printDocument(organization: JsonObject, sql: Sql, print: Print): Promise<void> {
  await print(`{\n"organization": ${jsonText(organization)}`);
  for (const shape of SECTIONS) await printSection(shape, String(organization.svc_id), sql, print);
  await print('\n}');
}

async function printLines(organization: JsonObject, sql: Sql, print: Print): Promise<void> {
  await print(`${jsonText({ organization })}\n`);
  for (const shape of SECTIONS) {
    for await (const items of pagesOf(shape, String(organization.svc_id), sql)) {
      for (const item of items) await print(`${jsonText({ [shape.name]: item })}\n`);
    }
  }
}

async function organizationsOf(sql: Sql, name: string | undefined): Promise<JsonObject[]> {
  const rows = await sql.rows(
    `SELECT id::text AS svc_id, name, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at,
       to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at
     FROM organizations WHERE $1::text IS NULL OR name = $1 ORDER BY created_at, id`,
    name ?? null,
  );
  if (name !== undefined && rows.length === 0) throw new Error(`there is no organization ${name}`);
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([key, text]) => [key, text?.replace('.000Z', 'Z')])),
  );
}

async function printAll(sql: Sql, options: ExportOptions, print: Print): Promise<void> {
  const organizations = await organizationsOf(sql, options.organization);
  if (options.format === 'ndjson') {
    for (const organization of organizations) await printLines(organization, sql, print);
    return;
  }
  const [first, ...others] = organizations;
  if (first && others.length === 0) await printDocument(first, sql, print);
  else {
    await print('{\n"organizations": [\n');
    for (const [index, organization] of organizations.entries()) {
      if (index > 0) await print(',\n');
      await printDocument(organization, sql, print);
    }
    await print('\n]\n}');
  }
  await print('\n');
}

/**
 * Writes what the import reads: the same rows give the same bytes. Rows are read a page at a time from one snapshot, so
 * that memory does not grow with the database. The stream is left open. Throws when the organization does not exist.
 */
export async function exportTo(db: Database, stream: Writable, options: ExportOptions = {}): Promise<void> {
  const print: Print = async (text) => {
    if (!stream.write(text)) await once(stream, 'drain');
  };
  await db.prisma.$transaction((tx) => printAll(new Sql(tx), options, print), {
    isolationLevel: 'RepeatableRead',
    timeout: LONGEST_MS,
  });
}
