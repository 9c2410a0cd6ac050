import { Prisma } from '../generated/prisma/client.ts';
import type { Column, Relation, Table, Tables } from './model.ts';

/** A query of Prisma that only Prisma can read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

type Decode = (value: unknown) => unknown;

/** What is selected: the values of a JSON array in SQL, and how the array becomes a row as Prisma gives it. */
interface Shape {
  readonly values: readonly string[];
  readonly decode: Decode;
}

/** A statement that is being written. */
export interface Draft {
  readonly tables: Tables;
  /** What stands for `$1`, `$2` and so on. */
  readonly constants: unknown[];
  /** How many tables have a name so far. */
  aliases: number;
}

export interface Query {
  readonly select?: Readonly<Record<string, unknown>>;
  readonly include?: Readonly<Record<string, unknown>>;
  readonly where?: Readonly<Record<string, unknown>>;
  readonly orderBy?: unknown;
  readonly take?: unknown;
  readonly skip?: unknown;
}

const MOST_VALUES = 100; // of a function's arguments, in PostgreSQL

function moment(value: unknown): Date {
  const date = new Date(String(value));
  if (Number.isNaN(date.getTime())) throw new Unreadable(`no moment: ${value}`);
  return date;
}

// Numbers that JavaScript would round travel as texts.
const EXACT: Readonly<Record<string, Decode>> = {
  BigInt: (value) => BigInt(String(value)),
  Decimal: (value) => new Prisma.Decimal(String(value)),
};
const DECODE: Readonly<Record<string, Decode>> = { ...EXACT, DateTime: moment };

const plain: Decode = (value) => value;
// A column of a list may be null in SQL, and never is in Prisma.
const listOrNone: Decode = (value) => value ?? [];

function columnShape({ sql, type, isList }: Column, alias: string): { value: string; decode: Decode } {
  const decode = DECODE[type];
  if (type === 'Bytes' || (isList && (decode || type === 'Json'))) throw new Unreadable(`a list of ${type}`);
  const value = `${alias}.${sql}`;
  if (isList) return { value, decode: listOrNone };
  if (!decode) return { value, decode: plain };
  const orNull: Decode = (known) => (known === null ? null : decode(known));
  return { value: type in EXACT ? `${value}::text` : value, decode: orNull };
}

/** A parameter of the statement. Its type is the column's that it is compared with. */
function parameter({ constants }: Draft, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'boolean') throw new Unreadable(`a condition on ${typeof value}`);
  constants.push(value);
  return `$${constants.length}`;
}

function comparison(column: string, wanted: unknown, draft: Draft): string {
  if (wanted === null) return `${column} IS NULL`;
  if (typeof wanted !== 'object') return `${column} = ${parameter(draft, wanted)}`;
  const [[operator, value] = ['', undefined], ...others] = Object.entries(wanted);
  if (others.length === 0 && operator === 'not' && value === null) return `${column} IS NOT NULL`;
  if (others.length > 0 || !['in', 'notIn'].includes(operator) || !Array.isArray(value) || value.length === 0) {
    throw new Unreadable(`a condition on ${column}`);
  }
  const list = value.map((one) => parameter(draft, one)).join(', ');
  return `${column} ${operator === 'in' ? 'IN' : 'NOT IN'} (${list})`;
}

function columnNamed(name: string, { fields }: Table): Column {
  const column = fields.get(name);
  if (column?.kind !== 'column' || column.isList) throw new Unreadable(`${name} is no column`);
  return column;
}

// Else a lost value would widen the query.
function condition(wanted: unknown): Query['where'] {
  if (typeof wanted !== 'object' || wanted === null) throw new Unreadable(`AND ${wanted}`);
  return wanted as Query['where'];
}

/** The conditions of a `where` that compares columns with constants; all of them hold. */
export function conditions(where: Query['where'], table: Table, alias: string, draft: Draft): string[] {
  return Object.entries(where ?? {}).flatMap(([name, wanted]) =>
    name === 'AND'
      ? [wanted].flat().flatMap((one) => conditions(condition(one), table, alias, draft))
      : comparison(`${alias}.${columnNamed(name, table).sql}`, wanted, draft),
  );
}

const DIRECTIONS = new Map<unknown, string>(Object.entries({ asc: 'ASC', desc: 'DESC' }));
const NULLS = new Map<unknown, string>(Object.entries({ first: ' NULLS FIRST', last: ' NULLS LAST' }));

/** ` ORDER BY …`, or nothing. */
export function ordering(orderBy: unknown, table: Table, alias: string): string {
  const orders = [orderBy ?? []].flat().flatMap((order) => Object.entries(order as object));
  const terms = orders.map(([name, order]) => {
    const { sort, nulls } = typeof order === 'object' ? (order as { sort: string; nulls?: string }) : { sort: order };
    const [direction, last] = [DIRECTIONS.get(sort), nulls === undefined ? '' : NULLS.get(nulls)];
    if (direction === undefined || last === undefined) throw new Unreadable(`an order by ${name}`);
    return `${alias}.${columnNamed(name, table).sql} ${direction}${last}`;
  });
  return terms.length > 0 ? ` ORDER BY ${terms.join(', ')}` : '';
}

function count(name: string, value: unknown, { constants }: Draft): string {
  if (!Number.isInteger(value) || Number(value) < 0) throw new Unreadable(`${name} ${value}`);
  constants.push(value);
  return ` ${name} $${constants.length}`;
}

/** ` LIMIT … OFFSET …`, or nothing for all rows. */
export const limits = (take: unknown, skip: unknown, draft: Draft): string =>
  (take === undefined ? '' : count('LIMIT', take, draft)) + (skip ? count('OFFSET', skip, draft) : '');

const UNDERSTOOD = new Set(['select', 'include', 'where', 'orderBy', 'take', 'skip']);

function understood(query: unknown): Query {
  const entries = Object.entries(query === true ? {} : (query as object)).filter(([, value]) => value !== undefined);
  for (const [name] of entries) if (!UNDERSTOOD.has(name)) throw new Unreadable(name);
  return Object.fromEntries(entries);
}

function relationShape(relation: Relation, asked: unknown, row: string, draft: Draft) {
  const { where, orderBy, take, skip, ...selection } = understood(asked);
  const table = tableOf(relation.model, draft);
  const alias = aliasOf(draft);
  const { values, decode } = shapeOf(relation.model, selection, alias, draft);
  const { tables, condition } = relation.join(alias, row);
  const all = [condition, ...conditions(where, table, alias, draft)].join(' AND ');
  const order = ordering(orderBy, table, alias);
  const array = `json_build_array(${values.join(', ')})`;
  if (!relation.isList) {
    if (order || take !== undefined || skip !== undefined) throw new Unreadable('a part of one row');
    const one: Decode = (value) => (value === null ? null : decode(value));
    return { value: `(SELECT ${array} FROM ${tables} WHERE ${all})`, decode: one };
  }
  const part = limits(take, skip, draft);
  const list: Decode = (rows) => (rows as unknown[]).map(decode);
  const from = part
    ? `(SELECT ${alias}.* FROM ${tables} WHERE ${all}${order}${part}) ${alias}`
    : `${tables} WHERE ${all}`;
  return { value: `(SELECT coalesce(json_agg(${array}${order}), '[]') FROM ${from})`, decode: list };
}

export const aliasOf = (draft: Draft): string => {
  draft.aliases += 1;
  return `t${draft.aliases}`;
};

export function tableOf(model: string, { tables }: Draft): Table {
  const table = tables.get(model);
  if (!table) throw new Unreadable(`no model ${model}`);
  return table;
}

/** The names of what a query asks for, with what it asks of each: of a column nothing. */
function askedOf({ select, include }: Query, { fields }: Table): [string, unknown][] {
  const columns = [...fields.values()].flatMap(({ kind, name }): [string, unknown][] =>
    kind === 'column' ? [[name, true]] : [],
  );
  const asked = select ? Object.entries(select) : [...columns, ...Object.entries(include ?? {})];
  return asked.filter(([, value]) => value !== false && value !== undefined);
}

/** What a Prisma query with `select` or `include` asks of a row. Throws `Unreadable` for what only Prisma can read. */
export function shapeOf(model: string, query: Query, alias: string, draft: Draft): Shape {
  const table = tableOf(model, draft);
  const parts = askedOf(query, table).map(([name, asked]) => {
    const field = table.fields.get(name);
    if (!field) throw new Unreadable(`${model}.${name}`);
    const part = field.kind === 'column' ? columnShape(field, alias) : relationShape(field, asked, alias, draft);
    return { name, ...part };
  });
  if (parts.length === 0 || parts.length > MOST_VALUES) throw new Unreadable(`${parts.length} values of ${model}`);
  const decode: Decode = (values) => {
    const row: Record<string, unknown> = {};
    parts.forEach((part, index) => {
      row[part.name] = part.decode((values as unknown[])[index]);
    });
    return row;
  };
  return { values: parts.map(({ value }) => value), decode };
}
