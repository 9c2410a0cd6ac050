import { parseExactJson } from '../database/exact-json.ts';
import { type Table, type Tables, tablesOf } from '../database/model.ts';
import { modelsElsewhere } from '../database/tenant.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { aliasOf, type Decode, type Draft, type Query, type Shared, tableOf, Unreadable } from './draft.ts';
import { type Shape, shapeOf } from './select-sql.ts';
import { objectSql, type WrittenObject } from './written-sql.ts';

/** The parameter that is the organization. */
export const OWNER = '$1';

export interface Row {
  readonly id: string;
}

/** Objects that PostgreSQL writes as text for every row, and how their texts are kept with it. */
export interface Writing {
  readonly objects: readonly WrittenObject[];
  /** Whether there are several rows, which may refer to the same objects. */
  readonly isList: boolean;
  /** The row with its texts, in which holes are left. */
  keep(row: object, texts: readonly string[], filling: Filling): object;
}

/** What fills holes of texts. */
export interface Filling {
  /** By the holes' numbers. */
  readonly decoders: ReadonlyMap<number, Decode>;
  /** Texts of objects that rows share, by the shared objects' numbers and the rows' identifiers. */
  readonly shared: readonly ReadonlyMap<string, string>[];
}

/** How statements about a table begin: what they select, of rows of one organization. */
export interface Head {
  readonly table: Table;
  readonly alias: string;
  /** `SELECT` with the columns. */
  readonly select: string;
  /** The condition that rows are the organization's, which is the first parameter. */
  readonly owner: string;
  decode(rows: readonly (readonly unknown[])[]): Row[];
}

// The length of an identifier, which stands before a shared text.
const KEY = 36;

/** The texts of one shared object, which stand in a column of the first row that refers to each. */
function sharedIn(rows: readonly (readonly unknown[])[], column: number): Map<string, string> {
  const texts = rows.flatMap((row) => (row[column] === null ? [] : [String(row[column])]));
  return new Map(texts.map((text) => [text.slice(0, KEY), text.slice(KEY)]));
}

function decoderOf(
  { decode, hasNumbers }: Pick<Shape, 'decode' | 'hasNumbers'>,
  writing: Writing | undefined,
  { decoders, shared = [] }: Draft,
): Head['decode'] {
  const parse = hasNumbers ? parseExactJson : JSON.parse;
  // As one text: to parse many costs more.
  const read = (rows: readonly (readonly unknown[])[]) =>
    (parse(`[${rows.map(([json]) => json).join()}]`) as unknown[]).map((values) => decode(values) as Row);
  if (!writing) return read;
  const { length } = writing.objects;
  return (rows) => {
    const filling = { decoders, shared: shared.map((_, number) => sharedIn(rows, 1 + length + number)) };
    return read(rows).map(
      (row, index) => writing.keep(row, (rows[index] ?? []).slice(1, 1 + length).map(String), filling) as Row,
    );
  };
}

/** A column that holds the text for the first of the rows that share it, after their identifier. */
const sharedColumn = ({ key, text }: Shared): string =>
  `, CASE WHEN ${key} IS NOT NULL AND row_number() OVER (PARTITION BY ${key}) = 1 THEN concat(${key}, ${text}) END`;

/** The begin of a statement that finds what Prisma would, in a JSON array, and writes objects beside it. */
export function headOf(model: string, query: Query, writing: Writing | undefined, draft: Draft): Head {
  const table = tableOf(model, draft);
  const alias = aliasOf(draft);
  const shape = shapeOf(model, query, alias, draft);
  const texts = (writing?.objects ?? []).map((object) => `, ${objectSql(object, { model, alias }, draft)}`);
  const columns = [...texts, ...(draft.shared ?? []).map(sharedColumn)].join('');
  return {
    table,
    alias,
    select: `SELECT json_build_array(${shape.values.join(', ')})::text${columns}`,
    owner: `${alias}.${model === 'Organization' ? '"id"' : '"organization_id"'} = ${OWNER}`,
    decode: decoderOf(shape, writing, draft),
  };
}

function tablesHere(prisma: PrismaClient): Tables {
  const elsewhere = modelsElsewhere(prisma);
  const tables = tablesOf(prisma);
  return elsewhere.size === 0 ? tables : new Map([...tables].filter(([model]) => !elsewhere.has(model)));
}

/** A draft without parameters, but for the organization. */
export const draftOf = (prisma: PrismaClient, writing?: Writing): Draft => ({
  ...{ tables: tablesHere(prisma), constants: [undefined], aliases: 0, decoders: new Map() },
  ...(writing?.isList && { shared: [] }),
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
