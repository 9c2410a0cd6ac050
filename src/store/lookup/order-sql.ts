import type { Table } from '../database/model.ts';
import { columnNamed, type Draft, Unreadable } from './draft.ts';

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
