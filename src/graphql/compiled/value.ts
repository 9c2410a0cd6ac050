import {
  defaultTypeResolver,
  type FieldNode,
  type GraphQLAbstractType,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLString,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type CompiledObject, failed, isPromise, later, type Run, Uncompiled } from './compiled-type.ts';
import { objectOf, type Place } from './object.ts';
import type { Source } from './source.ts';

/** The type of `__typename`. */
export const TYPENAME = new GraphQLNonNull(GraphQLString);

type Complete = (value: unknown, run: Run) => unknown;
interface Completion {
  readonly complete: Complete;
  readonly shows: readonly CompiledObject[];
}

const MOST_TYPES = 4; // of an interface; `node` could show any

function notNull(value: unknown): unknown {
  if (value === null || value === undefined) throw new Uncompiled('null where the schema has none');
  return value;
}

function listOf({ complete, shows }: Completion, nodes: FieldNode[]): Completion {
  const completeItem: Complete = (value, run) => {
    try {
      return isPromise(value) ? value.then((one) => complete(one, run)) : complete(value, run);
    } catch (error) {
      return failed(run, error, nodes);
    }
  };
  const completeList: Complete = (values, run) => {
    if (!Array.isArray(values)) throw new Uncompiled('no list');
    const shown: unknown[] = new Array(values.length);
    values.forEach((value, index) => {
      const known = completeItem(value, run);
      shown[index] = known;
      if (isPromise(known)) {
        later(run, known, nodes, (one) => {
          shown[index] = one;
        });
      }
    });
    return shown;
  };
  return { complete: completeList, shows };
}

function abstractOf(type: GraphQLAbstractType, nodes: FieldNode[], source: Source, place: Place): Completion {
  const types = source.schema.getPossibleTypes(type);
  if (types.length > MOST_TYPES) throw new Uncompiled(`${type.name} has too many types`);
  const shows = types.map((one) => objectOf(one, nodes, source, place));
  const byName = new Map(shows.map((object) => [object.type.name, object]));
  const info = { schema: source.schema } as GraphQLResolveInfo;
  const complete: Complete = (value, run) => {
    const name = (type.resolveType ?? defaultTypeResolver)(value, run.context, info, type);
    const read = (known: unknown) => {
      const object = byName.get(String(known));
      if (!object) throw new Uncompiled(`${type.name} is not ${String(known)}`);
      const shown = object.read(value, run);
      run.kinds.set(shown as object, object);
      return shown;
    };
    return isPromise(name) ? name.then(read) : read(name);
  };
  return { complete, shows };
}

function typedOf(type: GraphQLOutputType, nodes: FieldNode[], source: Source, place: Place): Completion {
  if (isListType(type)) return listOf(completion(type.ofType, nodes, source, place), nodes);
  if (isLeafType(type)) return { complete: (value) => notNull(type.serialize(value)), shows: [] };
  if (isAbstractType(type)) return abstractOf(type, nodes, source, place);
  if (!isObjectType(type)) throw new Uncompiled('an unknown kind of type');
  const object = objectOf(type, nodes, source, place);
  return { complete: object.read, shows: [object] };
}

/** How a value of a type is shown. */
export function completion(type: GraphQLOutputType, nodes: FieldNode[], source: Source, place: Place): Completion {
  if (isNonNullType(type)) {
    const { complete, shows } = completion(type.ofType, nodes, source, place);
    return {
      shows,
      complete(value, run) {
        const shown = complete(value, run);
        return isPromise(shown) ? shown.then(notNull) : notNull(shown);
      },
    };
  }
  const { complete, shows } = typedOf(type, nodes, source, place);
  return { shows, complete: (value, run) => (value === null || value === undefined ? null : complete(value, run)) };
}
