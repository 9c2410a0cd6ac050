import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { type Rows, rowsOf } from '../../store/database/tenant.ts';
import type { Lookup } from '../../store/lookup/lookup.ts';
import { type Model, typeName } from '../base/builder.ts';
import { type Plan, planOf } from '../compiled/plan.ts';
import type { Context } from '../context.ts';
import type { Connection, Row } from './connection.ts';
import { lookupFor } from './find-by-id.ts';
import { cutPage, type Page, type PageArgs } from './page.ts';
import { readSums, sumLoader, sumsOf } from './sum.ts';

const memoize = <T>(read: () => Promise<T>) => {
  let promise: Promise<T> | undefined;
  return () => {
    promise ??= read();
    return promise;
  };
};

const all = (...conditions: object[]) => ({ AND: conditions.filter((condition) => Object.keys(condition).length > 0) });

/** A query with the column that cursors of its rows are made of. */
export function withOrderColumn<Query extends object>(query: Query, { order }: Page): Query {
  const { select } = query as { select?: object };
  return select ? { ...query, select: { ...select, id: true, [order.column]: true } } : query;
}

/** Rows of a page. A page over the edge between values and nulls is read in two ranges instead of one scan from the start. */
async function readRows(rows: Rows, page: Page, where: object, query: object): Promise<Row[]> {
  const { take, skip, orderBy } = page;
  const read = (condition: object, most: number) =>
    rows.findMany({ ...query, where: all(where, condition), take: most, skip, orderBy });
  if (!page.stretches) return read(page.where, take);
  const [near, far] = page.stretches;
  const first = await read(near, take);
  return first.length < take ? [...first, ...(await read(far, take - first.length))] : first;
}

const showsRelations = ({ select, include }: { select?: object; include?: object }) =>
  include !== undefined || Object.values(select ?? {}).some((asked) => typeof asked === 'object');

/**
 * The rows of a page by one statement, or by two where Prisma would have to join what belongs to them: it finds which rows
 * they are, and they are read by their identifiers. What is deleted in between is not on the page.
 */
async function readCut(rows: Rows, page: Page, where: object, plan: Plan, lookup: Lookup | undefined) {
  if (!lookup) return cutPage(page, await readRows(rows, page, where, withOrderColumn(plan.query, page)));
  const places = cutPage(page, await readRows(rows, page, where, withOrderColumn({ select: {} }, page)));
  const found = places.rows.length > 0 ? await lookup(places.rows.map(({ id }) => id)) : [];
  const byId = new Map(found.map((row) => [row.id, row]));
  const read = places.rows.flatMap((place) => {
    const row = byId.get(place.id);
    return row ? [Object.assign(row, place)] : [];
  });
  return { ...places, rows: read };
}

/** A list that begins at the root: a statement or two for the rows, one for the total, each only when asked for. */
export function rootConnection(
  model: Model,
  where: object,
  page: Page,
  args: PageArgs,
  context: Context,
  info: GraphQLResolveInfo,
): Connection {
  const rows = rowsOf(context.db, model);
  const declared = sumsOf(model);
  const plan = () => planOf(context, info, { typeName: typeName(model), paths: [['nodes'], ['edges', 'node']] });
  return {
    page,
    args,
    rows: memoize(async () => {
      const planned = plan();
      const { isCompiled, written } = planned;
      const lookup =
        isCompiled && (written || showsRelations(planned.query)) ? lookupFor(context, model, planned) : undefined;
      return readCut(rows, page, where, planned, lookup);
    }),
    total: memoize(() => rows.count({ where: all(where) })),
    sums: memoize(async () => (declared ? readSums(model, declared, all(where), context) : [])),
  };
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
