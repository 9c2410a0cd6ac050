import DataLoader from 'dataloader';
import { rowsOf } from '../../store/database/tenant.ts';
import type { Model } from '../base/builder.ts';
import type { Context } from '../context.ts';
import type { Connection, Row } from './connection.ts';
import { placeColumns } from './order.ts';
import { cutPage, type Page, type PageArgs } from './page.ts';
import { sumLoader, sumsOf } from './sum.ts';

export const memoize = <T>(read: () => Promise<T>) => {
  let promise: Promise<T> | undefined;
  return () => {
    promise ??= read();
    return promise;
  };
};

export const all = (...conditions: object[]) => ({
  AND: conditions.filter((condition) => Object.keys(condition).length > 0),
});

/** A query with the columns that cursors of its rows are made of. */
export function withOrderColumn<Query extends object>(query: Query, { order }: Page): Query {
  const { select } = query as { select?: object };
  return select ? { ...query, select: { ...select, ...placeColumns(order) } } : query;
}

/** Where a nested list hangs: the model of its rows, and their column that names the parent. */
export interface Nesting {
  readonly model: Model;
  readonly foreignKey: string;
}

type Group = Readonly<Record<string, unknown>> & { readonly _count: { readonly _all: number } };

const loaders = new WeakMap<Context, Map<string, unknown>>();

const textOf = (where: object) =>
  JSON.stringify(where, (_key, value) => (typeof value === 'bigint' ? value.toString() : value));

/** What is read of the same list under many parents is read by one statement, which no relation of Prisma's does. */
function shared<T>(what: string, { model, foreignKey }: Nesting, where: object, context: Context, make: () => T): T {
  const key = `${what} ${model}.${foreignKey} ${textOf(where)}`;
  const known = loaders.get(context) ?? new Map<string, unknown>();
  loaders.set(context, known);
  const loader = known.get(key) ?? make();
  known.set(key, loader);
  return loader as T;
}

const totalLoader = ({ model, foreignKey }: Nesting, where: object, context: Context) =>
  new DataLoader<string, number>(async (ids) => {
    const groups = (await rowsOf(context.db, model).groupBy({
      by: [foreignKey],
      where: all(where, { [foreignKey]: { in: [...ids] } }),
      _count: { _all: true },
    })) as Group[];
    const counts = new Map(groups.map((group) => [group[foreignKey], group._count._all]));
    return ids.map((id) => counts.get(id) ?? 0);
  });

/** A list under a parent whose rows Prisma has already loaded with it. */
export function nestedConnection(
  nesting: Nesting,
  parentId: string,
  rows: readonly Row[],
  where: object,
  page: Page,
  args: PageArgs,
  context: Context,
): Connection {
  const cut = cutPage(page, rows);
  const { model, foreignKey } = nesting;
  const declared = sumsOf(model);
  const totals = () => shared('total', nesting, where, context, () => totalLoader(nesting, where, context));
  const sums = () =>
    declared && shared('sums', nesting, where, context, () => sumLoader(model, declared, foreignKey, where, context));
  return {
    page,
    args,
    rows: async () => cut,
    total: memoize(() => totals().load(parentId)),
    sums: memoize(async () => sums()?.load(parentId) ?? []),
  };
}
