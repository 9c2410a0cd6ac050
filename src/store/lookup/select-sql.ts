import type { Column, Relation, Table } from '../database/model.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { conditions } from './condition-sql.ts';
import { aliasOf, type Decode, type Draft, type Query, tableOf, Unreadable } from './draft.ts';
import { limits, ordering } from './order-sql.ts';

/** What is selected: the values of a JSON array in SQL, and how the array becomes a row as Prisma gives it. */
export interface Shape {
  readonly values: readonly string[];
  readonly decode: Decode;
  /** Whether numbers may stand in the array that JavaScript would round: those of JSON columns and of floats, else none. */
  readonly hasNumbers: boolean;
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

const NUMBERS = new Set(['Json', 'Float']);

const plain: Decode = (value) => value;
// A column of a list may be null in SQL, and never is in Prisma.
const listOrNone: Decode = (value) => value ?? [];

type Part = Pick<Shape, 'decode' | 'hasNumbers'> & { readonly value: string };

function columnShape({ sql, type, isList }: Column, alias: string): Part {
  const decode = DECODE[type];
  if (type === 'Bytes' || (isList && (decode || type === 'Json'))) throw new Unreadable(`a list of ${type}`);
  const value = `${alias}.${sql}`;
  const hasNumbers = NUMBERS.has(type);
  if (isList) return { value, decode: listOrNone, hasNumbers };
  if (!decode) return { value, decode: plain, hasNumbers };
  const orNull: Decode = (known) => (known === null ? null : decode(known));
  return { value: type in EXACT ? `${value}::text` : value, decode: orNull, hasNumbers };
}

const UNDERSTOOD = new Set(['select', 'include', 'where', 'orderBy', 'take', 'skip']);

/** The parts of a query. Throws `Unreadable` for others than these. */
export function understood(query: unknown): Query {
  const entries = Object.entries(query === true ? {} : (query as object)).filter(([, value]) => value !== undefined);
  for (const [name] of entries) if (!UNDERSTOOD.has(name)) throw new Unreadable(name);
  return Object.fromEntries(entries);
}

interface Aliases {
  /** Of the rows that belong. */
  readonly related: string;
  readonly row: string;
}

/** What a relation's rows are read from, and the order to put them together in. */
export function rowsIn(relation: Relation, asked: Query, { related, row }: Aliases, draft: Draft) {
  const { where, orderBy, take, skip } = asked;
  const table = tableOf(relation.model, draft);
  const { tables, condition } = relation.join(related, row);
  const all = [condition, ...conditions(where, table, related, draft)].join(' AND ');
  const order = ordering(orderBy, table, related);
  if (!relation.isList && (order || take !== undefined || skip !== undefined))
    throw new Unreadable('a part of one row');
  const part = limits(take, skip, draft);
  const from = part
    ? `(SELECT ${related}.* FROM ${tables} WHERE ${all}${order}${part}) ${related}`
    : `${tables} WHERE ${all}`;
  return { from, order };
}

function relationShape(relation: Relation, asked: unknown, row: string, draft: Draft): Part {
  const query = understood(asked);
  const related = aliasOf(draft);
  const { values, decode, hasNumbers } = shapeOf(relation.model, query, related, draft);
  const array = `json_build_array(${values.join(', ')})`;
  const { from, order } = rowsIn(relation, query, { related, row }, draft);
  if (!relation.isList) {
    const one: Decode = (value) => (value === null ? null : decode(value));
    return { value: `(SELECT ${array} FROM ${from})`, decode: one, hasNumbers };
  }
  const list: Decode = (rows) => (rows as unknown[]).map(decode);
  return { value: `(SELECT coalesce(json_agg(${array}${order}), '[]') FROM ${from})`, decode: list, hasNumbers };
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
  return { values: parts.map(({ value }) => value), decode, hasNumbers: parts.some((part) => part.hasNumbers) };
}
