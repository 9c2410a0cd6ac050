import type { ObjectRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { builder, type Model, type Types, typeName } from './builder.ts';
import type { Context, Resource } from './context.ts';
import { cursorOf, cutPage, type Page, type PageArgs, pageMeta, readPage } from './page.ts';

interface Row {
  readonly id: string;
  readonly createdAt: Date;
}

/** What a connection resolves to; rows and total are read only when they are asked for. */
export interface Connection {
  readonly page: Page;
  readonly args: PageArgs;
  rows(): Promise<{ rows: Row[]; hasMore: boolean }>;
  total(): Promise<number>;
}

/** The part of a Prisma delegate that lists need. */
interface Delegate {
  findMany(args: object): Promise<Row[]>;
  count(args: object): Promise<number>;
  groupBy(args: object): Promise<(Record<string, unknown> & { _count: { _all: number } })[]>;
}

const delegate = (context: Context, model: Model): Delegate => {
  const name = `${model.charAt(0).toLowerCase()}${model.slice(1)}`;
  return (context.db as unknown as Record<string, Delegate>)[name] as Delegate;
};

const Meta = builder.objectRef<ReturnType<typeof pageMeta>>('PageMeta').implement({
  description: "Numbers of a page, as the specification's `meta` object.",
  fields: (t) => ({
    currentPage: t.exposeInt('currentPage', { description: 'Number of this page; 0 for an empty list.' }),
    totalPages: t.exposeInt('totalPages', { description: 'Number of pages.' }),
    totalCount: t.exposeInt('totalCount', { description: 'Number of objects in the whole list.' }),
    nextPage: t.exposeInt('nextPage', { nullable: true, description: 'Number of the next page.' }),
    prevPage: t.exposeInt('prevPage', { nullable: true, description: 'Number of the previous page.' }),
  }),
});

const isSet = (value: unknown) => value !== null && value !== undefined;

async function pageInfo({ page, args, rows }: Connection) {
  const { rows: shown, hasMore } = await rows();
  const [head, tail] = [shown[0], shown.at(-1)];
  return {
    hasNextPage: page.backward ? isSet(args.before) : hasMore,
    hasPreviousPage: page.backward ? hasMore : isSet(args.after) || page.number > 1,
    startCursor: head ? cursorOf(head) : null,
    endCursor: tail ? cursorOf(tail) : null,
  };
}

type AnyRef = ObjectRef<Types, Row>;
const types = new Map<string, ObjectRef<Types, Connection>>();
const refs = new Map<string, AnyRef>();

/** Every node that lists show is registered with its permission, once, when its type is defined. */
export function registerNode(name: Model, ref: unknown): void {
  refs.set(name, ref as AnyRef);
}

/** `XConnection` and `XEdge` of a node, made on first use. */
export function connectionType(name: Model, resource: Resource): ObjectRef<Types, Connection> {
  const known = types.get(name);
  if (known) return known;
  const node = refs.get(name);
  if (!node) throw new Error(`no node ${name}`);
  const shown = typeName(name);
  const Edge = builder.objectRef<Row>(`${shown}Edge`).implement({
    description: `A ${shown} and its place in a list.`,
    fields: (t) => ({
      cursor: t.string({ description: 'Place of the object, for `after` and `before`.', resolve: cursorOf }),
      node: t.field({ type: node, description: 'The object.', resolve: (row) => row }),
    }),
  });
  const type = builder.objectRef<Connection>(`${shown}Connection`).implement({
    description: `A list of ${shown} objects, newest first.`,
    extensions: { resource },
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        description: 'The objects of this page with their places.',
        resolve: async (list) => (await list.rows()).rows,
      }),
      nodes: t.field({
        type: [node],
        description: 'The objects of this page.',
        resolve: async (list) => (await list.rows()).rows,
      }),
      pageInfo: t.field({ type: builder.pageInfoRef(), description: 'What lies around this page.', resolve: pageInfo }),
      totalCount: t.int({ description: 'Number of objects in the whole list.', resolve: (list) => list.total() }),
      meta: t.field({
        type: Meta,
        description: 'Numbers of the page. Counts the whole list.',
        resolve: async (list) => pageMeta(list.page, await list.total()),
      }),
    }),
  });
  types.set(name, type);
  return type;
}

const NODE_PATHS = [[{ name: 'nodes' }], [{ name: 'edges' }, { name: 'node' }]];

/** What Pothos follows from a connection to its rows. */
export const nodeInclude = (name: Model) => ({ getType: () => typeName(name), paths: NODE_PATHS });

const memoize = <T>(read: () => Promise<T>) => {
  let promise: Promise<T> | undefined;
  return () => {
    promise ??= read();
    return promise;
  };
};

const all = (...conditions: object[]) => ({ AND: conditions.filter((condition) => Object.keys(condition).length > 0) });

/** A list that begins at the root: one statement for the rows, one for the total, each only when asked for. */
export function rootConnection(
  model: Model,
  where: object,
  args: PageArgs,
  context: Context,
  info: GraphQLResolveInfo,
): Connection {
  const page = readPage(args);
  const query = () =>
    queryFromInfo({ context, info, typeName: typeName(model), paths: [['nodes'], ['edges', 'node']] }) as {
      select?: object;
    };
  const findMany = async () => {
    const { take, skip, orderBy } = page;
    const rows = await delegate(context, model).findMany({
      ...query(),
      where: all(where, page.where),
      take,
      skip,
      orderBy,
    });
    return cutPage(page, rows);
  };
  return {
    page,
    args,
    rows: memoize(findMany),
    total: memoize(() => delegate(context, model).count({ where: all(where) })),
  };
}

/** Where a nested list hangs: the model of its rows, and their column that names the parent. */
export interface Nesting {
  readonly model: Model;
  readonly foreignKey: string;
}

const totals = new WeakMap<Context, Map<string, DataLoader<string, number>>>();

/** Totals of the same list under many parents are counted by one statement, which no relation of Prisma's does. */
function totalLoader({ model, foreignKey }: Nesting, where: object, context: Context): DataLoader<string, number> {
  const key = `${model}.${foreignKey} ${JSON.stringify(where)}`;
  const loaders = totals.get(context) ?? new Map<string, DataLoader<string, number>>();
  totals.set(context, loaders);
  const known = loaders.get(key);
  if (known) return known;
  const loader = new DataLoader<string, number>(async (ids) => {
    const groups = await delegate(context, model).groupBy({
      by: [foreignKey],
      where: all(where, { [foreignKey]: { in: [...ids] } }),
      _count: { _all: true },
    });
    const counts = new Map(groups.map((group) => [group[foreignKey], group._count._all]));
    return ids.map((id) => counts.get(id) ?? 0);
  });
  loaders.set(key, loader);
  return loader;
}

/** A list under a parent whose rows Prisma has already loaded with it. */
export function nestedConnection(
  nesting: Nesting,
  parentId: string,
  rows: readonly Row[],
  where: object,
  args: PageArgs,
  context: Context,
): Connection {
  const page = readPage(args);
  const cut = cutPage(page, rows);
  return {
    page,
    args,
    rows: async () => cut,
    total: memoize(() => totalLoader(nesting, where, context).load(parentId)),
  };
}
