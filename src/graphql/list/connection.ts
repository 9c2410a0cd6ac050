import type { ObjectRef } from '@pothos/core';
import { builder, type Model, type Types, typeName } from '../base/builder.ts';
import { allOf, oneOf } from '../base/prose.ts';
import type { Resource } from '../context.ts';
import { type Aggregated, aggregatesField } from './aggregate.ts';
import { cursorOf } from './order.ts';
import { type Page, type PageArgs, pageMeta } from './page.ts';

/** What every row of a list carries; the column that the list is ordered by comes with it. */
export interface Row {
  readonly id: string;
  readonly createdAt: Date;
}

/** What a connection resolves to; rows, total and sums are read only when they are asked for. */
export interface Connection extends Aggregated {
  readonly page: Page;
  readonly args: PageArgs;
  rows(): Promise<{ rows: Row[]; hasMore: boolean }>;
}

const Meta = builder.objectRef<ReturnType<typeof pageMeta>>('PageMeta').implement({
  description: 'Where a page stands in its list, by numbers.',
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
    hasNextPage: isSet(args.before) || (!page.backward && hasMore),
    hasPreviousPage: isSet(args.after) || (page.backward ? hasMore : page.number > 1),
    startCursor: head ? cursorOf(head, page.order) : null,
    endCursor: tail ? cursorOf(tail, page.order) : null,
  };
}

type AnyRef = ObjectRef<Types, Row>;
const types = new Map<string, ObjectRef<Types, Connection>>();
const refs = new Map<string, AnyRef>();

/** Every node that lists show is registered with its permission, once, when its type is defined. */
export function registerNode(name: Model, ref: unknown): void {
  refs.set(name, ref as AnyRef);
}

interface Edge {
  readonly row: Row;
  readonly cursor: string;
}

const edgesOf = async ({ page, rows }: Connection): Promise<Edge[]> =>
  (await rows()).rows.map((row) => ({ row, cursor: cursorOf(row, page.order) }));

function edgeType(name: string, one: string, node: AnyRef) {
  return builder.objectRef<Edge>(`${name}Edge`).implement({
    description: `The place in a list of ${one}.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        description: 'Place of the object, for `after` and `before`; it holds for the order of this list.',
      }),
      node: t.field({ type: node, description: 'The object.', resolve: ({ row }) => row }),
    }),
  });
}

type PageFields = PothosSchemaTypes.ObjectFieldBuilder<Types, Connection>;

const pageFields = (t: PageFields, node: AnyRef, edge: ReturnType<typeof edgeType>) => ({
  edges: t.field({ type: [edge], description: 'The objects of this page with their places.', resolve: edgesOf }),
  nodes: t.field({
    type: [node],
    description: 'The objects of this page.',
    resolve: async (list) => (await list.rows()).rows,
  }),
  pageInfo: t.field({ type: builder.pageInfoRef(), description: 'What lies around this page.', resolve: pageInfo }),
  totalCount: t.int({
    description: 'Number of objects in the whole list, counted only where it is asked for.',
    resolve: (list) => list.total(),
  }),
  meta: t.field({
    type: Meta,
    description: 'Where this page stands in the list, by numbers; the whole list is counted for it.',
    resolve: async (list) => pageMeta(list.page, await list.total()),
  }),
});

/** `XPage` and `XEdge` of objects that are made of several rows: what holds for lists of rows does not hold for them. */
export function madeConnection(name: string, one: string, description: string, node: unknown, resource: Resource) {
  const edge = edgeType(name, one, node as AnyRef);
  return builder.objectRef<Connection>(`${name}Page`).implement({
    description,
    extensions: { resource },
    fields: (t) => pageFields(t, node as AnyRef, edge),
  });
}

/** `XConnection` and `XEdge` of a node, made on first use. */
export function connectionType(name: Model, resource: Resource): ObjectRef<Types, Connection> {
  const known = types.get(name);
  if (known) return known;
  const node = refs.get(name);
  if (!node) throw new Error(`no node ${name}`);
  const edge = edgeType(typeName(name), oneOf(name), node);
  const type = builder.objectRef<Connection>(`${typeName(name)}Connection`).implement({
    description: `A page of a list of ${allOf(name)}, newest first unless another order is asked for.`,
    extensions: { resource },
    fields: (t) => ({
      ...pageFields(t, node, edge),
      aggregates: aggregatesField(t, name, resource),
    }),
  });
  types.set(name, type);
  return type;
}

const NODE_PATHS = [[{ name: 'nodes' }], [{ name: 'edges' }, { name: 'node' }]];

/** What Pothos follows from a connection to its rows. */
export const nodeInclude = (name: Model) => ({ getType: () => typeName(name), paths: NODE_PATHS });
