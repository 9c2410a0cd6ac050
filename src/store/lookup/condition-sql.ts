import type { Column, Relation, Table } from '../database/model.ts';
import { aliasOf, columnNamed, type Draft, type Query, tableOf, Unreadable } from './draft.ts';

/** Values as parameters of a statement: their types are the columns' that they are compared with. */
const PARAMETERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  Boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  BigInt: (value) => (typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : undefined),
  Int: (value) => (Number.isInteger(value) ? String(value) : undefined),
  DateTime: (value) => (value instanceof Date ? value.toISOString() : undefined),
  Decimal: (value) => (typeof value === 'string' ? value : undefined),
  ...{ Json: () => undefined, Float: () => undefined, Bytes: () => undefined },
};

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined);

function parameter(value: unknown, { name, type }: Column, { constants, isLiteral }: Draft): string {
  const read = type === 'String' ? asText : PARAMETERS[type];
  const known = (read ?? asText)(value);
  if (known === undefined) throw new Unreadable(`${name} compared with ${typeof value}`);
  if (!read && isLiteral && /^\w+$/.test(String(known))) return `'${known}'`;
  constants.push(known);
  return `$${constants.length}`;
}

const COMPARED: Readonly<Record<string, string>> = { equals: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' };

interface Compared {
  readonly sql: string;
  readonly column: Column;
  readonly draft: Draft;
}

function among(values: unknown, isIn: boolean, { sql, column, draft }: Compared): string {
  if (!Array.isArray(values)) throw new Unreadable(`${column.name} among ${typeof values}`);
  if (values.length === 0) return isIn ? 'false' : 'true';
  const list = values.map((one) => parameter(one, column, draft)).join(', ');
  return `${sql} ${isIn ? 'IN' : 'NOT IN'} (${list})`;
}

function operation(operator: string, value: unknown, compared: Compared): string {
  const { sql, column, draft } = compared;
  if (operator === 'in' || operator === 'notIn') return among(value, operator === 'in', compared);
  if (value === null && (operator === 'equals' || operator === 'not'))
    return `${sql} IS ${operator === 'not' ? 'NOT ' : ''}NULL`;
  if (operator === 'contains' && typeof value === 'string' && !/[%_\\]/.test(value))
    return `${sql} LIKE ${parameter(`%${value}%`, column, draft)}`;
  const sign = COMPARED[operator];
  if (!sign) throw new Unreadable(`${operator} of ${column.name}`);
  return `${sql} ${sign} ${parameter(value, column, draft)}`;
}

function comparison(compared: Compared, wanted: unknown): string[] {
  if (typeof wanted !== 'object' || wanted === null || wanted instanceof Date)
    return [operation('equals', wanted, compared)];
  return Object.entries(wanted).map(([operator, value]) => operation(operator, value, compared));
}

// Else a lost value would widen the query.
function condition(wanted: unknown): NonNullable<Query['where']> {
  if (typeof wanted !== 'object' || wanted === null) throw new Unreadable(`a condition ${wanted}`);
  return wanted as NonNullable<Query['where']>;
}

const all = (conditions: readonly string[]): string =>
  conditions.length === 0 ? 'true' : `(${conditions.join(' AND ')})`;

interface Place {
  readonly table: Table;
  readonly alias: string;
  /** Whether what is unknown counts as false, as it does at the top of a condition: not what is denied. */
  readonly isPlain: boolean;
}

/** Rows that belong to the row: the one, or some of them. */
function related(relation: Relation, wanted: unknown, { alias, isPlain }: Place, draft: Draft): string {
  if (!isPlain) throw new Unreadable('a relation that is denied');
  const { some, ...others } = condition(wanted);
  if (relation.isList && (some === undefined || Object.keys(others).length > 0)) throw new Unreadable('not some');
  const inner = aliasOf(draft);
  const { tables, condition: join } = relation.join(inner, alias);
  const place = { table: tableOf(relation.model, draft), alias: inner, isPlain };
  const wheres = conditionsAt(condition(relation.isList ? some : wanted), place, draft);
  return `EXISTS (SELECT FROM ${tables} WHERE ${[join, ...wheres].join(' AND ')})`;
}

function conditionsAt(where: Query['where'], place: Place, draft: Draft): string[] {
  return Object.entries(where ?? {}).flatMap(([name, wanted]) => {
    if (name === 'AND') return [wanted].flat().flatMap((one) => conditionsAt(condition(one), place, draft));
    if (name === 'OR') {
      if (!Array.isArray(wanted)) throw new Unreadable('OR of one');
      const either = wanted.map((one) => all(conditionsAt(condition(one), place, draft)));
      return either.length === 0 ? 'false' : `(${either.join(' OR ')})`;
    }
    if (name === 'NOT') return `NOT ${all(conditionsAt(condition(wanted), { ...place, isPlain: false }, draft))}`;
    const field = place.table.fields.get(name);
    if (field?.kind === 'relation') return related(field, wanted, place, draft);
    const column = columnNamed(name, place.table);
    return comparison({ sql: `${place.alias}.${column.sql}`, column, draft }, wanted);
  });
}

/**
 * The conditions of a `where`, all of which hold. It knows comparisons of columns with constants, relations to rows that meet
 * conditions, and what is made of these with AND, OR and NOT. Throws `Unreadable` for others.
 */
export const conditions = (where: Query['where'], table: Table, alias: string, draft: Draft): string[] =>
  conditionsAt(where, { table, alias, isPlain: true }, draft);
