import type { FieldMap } from '@pothos/core';
import type { PrismaModelTypes, PrismaObjectRef, prismaModelName } from '@pothos/plugin-prisma';
import { builder, type Model, type Types, typeName } from '../base/builder.ts';
import { type ColumnOptions, columns, type Exposing, isSoftDeleted, relationDescription } from '../base/column.ts';
import { isUuid } from '../base/scalar.ts';
import type { Context, Resource } from '../context.ts';
import { connectionType, nodeInclude, registerNode } from './connection.ts';
import { type Nesting, nestedConnection, withOrderColumn } from './list.ts';
import { filterOf, type ListArgs, type ListFilter, registerFilter } from './list-filter.ts';
import { type PageArgs, readPage } from './page.ts';

type ModelOf<M extends Model> = PrismaModelTypes & Types['PrismaTypes'][M];
/** Field builder of a model whose rows are only sure to carry their identifier; each field selects what it needs. */
type PrismaFields<M extends Model> = PothosSchemaTypes.PrismaObjectFieldBuilder<
  Types,
  ModelOf<M>,
  { id: string; [prismaModelName]?: ModelOf<M>['Name'] }
>;

/** A type whose objects are rows of a model. */
export type RowRef<M extends Model> = PrismaObjectRef<Types, ModelOf<M>, { id: string }>;

interface NodeOptions<M extends Model> extends ColumnOptions {
  /** What a key needs the `read` mode of, to see objects of this type. */
  readonly resource: Resource;
  readonly fields?: (t: PrismaFields<M>) => FieldMap;
  /** How lists of the model are narrowed and ordered. */
  readonly filter?: ListFilter;
}

// An identifier that is no UUID names nothing; the column would refuse it with an error of the database.
const NOTHING = '00000000-0000-0000-0000-000000000000';

/** Rows of a model as Relay nodes: all their columns and to-one relations, and the fields given. */
export function defineNode<M extends Model>(model: M, options: NodeOptions<M>): RowRef<M> {
  const { resource, fields, filter } = options;
  if (filter) registerFilter(model, filter);
  const ref = builder.prismaNode(
    model as never,
    {
      name: typeName(model),
      id: { field: 'id', description: 'Opaque identifier, for `node`.' },
      nullable: true,
      findUnique: (id: string) => ({ id: isUuid(id) ? id : NOTHING }),
      select: { id: true, createdAt: true, ...(isSoftDeleted(model) ? { deletedAt: true } : {}) },
      extensions: { resource },
      fields: (t: PrismaFields<M>) => ({ ...columns(t as unknown as Exposing<never>, model, options), ...fields?.(t) }),
    } as never,
  );
  registerNode(model, ref);
  return ref as unknown as RowRef<M>;
}

/** Rows that are only seen inside another object: no identifier of their own in the graph beside `svcId`. */
export function defineObject<M extends Model>(model: M, options: NodeOptions<M>): RowRef<M> {
  const { resource, fields } = options;
  const ref = builder.prismaObject(
    model as never,
    {
      select: { id: true },
      extensions: { resource },
      fields: (t: PrismaFields<M>) => ({ ...columns(t as unknown as Exposing<never>, model, options), ...fields?.(t) }),
    } as never,
  );
  return ref as unknown as RowRef<M>;
}

export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: 'How many objects to read from the start or after `after`; 20 by default, at most 100.',
  }),
  after: t.string({ description: 'Read what comes after this place.' }),
  last: t.int({ description: 'How many objects to read from the end or before `before`; at most 100.' }),
  before: t.string({ description: 'Read what comes before this place.' }),
  page: t.int({ description: 'Read by page number instead of places; 1 by default.' }),
  perPage: t.int({ description: 'Objects a page; 100 by default, at most 1000. Goes with `page`.' }),
}));

interface ListOptions {
  readonly model: Model;
  readonly resource: Resource;
  readonly foreignKey: string;
  readonly description?: string;
  /** Arguments beside those of paging, filter and order. */
  readonly args?: object;
  /** What is listed beyond the filter of the model. Serves rows and total alike. */
  readonly where?: (args: never, context: Context) => object;
  /** What the arguments must satisfy beyond their types; throws. */
  readonly check?: (args: never, context: Context) => Promise<void>;
}

type Args = PageArgs & ListArgs;
type Select = (args: Args, context: Context, nested: (query: object, path: object) => object) => object;
interface SelectingBuilder<Field> {
  field(options: object): Field;
}

/** A to-many relation as a connection; the rows come with their parents' statement, whatever the number of parents. */
export function connection<M extends Model>(t: PrismaFields<M>, parent: M, relation: string, list: ListOptions) {
  const nesting: Nesting = list;
  const filter = filterOf(list.model);
  const condition = (args: Args, context: Context) => ({
    AND: [list.where?.(args as never, context) ?? {}, filter.where(args, context)],
  });
  const select: Select = (args, context, nested) => {
    const page = readPage(args, filter.order(args));
    const { where, take, skip, orderBy } = page;
    const query = { where: { AND: [condition(args, context), where] }, take, skip, orderBy };
    return { id: true, [relation]: withOrderColumn(nested(query, nodeInclude(list.model)), page) };
  };
  return (t as unknown as SelectingBuilder<ReturnType<typeof t.string>>).field({
    type: connectionType(list.model, list.resource),
    description: list.description ?? relationDescription(parent, relation),
    args: { ...pageArgs, ...filter.args, ...list.args },
    select,
    resolve: async (row: Record<string, unknown> & { id: string }, args: Args, context: Context) => {
      await list.check?.(args as never, context);
      const page = readPage(args, filter.order(args));
      return nestedConnection(nesting, row.id, row[relation] as [], condition(args, context), page, args, context);
    },
  });
}

/** One row of a to-many relation, chosen by a condition; null where there is none. */
export function chosen<M extends Model>(
  t: PrismaFields<M>,
  relation: string,
  options: { type: Model; description: string; args: object; query: (args: never) => object; onMissing(): Error },
) {
  return (t as unknown as SelectingBuilder<ReturnType<typeof t.string>>).field({
    type: options.type,
    nullable: true,
    description: options.description,
    args: options.args,
    select: (args: never, _context: Context, nested: (query: object) => object) => ({
      [relation]: nested({ ...options.query(args), take: 1 }),
    }),
    resolve: (row: Record<string, unknown[]>) => {
      const found = row[relation]?.[0];
      if (!found) throw options.onMissing();
      return found;
    },
  });
}
