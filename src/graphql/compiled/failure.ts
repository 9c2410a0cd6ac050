import {
  type GraphQLError,
  type GraphQLOutputType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  locatedError,
} from 'graphql';
import { type CompiledObject, Failure, type Run } from './compiled-type.ts';
import { WrittenText } from './written-text.ts';

/** Where a value of an answer stands. */
interface Standing {
  readonly type: GraphQLOutputType;
  readonly shows: readonly CompiledObject[];
  readonly path: readonly (string | number)[];
}

/** Instead of a value that cannot be null, and would be. */
export const LOST = Symbol('lost');

/** Puts null where reading failed, as far up as the schema allows it, and notes the errors; the executor answers the same. */
export class Settling {
  readonly errors: GraphQLError[] = [];

  constructor(private readonly run: Run) {}

  settle(value: unknown, standing: Standing): unknown {
    const { type, path } = standing;
    if (value === null) return value;
    if (value instanceof Failure) this.errors.push(locatedError(value.error, value.nodes, path));
    const settled = value instanceof Failure ? LOST : this.within(value, { ...standing, type: getNullableType(type) });
    return settled === LOST && !isNonNullType(type) ? null : settled;
  }

  private within(value: unknown, { type, shows, path }: Standing): unknown {
    if (isLeafType(type)) return value;
    if (value instanceof WrittenText)
      return value.hasFailed ? this.within(value.opened(), { type, shows, path }) : value;
    if (isListType(type)) {
      const items = value as unknown[];
      const places = items.keys();
      return this.each(items, places, (index) => ({ type: type.ofType, shows, path: [...path, index] }));
    }
    const object = this.run.kinds.get(value as object) ?? shows[0];
    const fields = new Map(object?.fields.map((field) => [field.key, field]));
    return this.each(value as Record<string, unknown>, fields.keys(), (key) => {
      const field = fields.get(key);
      return { type: field?.type ?? type, shows: field?.shows ?? [], path: [...path, key] };
    });
  }

  /** Settles what stands at the keys of a list or an object. */
  private each<Key extends string | number>(
    holder: object,
    keys: Iterable<Key>,
    standingAt: (key: Key) => Standing,
  ): unknown {
    const values = holder as Record<Key, unknown>;
    for (const key of keys) {
      const settled = this.settle(values[key], standingAt(key));
      if (settled === LOST) return LOST;
      values[key] = settled;
    }
    return holder;
  }
}
