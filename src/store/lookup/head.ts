import { type Table, tablesOf } from '../database/model.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { aliasOf, type Decode, type Draft, type Query, tableOf, Unreadable } from './draft.ts';
import { shapeOf } from './select-sql.ts';
import { objectSql, type WrittenObject } from './written-sql.ts';

const OWNER = '$1';

export interface Row {
  readonly id: string;
}

/** Objects that PostgreSQL writes as text for every row, and how their texts are kept with it. */
export interface Writing {
  readonly objects: readonly WrittenObject[];
  /** The row with its texts, in which holes are left. */
  keep(row: object, texts: readonly string[], decoders: ReadonlyMap<number, Decode>): object;
}

/** How statements about a table begin: what they select, of rows of one organization. */
export interface Head {
  readonly table: Table;
  readonly alias: string;
  /** `SELECT` with the columns. */
  readonly select: string;
  /** The condition that rows are the organization's, which is the first parameter. */
  readonly owner: string;
  decode(columns: readonly unknown[]): Row;
}

function decoderOf(decode: Decode, writing: Writing | undefined, { decoders }: Draft): Head['decode'] {
  const rowOf = (json: unknown) => decode(JSON.parse(String(json))) as Row;
  if (!writing) return ([json]) => rowOf(json);
  return ([json, ...texts]) => writing.keep(rowOf(json), texts.map(String), decoders) as Row;
}

/** The begin of a statement that finds what Prisma would, in a JSON array, and writes objects beside it. */
export function headOf(model: string, query: Query, writing: Writing | undefined, draft: Draft): Head {
  const table = tableOf(model, draft);
  const alias = aliasOf(draft);
  const { values, decode } = shapeOf(model, query, alias, draft);
  const texts = (writing?.objects ?? []).map((object) => `, ${objectSql(object, { model, alias }, draft)}`).join('');
  return {
    table,
    alias,
    select: `SELECT json_build_array(${values.join(', ')})::text${texts}`,
    owner: `${alias}.${model === 'Organization' ? '"id"' : '"organization_id"'} = ${OWNER}`,
    decode: decoderOf(decode, writing, draft),
  };
}

/** A draft without parameters, but for the organization. */
export const draftOf = (prisma: PrismaClient): Draft => ({
  ...{ tables: tablesOf(prisma), constants: [undefined], aliases: 0, decoders: new Map() },
});

/** What is written; undefined where only Prisma can read it. */
export function unlessUnreadable<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
