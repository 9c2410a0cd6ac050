import type { Column, Table } from '../database/model.ts';
import { type Draft, type Query, Unreadable } from './draft.ts';

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
