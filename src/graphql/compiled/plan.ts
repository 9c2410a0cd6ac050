import { queryFromInfo } from '@pothos/plugin-prisma';
import { getLoaderMapping, type Mappings } from '@pothos/selection-mapper';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.ts';
import {
  type CompiledInfo,
  type CompiledObject,
  type PlanSlot,
  Uncompiled,
  type WrittenRows,
} from './compiled-type.ts';

interface PlanOptions {
  /** The model's type, where the field shows its rows below the paths. */
  readonly typeName?: string;
  readonly paths?: string[][];
}

/** A context that tells whether anything was read from it. Pothos' own symbols are no reading. */
function watchedContext() {
  let isRead = false;
  const get = (_target: object, name: string | symbol) => {
    isRead ||= typeof name === 'string';
    return undefined;
  };
  return { context: new Proxy({}, { get }) as Context, isRead: () => isRead };
}

function staticQuery(slot: PlanSlot, info: GraphQLResolveInfo, options: PlanOptions): object | undefined {
  const watched = watchedContext();
  try {
    const query = queryFromInfo({ ...options, context: watched.context, info });
    slot.isStatic = !watched.isRead();
    if (slot.isStatic) Object.assign(slot, { query, context: watched.context });
  } catch {
    slot.isStatic = false; // it needed the context; whether it is wrong, the real one shows
  }
  return slot.query;
}

/** What a root field reads. */
export interface Plan {
  /** For Prisma; the same object each time where it is the same query. */
  readonly query: object;
  /** Whether a compiled document asks, which is one that is asked again. */
  readonly isCompiled: boolean;
  /** What PostgreSQL writes of the rows instead; the same object each time. */
  readonly written?: WrittenRows | undefined;
}

/**
 * The Prisma query for everything that a root field's selection shows. A compiled document plans it once, unless it depends
 * on variables or on the context; what PostgreSQL writes takes no plan.
 */
export function planOf(context: Context, info: GraphQLResolveInfo, options: PlanOptions = {}): Plan {
  const { slot } = info as Partial<CompiledInfo>;
  let query: object | undefined;
  const planned = () => {
    const kept = slot?.isStatic ? (slot.query ?? staticQuery(slot, info, options)) : undefined;
    return kept ?? queryFromInfo({ ...options, context, info });
  };
  return {
    get query() {
      query ??= planned();
      return query;
    },
    isCompiled: slot !== undefined,
    written: slot?.written(context),
  };
}

type Lookup = (type: string, keys: readonly string[]) => { readonly nested: Mappings } | null | undefined;

function requireLoaded({ type, fields }: CompiledObject, lookup: Lookup, above: readonly string[]): void {
  for (const { key, isSelected, shows } of fields.filter(({ isApart }) => !isApart)) {
    const keys = [...above, key];
    const mapping = isSelected ? lookup(type.name, keys) : undefined;
    if (isSelected && !mapping) throw new Uncompiled(`${type.name}.${key} is not loaded with its row`);
    const below: Lookup = mapping ? (name, path) => mapping.nested[`${name}@${path.join('.')}`] : lookup;
    for (const shown of shows) requireLoaded(shown, below, mapping ? [] : keys);
  }
}

/** Throws `Uncompiled` unless the plan of the root field loads everything that is read below the keys. */
export function checkLoaded(object: CompiledObject, keys: readonly string[], info: CompiledInfo, context: Context) {
  const { slot, path } = info;
  if (slot.isStatic && slot.checked.has(object)) return;
  const planner = slot.isStatic && slot.context ? slot.context : context;
  const lookup: Lookup = (type, below) => {
    const place = [...keys, ...below].reduce<GraphQLResolveInfo['path']>(
      (prev, key) => ({ prev, key, typename: undefined }),
      path,
    );
    return getLoaderMapping(planner, place, type, undefined);
  };
  requireLoaded(object, lookup, []);
  slot.checked.add(object);
}
