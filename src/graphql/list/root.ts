import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import { getRefFromModel } from '@pothos/plugin-prisma';
import { notFound } from '../../billing/errors.ts';
import { snakeCase } from '../../billing/name-case.ts';
import { isUuid } from '../../store/database/uuid.ts';
import { builder, type Model } from '../base/builder.ts';
import { type Plan, planOf } from '../compiled/plan.ts';
import type { Context, Permission, Resource } from '../context.ts';
import { connectionType } from './connection.ts';
import { findById, findOne } from './find-by-id.ts';
import { type Beyond, filterOf, type ListArgs } from './list-filter.ts';
import { pageArgs } from './node.ts';
import { readPage } from './page.ts';
import { rootConnection } from './root-list.ts';

interface LookupOptions<Args extends InputFieldMap> {
  readonly resource: Resource;
  readonly description: string;
  readonly args: Args;
  /** The query that the arguments mean: `where`, and `orderBy` when several rows can match. Null finds nothing. */
  readonly query: (args: InputShapeFromFields<Args>, context: Context) => object | null | Promise<object | null>;
  /** How the row is read; by a statement of its own unless given. */
  readonly find?: (context: Context, plan: Plan, wanted: object) => Promise<object | null>;
}

/** A root field that finds one object by its natural key; what is not there is null with an `object_not_found` error. */
export function lookup<Args extends InputFieldMap>(name: string, model: Model, options: LookupOptions<Args>): void {
  const { resource, description, args, query } = options;
  const alone: LookupOptions<Args>['find'] = (context, plan, wanted) => findOne(context, model, plan, wanted);
  const find = options.find ?? alone;
  builder.queryField(name, (t) =>
    t.field({
      type: getRefFromModel(model, builder),
      nullable: true,
      description,
      args,
      extensions: { permission: `${resource}:read` satisfies Permission },
      resolve: async (_root, given, context, info) => {
        const wanted = await query(given, context);
        const row = wanted && (await find(context, planOf(context, info), wanted));
        if (!row) throw notFound(snakeCase(model));
        return row;
      },
    }),
  );
}

const svcIdArgs = builder.args((t) => ({
  svcId: t.field({ type: 'UUID', required: true, description: 'Identifier assigned by the service.' }),
}));

/** Arguments of a lookup by code. */
export const codeArgs = builder.args((t) => ({
  code: t.string({ required: true, description: 'The code, compared exactly.' }),
}));

/** A lookup by the identifier that the service assigned. A text that is no UUID finds nothing. */
export function lookupById(
  name: string,
  model: Model,
  resource: Resource,
  description: string,
  where: object = {},
): void {
  lookup(name, model, {
    resource,
    description,
    args: svcIdArgs,
    query: ({ svcId }) => (isUuid(svcId) ? { ...where, id: svcId } : null),
    find: (context, plan, wanted) => findById(context, model, plan, wanted as { id: string }),
  });
}

/** What a list at the root has beyond the filter of its model. */
interface BeyondAtRoot<Args extends InputFieldMap = Record<never, never>> extends Beyond<Args> {
  /** A condition that is looked up first. */
  found?(args: ListArgs & InputShapeFromFields<Args>, context: Context): Promise<object>;
}

interface ListOptions<Args extends InputFieldMap> extends BeyondAtRoot<Args> {
  readonly resource: Resource;
  readonly description: string;
}

const isGiven = (args: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  names.some((name) => args[name] !== null && args[name] !== undefined);

/** A root field that lists the organization's objects as a connection, with the filter and the orders of their model. */
export function listing<Args extends InputFieldMap>(name: string, model: Model, options: ListOptions<Args>): void {
  const { resource, description } = options;
  const beyond: BeyondAtRoot = options;
  builder.queryField(name, (t) => {
    const filter = filterOf(model);
    return t.field({
      type: connectionType(model, resource),
      description,
      args: { ...pageArgs, ...filter.args, ...beyond.args },
      extensions: { permission: `${resource}:read` satisfies Permission },
      resolve: async (_root, given, context, info) => {
        await beyond.check?.(given, context);
        const where = [beyond.where?.(given, context) ?? {}, filter.where(given, context)];
        const found = [await beyond.found?.(given, context), await filter.narrow(given, context)];
        const condition = { AND: [...where, ...found.filter((one) => one !== undefined)] };
        const isNarrowed = isGiven(given, ['filter', ...Object.keys(beyond.args ?? {})]);
        const page = readPage(given, filter.order(given));
        return rootConnection({ model, where: condition, page, args: given, isNarrowed }, context, info);
      },
    });
  });
}
