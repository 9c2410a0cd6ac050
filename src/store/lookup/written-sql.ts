import type { Column, Relation, Table } from '../database/model.ts';
import { aliasOf, type Draft, type Query, ROOT, tableOf, Unreadable } from './draft.ts';
import { HOLE_BEGIN, HOLE_END, SHARED } from './hole.ts';
import { rowsIn, shapeOf, understood } from './select-sql.ts';
import { concatenated, type Form, type Part, quoted, valueIn } from './value-sql.ts';

/** A member's value that PostgreSQL writes as it stands: the first of the paths that is not null, else the text given, else null. */
interface StoredValue {
  readonly kind: 'stored';
  /** Names of columns, some behind relations to one row: `customer.email`. */
  readonly paths: readonly string[];
  readonly otherwise?: string | undefined;
  readonly form: Form;
}

interface ConstantValue {
  readonly kind: 'constant';
  readonly json: string;
}

/** Rows that belong to the row: a list, or one, or null. */
interface RelatedValue {
  readonly kind: 'related';
  readonly relation: string;
  readonly query: Query;
  readonly object: WrittenObject;
}

/** The same row, as an object within its own. */
interface SameValue {
  readonly kind: 'same';
  readonly object: WrittenObject;
}

/** What PostgreSQL cannot say: a hole in the text, with what it takes to fill it. */
interface ComputedValue {
  readonly kind: 'computed';
  /** What it is computed from. */
  readonly query: Query;
  /** The hole's, among all of a statement. */
  readonly number: number;
  /** How most values of a column are written nevertheless. */
  readonly mostly?: StoredValue;
}

export type WrittenValue = StoredValue | ConstantValue | RelatedValue | SameValue | ComputedValue;

/** An object of an answer by its members, in their order. */
export interface WrittenObject {
  readonly members: readonly (readonly [key: string, value: WrittenValue])[];
}

const literal = (text: string): Part => ({ literal: text });

interface Place {
  readonly model: string;
  readonly alias: string;
}

interface Found {
  readonly column: Column;
  readonly sql: string;
}

/** A column of the row, or of one that it refers to. */
function columnAt(path: readonly string[], { model, alias }: Place, draft: Draft): Found {
  const [name = '', ...rest] = path;
  const field = tableOf(model, draft).fields.get(name);
  if (field?.kind === 'column' && rest.length === 0) return { column: field, sql: `${alias}.${field.sql}` };
  if (field?.kind !== 'relation' || field.isList) throw new Unreadable(`${model}.${path.join('.')}`);
  const inner = aliasOf(draft);
  const { column, sql } = columnAt(rest, { model: field.model, alias: inner }, draft);
  const { tables, condition } = field.join(inner, alias);
  return { column, sql: `(SELECT ${sql} FROM ${tables} WHERE ${condition})` };
}

function storedIn({ paths, otherwise, form }: StoredValue, place: Place, draft: Draft) {
  const found = paths.map((path) => columnAt(path.split('.'), place, draft));
  const [first] = found;
  if (!first || (otherwise !== undefined && form.as !== 'text')) throw new Unreadable('a value of nothing');
  if (first.column.isList !== (form.as === 'texts')) throw new Unreadable('a list');
  const all = [...found.map(({ sql }) => sql), ...(otherwise === undefined ? [] : [quoted(otherwise)])];
  return valueIn(form, all.length === 1 ? first.sql : `coalesce(${all.join(', ')})`, first.column);
}

function relationOf(name: string, { fields }: Table): Relation {
  const relation = fields.get(name);
  if (relation?.kind !== 'relation') throw new Unreadable(`${name} is no relation`);
  return relation;
}

// What is smaller is written as soon as it is referred to.
const LARGE = 12;

/** How many values an object has, with those of its objects. */
const sizeOf = ({ members }: WrittenObject): number =>
  members.reduce((size, [, value]) => size + ('object' in value ? sizeOf(value.object) : 1), 0);

function relatedSql({ relation: name, query, object }: RelatedValue, { model, alias }: Place, draft: Draft): string {
  const relation = relationOf(name, tableOf(model, draft));
  const inner = aliasOf(draft);
  const text = objectSql(object, { model: relation.model, alias: inner }, draft);
  const { from, order } = rowsIn(relation, understood(query), { row: alias, related: inner }, draft);
  const { shared } = draft;
  if (relation.key && shared && alias === ROOT && sizeOf(object) >= LARGE) {
    const key = `${alias}.${relation.key}`;
    const number = shared.push({ key, text: `(SELECT ${text} FROM ${from})` }) - 1;
    return `coalesce(${quoted(`${HOLE_BEGIN}${SHARED}${number}:`)} || ${key} || ${quoted(HOLE_END)}, 'null')`;
  }
  if (!relation.isList) return `coalesce((SELECT ${text} FROM ${from}), 'null')`;
  return `(SELECT concat('[', string_agg(${text}, ','${order}), ']') FROM ${from})`;
}

function computedParts({ query, number, mostly }: ComputedValue, place: Place, draft: Draft): Part[] {
  const { values, decode } = shapeOf(place.model, query, place.alias, draft);
  draft.decoders.set(number, decode);
  const row = { sql: `json_build_array(${values.join(', ')})` };
  const parts = [literal(`${HOLE_BEGIN}${number}:`), row, literal(HOLE_END)];
  if (!mostly) return parts;
  const { condition, parts: plain } = storedIn(mostly, place, draft);
  return [{ sql: `CASE WHEN ${condition} THEN ${concatenated(plain)} ELSE ${concatenated(parts)} END` }];
}

function valueParts(value: WrittenValue, place: Place, draft: Draft): Part[] {
  switch (value.kind) {
    case 'constant':
      return [literal(value.json)];
    case 'stored':
      return storedIn(value, place, draft).parts;
    case 'related':
      return [{ sql: relatedSql(value, place, draft) }];
    case 'same':
      return objectParts(value.object, place, draft);
    case 'computed':
      return computedParts(value, place, draft);
  }
}

function objectParts({ members }: WrittenObject, place: Place, draft: Draft): Part[] {
  const parts = members.flatMap(([key, value], index) => [
    literal(`${index === 0 ? '' : ','}"${key}":`),
    ...valueParts(value, place, draft),
  ]);
  return [literal('{'), ...parts, literal('}')];
}

/** The text of an object, in SQL: of the row of an alias. Throws `Unreadable` for what PostgreSQL cannot say. */
export const objectSql = (object: WrittenObject, place: Place, draft: Draft): string =>
  concatenated(objectParts(object, place, draft));
