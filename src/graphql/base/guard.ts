import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
} from 'graphql';
import { forbidden } from '../../billing/errors.ts';
import { rowsOf } from '../../store/database/tenant.ts';
import { isUuid } from '../../store/database/uuid.ts';
import type { Context, Permission, Resource } from '../context.ts';
import { modelOf } from './builder.ts';

const resourceOf = (type: unknown): Resource | undefined =>
  isObjectType(type) ? (type.extensions.resource as Resource | undefined) : undefined;

/** Throws `forbidden` unless the caller has the permission. */
export function requirePermission(context: Context, permission: Permission): void {
  if (!context.checksTypes || context.caller.permits(permission)) return;
  const [resource, mode] = permission.split(':');
  throw forbidden(
    context.caller.keyKind === 'publishable'
      ? 'publishable_key_not_allowed'
      : `${mode}_action_not_allowed_for_${resource}`,
  );
}

/**
 * Extensions of a field whose value is made from rows of other resources than its object's: a key must be able to read these too.
 * Names by which objects refer to each other (identifiers, codes, external identifiers, numbers) belong to the object that has them.
 */
export const derivesFrom = (...resources: Resource[]) => ({ extensions: { derivesFrom: resources } });

/** What a root field names that shows the same to everybody. */
export const ANY_KEY = 'any key';

function guard(field: GraphQLField<unknown, Context>, permissions: readonly Permission[]): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.extensions = { ...field.extensions, guardedBy: permissions };
  field.resolve = (parent, args, context, info) => {
    for (const permission of permissions) requirePermission(context, permission);
    return resolve(parent, args, context, info);
  };
}

/** What a key must be able to read to be shown a field, beside what its object needs. */
function readsOf(type: GraphQLObjectType, field: GraphQLField<unknown, Context>): Permission[] {
  const shown = resourceOf(getNamedType(field.type));
  const made = (field.extensions.derivesFrom ?? []) as readonly Resource[];
  const others = [...(shown ? [shown] : []), ...made].filter((resource) => resource !== resourceOf(type));
  return [...new Set(others)].map((resource): Permission => `${resource}:read`);
}

/** The type named in an opaque identifier; empty when it is none, or names no object of the type. */
const typeOfId = (id: string) => /^([^:]*):./.exec(Buffer.from(id, 'base64').toString())?.[1] ?? '';

/** What a key must be able to read to be shown the object with an opaque identifier; undefined where there can be none. */
function resourceOfNode(schema: GraphQLSchema, id: unknown): Resource | undefined {
  const type = schema.getType(typeOfId(String(id)));
  const isNode = isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');
  return isNode ? resourceOf(type) : undefined;
}

/** The identifiers that name a row, by one statement a type: each is then read by one of its own. */
async function existingOf(ids: readonly string[], { db }: Context): Promise<ReadonlySet<string>> {
  const byType = new Map<string, Map<string, string>>();
  for (const id of ids) {
    const [, type = '', key = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(id, 'base64').toString()) ?? [];
    if (isUuid(key)) byType.set(type, (byType.get(type) ?? new Map()).set(id, key.toLowerCase()));
  }
  const existing = new Set<string>();
  const find = async (type: string, keys: ReadonlyMap<string, string>) => {
    const where = { id: { in: [...new Set(keys.values())] } };
    const found = await rowsOf(db, modelOf(type)).findMany({ where, select: { id: true } });
    const known = new Set(found.map((row) => row.id));
    for (const [id, key] of keys) if (known.has(key)) existing.add(id);
  };
  await Promise.all([...byType].map(([type, keys]) => find(type, keys)));
  return existing;
}

/** `node` and `nodes` show any type: the identifier tells which, and so which permission. */
function guardNodes(schema: GraphQLSchema, field: GraphQLField<unknown, Context>): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = async (parent, args, context, info) => {
    const ids: string[] = field.name === 'node' ? [args.id] : args.ids;
    const known = ids.filter((id) => resourceOfNode(schema, id));
    for (const id of known) requirePermission(context, `${resourceOfNode(schema, id)}:read` as Permission);
    if (field.name === 'node') return known.length === 0 ? null : live(await resolve(parent, args, context, info));
    const existing = await existingOf(known, context);
    const asked = known.filter((id) => existing.has(id));
    const rows = (await resolve(parent, { ...args, ids: asked }, context, info)) as unknown[];
    const found = await Promise.all(rows);
    const byId = new Map(asked.map((id, index) => [id, live(found[index])]));
    return ids.map((id) => byId.get(id) ?? null);
  };
}

// A deleted row stays readable from what was issued with it, but is no longer an object of its own.
const live = (row: unknown) => ((row as { deletedAt?: Date | null } | null)?.deletedAt ? null : row);

function guardRoot(schema: GraphQLSchema, root: GraphQLObjectType): void {
  for (const field of Object.values(root.getFields())) {
    if (root === schema.getQueryType() && (field.name === 'node' || field.name === 'nodes')) {
      guardNodes(schema, field);
      continue;
    }
    const permission = field.extensions.permission as Permission | typeof ANY_KEY | undefined;
    if (permission === ANY_KEY) continue;
    if (!permission) throw new Error(`${root.name}.${field.name} names no permission`);
    guard(field, [permission]);
  }
}

/**
 * Puts the permission checks into a schema: every root field by the permission it names, every other field by the resource
 * of the type it shows and those that it derives from. Throws at start when a root field names none.
 */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(isObjectType);
  for (const root of roots) guardRoot(schema, root);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || roots.includes(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const reads = readsOf(type, field);
      if (reads.length > 0) guard(field, reads);
    }
  }
  return schema;
}
