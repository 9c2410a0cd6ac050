import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  getArgumentValues,
} from 'graphql';
import { unheldResolve } from '../base/held-list.ts';
import type { Context, Permission } from '../context.ts';
import {
  type CompiledField,
  type CompiledObject,
  failed,
  isPromise,
  later,
  type Run,
  Uncompiled,
} from './compiled-type.ts';
import { collectFields, infoOf, type Source, usesVariables } from './source.ts';
import { completion, TYPENAME } from './value.ts';
import { textsOf } from './written-text.ts';

/** Where an object is: the keys below the root field, and whether an object above it was loaded together with it. */
export interface Place {
  readonly keys: readonly string[];
  readonly isLoaded: boolean;
}

const PLAIN = { isSelected: false, isApart: false };
const NO_ARGS = Object.freeze({});

type Resolve = GraphQLFieldResolver<unknown, Context>;

/** The resolver itself: what Pothos wraps around it asks whether the row carries the value, which is checked for all rows at once. */
function resolverOf(field: GraphQLField<unknown, Context>, source: Source): Resolve {
  const { extensions } = field;
  const { pothosExposedField: exposed, pothosOriginalResolve: original, guardedBy } = extensions;
  if (!extensions.pothosPrismaSelect) return unheldResolve(field) ?? defaultFieldResolver;
  if ((extensions.pothosArgMappers as unknown[] | undefined)?.length) throw new Uncompiled('mapped arguments');
  for (const permission of (guardedBy ?? []) as readonly Permission[]) source.permissions.add(permission);
  if (typeof exposed === 'string') return (row) => (row as Record<string, unknown>)[exposed];
  if (typeof original !== 'function') throw new Uncompiled('no resolver');
  return original as Resolve;
}

type ArgsOf = (run: Run, field: CompiledField) => object;

export function argumentsOf(of: GraphQLField<unknown, Context>, node: FieldNode, source: Source): ArgsOf {
  if (of.args.length === 0) return () => NO_ARGS;
  const field: GraphQLField<unknown, unknown> = { ...of, resolve: undefined, subscribe: undefined }; // only its arguments count here
  if (!usesVariables([{ ...node, selectionSet: undefined }], source)) {
    const args = getArgumentValues(field, node);
    return () => args;
  }
  return (run, compiled) => {
    const known = run.args.get(compiled) ?? getArgumentValues(field, node, run.variables);
    run.args.set(compiled, known);
    return known;
  };
}

function fieldOf(type: GraphQLObjectType, key: string, nodes: FieldNode[], source: Source, place: Place) {
  const [node] = nodes;
  const name = node?.name.value ?? '';
  if (name === '__typename') return { ...PLAIN, key, type: TYPENAME, nodes, shows: [], read: () => type.name };
  const field = type.getFields()[name];
  if (!node || !field) throw new Uncompiled(`no field ${name}`);
  const isSelected = field.extensions.pothosPrismaSelect !== undefined;
  const isApart = field.extensions.isApart === true;
  const below = { keys: [...place.keys, key], isLoaded: !isApart && (place.isLoaded || isSelected) };
  const { complete, shows } = completion(field.type, {
    nodes,
    schema: source.schema,
    of: (shown) => objectOf(shown, nodes, source, below),
  });
  const resolve = resolverOf(field, source);
  const argsOf = argumentsOf(field, node, source);
  const info = infoOf(type, field, nodes, key, source);
  const compiled: CompiledField = {
    ...{ key, isSelected, isApart, shows, nodes, of: field, type: field.type },
    read(parent, run) {
      const value = resolve(parent, argsOf(run, compiled), run.context, info);
      return isPromise(value) ? value.then((known) => complete(known, run)) : complete(value, run);
    },
  };
  return compiled;
}

function readField(field: CompiledField, parent: unknown, run: Run): unknown {
  try {
    return field.read(parent, run);
  } catch (error) {
    return failed(run, error, field.nodes);
  }
}

/** The reader of objects of a type, for what the nodes ask of them. */
export function objectOf(type: GraphQLObjectType, nodes: readonly FieldNode[], source: Source, place: Place) {
  const selections = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
  const fields = [...collectFields(type, selections, source)].map(([key, found]) =>
    fieldOf(type, key, found, source, place),
  );
  const isEntry = !place.isLoaded && fields.some(({ isSelected }) => isSelected);
  const object: CompiledObject = {
    ...{ type, fields },
    read(parent, run) {
      const written = textsOf(parent)?.of(object, run);
      if (written) return written;
      if (isEntry) run.check(object, place.keys);
      const shown: Record<string, unknown> = {};
      for (const field of fields) {
        const value = readField(field, parent, run);
        shown[field.key] = value;
        if (isPromise(value)) {
          later(run, value, field.nodes, (known) => {
            shown[field.key] = known;
          });
        }
      }
      return shown;
    },
  };
  return object;
}
