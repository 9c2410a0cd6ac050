import type { Column, Table, Tables } from '../database/model.ts';

/** A query of Prisma that only Prisma can read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

export type Decode = (value: unknown) => unknown;

/** An object that rows refer to by the same column: its text stands once for all of them. */
export interface Shared {
  /** The rows' column. */
  readonly key: string;
  /** The text, in SQL. */
  readonly text: string;
}

/** A statement that is being written. */
export interface Draft {
  readonly tables: Tables;
  /** What stands for `$1`, `$2` and so on. */
  readonly constants: unknown[];
  /** How many tables have a name so far. */
  aliases: number;
  /** What makes a row of what stands in a hole of a text, by the hole's number. */
  readonly decoders: Map<number, Decode>;
  /** Whether values of enumerations stand in the statement, so that a plan that is kept knows how many rows have them. */
  readonly isLiteral?: boolean;
  /** Objects that several rows may refer to; undefined where there is one row. */
  readonly shared?: Shared[];
}

export interface Query {
  readonly select?: Readonly<Record<string, unknown>>;
  readonly include?: Readonly<Record<string, unknown>>;
  readonly where?: Readonly<Record<string, unknown>>;
  readonly orderBy?: unknown;
  readonly take?: unknown;
  readonly skip?: unknown;
}

/** The name of a statement's first table. */
export const ROOT = 't1';

/** A name for one more table of the statement. */
export const aliasOf = (draft: Draft): string => {
  draft.aliases += 1;
  return `t${draft.aliases}`;
};

export function tableOf(model: string, { tables }: Draft): Table {
  const table = tables.get(model);
  if (!table) throw new Unreadable(`no model ${model}`);
  return table;
}

export function columnNamed(name: string, { fields }: Table): Column {
  const column = fields.get(name);
  if (column?.kind !== 'column' || column.isList) throw new Unreadable(`${name} is no column`);
  return column;
}
