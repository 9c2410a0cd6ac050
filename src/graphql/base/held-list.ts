import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Context } from '../context.ts';

type Resolve = GraphQLFieldResolver<unknown, Context>;

/** How a list is held; undefined for what is no list of values that cannot be null. */
function holderOf(type: GraphQLOutputType): ((value: unknown) => unknown) | undefined {
  const list = getNullableType(type);
  if (!isListType(list)) return undefined;
  const item: GraphQLOutputType = list.ofType;
  const within = holderOf(item);
  if (!within && !isNonNullType(item)) return undefined;
  const holdItem = (value: unknown) => Promise.resolve(value).then(within);
  return (value) => (Array.isArray(value) ? value.map(holdItem) : value);
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

function hold(field: GraphQLField<unknown, Context>): void {
  const holder = holderOf(field.type);
  if (!holder) return;
  const resolve: Resolve = field.resolve ?? defaultFieldResolver;
  field.extensions = { ...field.extensions, unheldResolve: resolve };
  field.resolve = (parent, args, context, info) => {
    const value = resolve(parent, args, context, info);
    return isPromise(value) ? value.then(holder) : holder(value);
  };
}

/** The resolver as it was before its list was held, for who waits for every value by itself. */
export const unheldResolve = ({ extensions, resolve }: GraphQLField<unknown, Context>): Resolve | undefined =>
  (extensions.unheldResolve as Resolve | undefined) ?? resolve;

/**
 * Makes the values of lists promises. graphql-js leaves a list as soon as one value that cannot be null fails at once, and with it the
 * promises of the values before: one of them that is rejected later is heard by nobody, which ends the process. Of values that
 * are promises, none fails at once.
 */
export function holdLists(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) hold(field);
  }
  return schema;
}
