import {
  defaultTypeResolver,
  type FieldNode,
  type GraphQLAbstractType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLString,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type CompiledObject, failed, isPromise, later, type Run, Uncompiled } from './compiled-type.ts';

/** The type of `__typename`. */
export const TYPENAME = new GraphQLNonNull(GraphQLString);

type Complete = (value: unknown, run: Run) => unknown;
interface Completion {
  readonly complete: Complete;
  readonly shows: readonly CompiledObject[];
}

/** Who reads objects: of this schema, asked for by these nodes, and how one of a type is read. */
export interface ObjectReader {
  readonly nodes: FieldNode[];
  readonly schema: GraphQLSchema;
  of(type: GraphQLObjectType): CompiledObject;
}

const MOST_TYPES = 8; // as many as there are models of prices; `node` could show any

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

function abstractOf(type: GraphQLAbstractType, objects: ObjectReader): Completion {
  const types = objects.schema.getPossibleTypes(type);
  if (types.length > MOST_TYPES) throw new Uncompiled(`${type.name} has too many types`);
  const shows = types.map((one) => objects.of(one));
  const byName = new Map(shows.map((object) => [object.type.name, object]));
  const info = { schema: objects.schema } as GraphQLResolveInfo;
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

function typedOf(type: GraphQLOutputType, objects: ObjectReader): Completion {
  if (isListType(type)) return listOf(completion(type.ofType, objects), objects.nodes);
  if (isLeafType(type)) return { complete: (value) => notNull(type.serialize(value)), shows: [] };
  if (isAbstractType(type)) return abstractOf(type, objects);
  if (!isObjectType(type)) throw new Uncompiled('an unknown kind of type');
  const object = objects.of(type);
  return { complete: object.read, shows: [object] };
}

/** How a value of a type is shown. */
export function completion(type: GraphQLOutputType, objects: ObjectReader): Completion {
  if (isNonNullType(type)) {
    const { complete, shows } = completion(type.ofType, objects);
    return {
      shows,
      complete(value, run) {
        const shown = complete(value, run);
        return isPromise(shown) ? shown.then(notNull) : notNull(shown);
      },
    };
  }
  const { complete, shows } = typedOf(type, objects);
  return { shows, complete: (value, run) => (value === null || value === undefined ? null : complete(value, run)) };
}
