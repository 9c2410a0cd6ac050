import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLOutputType,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { unheldResolve } from '../base/held-list.ts';
import type { Context } from '../context.ts';
import {
  type CompiledField,
  type CompiledInfo,
  type CompiledObject,
  failed,
  type PlanSlot,
  type Run,
  Uncompiled,
  type WrittenRows,
} from './compiled-type.ts';
import { LOST, Settling } from './failure.ts';
import { argumentsOf, objectOf } from './object.ts';
import { checkLoaded } from './plan.ts';
import { collectFields, infoOf, type Source, usesVariables } from './source.ts';
import { completion } from './value.ts';
import { writtenRows } from './written.ts';

interface Root {
  readonly key: string;
  readonly nodes: FieldNode[];
  readonly type: GraphQLOutputType;
  readonly shows: readonly CompiledObject[];
  readonly complete: (value: unknown, run: Run) => unknown;
  resolve(run: Run, infos: Map<string, CompiledInfo>): unknown;
}

interface Compiled {
  readonly source: Source;
  readonly roots: readonly Root[];
}

function slotOf(shows: readonly CompiledObject[], isStatic: boolean): PlanSlot {
  const known = new Map<boolean, WrittenRows | undefined>();
  const written = ({ checksTypes }: Context) => {
    if (isStatic && !known.has(checksTypes)) known.set(checksTypes, writtenRows(shows, checksTypes));
    return known.get(checksTypes);
  };
  return { isStatic, checked: new Set(), written };
}

function rootOf(field: GraphQLField<unknown, Context>, key: string, nodes: FieldNode[], source: Source): Root {
  const [node] = nodes;
  const query = source.schema.getQueryType();
  const resolve = unheldResolve(field);
  if (!query || !node || !resolve) throw new Uncompiled('no resolver');
  const { complete, shows } = completion(field.type, {
    nodes,
    schema: source.schema,
    of: (type) => objectOf(type, nodes, source, { keys: [key], isLoaded: false }),
  });
  const below = nodes.map((one) => ({ ...one, arguments: [] }));
  const slot = slotOf(shows, !usesVariables(below, source));
  const argsOf = argumentsOf(field, node, source);
  const info = infoOf(query, field, nodes, key, source);
  const itself: CompiledField = {
    key,
    isSelected: false,
    isApart: false,
    type: field.type,
    nodes,
    shows,
    read: () => undefined,
  };
  return {
    ...{ key, nodes, complete, shows, type: field.type },
    resolve(run, infos) {
      const told = { ...info, variableValues: run.variables, path: { ...info.path }, slot };
      infos.set(key, told);
      return resolve(undefined, argsOf(run, itself), run.context, told);
    },
  };
}

function compile({ schema, document, operationName }: ExecutionArgs): Compiled {
  const operation = getOperationAST(document, operationName);
  const query = schema.getQueryType();
  if (operation?.operation !== OperationTypeNode.QUERY || !query) throw new Uncompiled('no query');
  if (operation.directives?.length) throw new Uncompiled('a directive');
  const isFragment = (node: DocumentNode['definitions'][number]): node is FragmentDefinitionNode =>
    node.kind === Kind.FRAGMENT_DEFINITION;
  const fragments = Object.fromEntries(document.definitions.filter(isFragment).map((one) => [one.name.value, one]));
  const source: Source = { schema, operation, fragments, permissions: new Set() };
  const roots = [...collectFields(query, operation.selectionSet.selections, source)].map(([key, nodes]) => {
    const field = query.getFields()[nodes[0]?.name.value ?? ''];
    if (!field) throw new Uncompiled('introspection');
    return rootOf(field, key, nodes, source);
  });
  return { source, roots };
}

function runOf({ source }: Compiled, args: ExecutionArgs, infos: ReadonlyMap<string, CompiledInfo>): Run {
  const { schema, operation, permissions } = source;
  const context = args.contextValue as Context;
  const { variableDefinitions = [] } = operation;
  // The executor tells what is wrong, and stops at its limit: here the first fault is enough.
  const { coerced } = getVariableValues(schema, variableDefinitions, args.variableValues ?? {}, { maxErrors: 0 });
  if (!coerced) throw new Uncompiled('variables that do not fit');
  const isRefused = context.checksTypes && [...permissions].some((permission) => !context.caller.permits(permission));
  if (isRefused) throw new Uncompiled('a field that is not permitted');
  return {
    ...{ context, variables: coerced, pending: [], args: new Map(), hasFailed: false, kinds: new WeakMap() },
    check(object, [key = '', ...below]) {
      const info = infos.get(key);
      if (!info) throw new Uncompiled('rows from nowhere');
      checkLoaded(object, below, info, context);
    },
  };
}

/** Executes a compiled query. What fails is an error of the answer, where it failed. */
async function execute(compiled: Compiled, args: ExecutionArgs): Promise<ExecutionResult> {
  const infos = new Map<string, CompiledInfo>();
  const run = runOf(compiled, args, infos);
  const data: Record<string, unknown> = Object.fromEntries(compiled.roots.map(({ key }) => [key, null]));
  const readRoot = async (root: Root) => {
    try {
      data[root.key] = await root.complete(await root.resolve(run, infos), run);
    } catch (error) {
      data[root.key] = failed(run, error, root.nodes);
    }
  };
  await Promise.all(compiled.roots.map(readRoot));
  while (run.pending.length > 0) await Promise.all(run.pending.splice(0));
  return run.hasFailed ? settled(compiled, data, run) : { data };
}

function settled({ roots }: Compiled, data: Record<string, unknown>, run: Run): ExecutionResult {
  const settling = new Settling(run);
  for (const { key, type, shows } of roots) {
    data[key] = settling.settle(data[key], { type, shows, path: [key] });
    if (data[key] === LOST) return { errors: settling.errors, data: null };
  }
  return { errors: settling.errors, data };
}

/** How often an operation was seen that is not compiled yet; or that it never will be. */
type State = Compiled | number | 'never';

/**
 * Executes queries as the executor of GraphQL does, with everything that is the same for each execution of a document done
 * once: which fields it has, what Pothos loads for them, which resolvers they have. An operation is compiled when it is seen
 * for the second time. `execute` answers undefined where the executor has to: mutations, directives, introspection, and
 * whatever does not go the usual way. What fails is not asked again: a statement that ran into its time limit would take as long twice.
 */
export class CompiledQueries {
  // By the operation, not by the name that was sent: of those there is no end.
  private readonly states = new WeakMap<OperationDefinitionNode, State>();

  async execute(args: ExecutionArgs): Promise<ExecutionResult | undefined> {
    const operation = getOperationAST(args.document, args.operationName);
    if (!operation) return undefined;
    const state = this.next(this.states.get(operation) ?? 0, args);
    this.states.set(operation, state);
    if (typeof state !== 'object') return undefined;
    try {
      return await execute(state, args);
    } catch (error) {
      if (error instanceof Uncompiled) return undefined;
      throw error;
    }
  }

  private next(state: State, args: ExecutionArgs): State {
    if (state === 0) return 1;
    if (typeof state !== 'number') return state;
    try {
      return compile(args);
    } catch {
      return 'never';
    }
  }
}
