import type { FieldMap, InputFieldMap, InputShapeFromFields } from '@pothos/core';
import {
  getRefFromModel,
  type PrismaModelTypes,
  type PrismaObjectRef,
  type prismaModelName,
} from '@pothos/plugin-prisma';
import { isUuid } from '../../store/database/uuid.ts';
import { builder, type Model, type Types, typeName } from '../base/builder.ts';
import {
  type ColumnOptions,
  columns,
  isSoftDeleted,
  relationDescription,
  type Selecting,
  selectedField,
} from '../base/column.ts';
import type { Context, Resource } from '../context.ts';
import { connectionType, nodeInclude, registerNode } from './connection.ts';
import { type Nesting, nestedConnection, withOrderColumn } from './list.ts';
import { type Beyond, filterOf, type ListArgs, type ListFilter, registerFilter } from './list-filter.ts';
import { readPage } from './page.ts';
import { registerSums, type Sums } from './sum.ts';

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
  /** What lists of the model add up; without it they are only counted. */
  readonly sums?: Sums;
}

// The schema builder for a model that is a type parameter, of which Pothos' types cannot tell the columns.
interface RowTypes {
  prismaNode(model: Model, options: object): object;
}
const rowTypes: RowTypes = builder;

// An identifier that is no UUID names nothing; the column would refuse it with an error of the database.
const NOTHING = '00000000-0000-0000-0000-000000000000';

/** Rows of a model as Relay nodes: all their columns and to-one relations, and the fields given. */
export function defineNode<M extends Model>(model: M, options: NodeOptions<M>): RowRef<M> {
  const { resource, fields, filter, sums } = options;
  if (filter) registerFilter(model, filter);
  if (sums) registerSums(model, sums);
  const ref = rowTypes.prismaNode(model, {
    name: typeName(model),
    id: { field: 'id', description: 'Opaque identifier, for `node`.' },
    nullable: true,
    findUnique: (id: string) => ({ id: isUuid(id) ? id : NOTHING }),
    select: { id: true, createdAt: true, ...(isSoftDeleted(model) ? { deletedAt: true } : {}) },
    extensions: { resource },
    fields: (t: PrismaFields<M> & Selecting) => ({ ...columns(t, model, options), ...fields?.(t) }),
  });
  registerNode(model, ref);
  return ref as RowRef<M>;
}

export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: 'How many objects to read from the start or after `after`; 20 by default, at most 100.',
  }),
  after: t.string({ description: 'Read what comes after this place.' }),
  last: t.int({ description: 'How many objects to read from the end or before `before`; at most 100.' }),
  before: t.string({ description: 'Read what comes before this place.' }),
  page: t.int({ description: 'Read by page number instead of places; 1 by default.' }),
  perPage: t.int({ description: 'Objects per page; 100 by default, at most 1000. Goes with `page`.' }),
}));

interface ListOptions<Args extends InputFieldMap> extends Beyond<Args> {
  readonly model: Model;
  readonly resource: Resource;
  readonly foreignKey: string;
  readonly description?: string;
}

/** A to-many relation as a connection; the rows come with their parents' statement, whatever the number of parents. */
export function connection<Args extends InputFieldMap>(
  t: Selecting,
  parent: Model,
  relation: string,
  list: ListOptions<Args>,
) {
  const nesting: Nesting = list;
  const beyond: Beyond = list;
  const filter = filterOf(list.model);
  const condition = (args: ListArgs, context: Context) => ({
    AND: [beyond.where?.(args, context) ?? {}, filter.where(args, context)],
  });
  return selectedField(t, {
    type: connectionType(list.model, list.resource),
    description: list.description ?? relationDescription(parent, relation),
    args: { ...pageArgs, ...filter.args, ...beyond.args },
    select: (args, context, nested) => {
      const page = readPage(args, filter.order(args));
      const { where, take, skip, orderBy } = page;
      const query = { where: { AND: [condition(args, context), where] }, take, skip, orderBy };
      return { id: true, [relation]: withOrderColumn(nested(query, nodeInclude(list.model)), page) };
    },
    resolve: async (row, args, context) => {
      await beyond.check?.(args, context);
      const page = readPage(args, filter.order(args));
      return nestedConnection(
        nesting,
        row.id as string,
        row[relation] as [],
        condition(args, context),
        page,
        args,
        context,
      );
    },
  });
}

interface ChoiceOptions<Args extends InputFieldMap> {
  readonly type: Model;
  readonly description: string;
  readonly args: Args;
  readonly query: (args: InputShapeFromFields<Args>) => object;
  onMissing(): Error;
}

/** One row of a to-many relation, chosen by a condition; null where there is none. */
export function chosen<Args extends InputFieldMap>(t: Selecting, relation: string, options: ChoiceOptions<Args>) {
  const { type, description, args, query, onMissing } = options;
  return selectedField(t, {
    type: getRefFromModel(type, builder),
    nullable: true,
    description,
    args,
    select: (given, _context, nested) => ({ [relation]: nested({ ...query(given), take: 1 }) }),
    resolve: (row) => {
      const [found] = row[relation] as unknown[];
      if (!found) throw onMissing();
      return found;
    },
  });
}
