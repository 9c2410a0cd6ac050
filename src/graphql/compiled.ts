import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  getOperationAST,
  getVariableValues,
  isNonNullType,
  Kind,
  locatedError,
  OperationTypeNode,
} from 'graphql';
import { argumentsOf } from './compiled-object.ts';
import { checkLoaded } from './compiled-plan.ts';
import { collectFields, infoOf, type Source, usesVariables } from './compiled-source.ts';
import { type CompiledField, type CompiledInfo, type PlanSlot, type Run, Uncompiled } from './compiled-type.ts';
import { completion } from './compiled-value.ts';
import type { Context } from './context.ts';

interface Root {
  readonly key: string;
  readonly nodes: FieldNode[];
  readonly isRequired: boolean;
  readonly complete: (value: unknown, run: Run) => unknown;
  resolve(run: Run, infos: Map<string, CompiledInfo>): unknown;
}

interface Compiled {
  readonly source: Source;
  readonly roots: readonly Root[];
}

function rootOf(field: GraphQLField<unknown, Context>, key: string, nodes: FieldNode[], source: Source): Root {
  const [node] = nodes;
  const query = source.schema.getQueryType();
  if (!query || !node || !field.resolve) throw new Uncompiled('no resolver');
  const { complete } = completion(field.type, nodes, source, { keys: [key], isLoaded: false });
  const below = nodes.map((one) => ({ ...one, arguments: [] }));
  const slot: PlanSlot = { isStatic: !usesVariables(below, source), checked: new Set() };
  const argsOf = argumentsOf(field, node, source);
  const info = infoOf(query, field, nodes, key, source);
  const itself: CompiledField = { key, isSelected: false, shows: [], read: () => undefined };
  const resolve = field.resolve;
  return {
    ...{ key, nodes, complete },
    isRequired: isNonNullType(field.type),
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
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], args.variableValues ?? {});
  if (!coerced) throw new Uncompiled('variables that do not fit');
  const isRefused = context.checksTypes && [...permissions].some((permission) => !context.caller.permits(permission));
  if (isRefused) throw new Uncompiled('a field that is not permitted');
  return {
    ...{ context, variables: coerced, pending: [], args: new Map() },
    check(object, [key = '', ...below]) {
      const info = infos.get(key);
      if (!info) throw new Uncompiled('rows from nowhere');
      checkLoaded(object, below, info, context);
    },
  };
}

/** Executes a compiled query. What fails at the root is an error of the answer; what fails below throws. */
async function execute(compiled: Compiled, args: ExecutionArgs): Promise<ExecutionResult> {
  const infos = new Map<string, CompiledInfo>();
  const run = runOf(compiled, args, infos);
  const data: Record<string, unknown> = Object.fromEntries(compiled.roots.map(({ key }) => [key, null]));
  const errors: GraphQLError[] = [];
  const readRoot = async (root: Root) => {
    let value: unknown;
    try {
      value = await root.resolve(run, infos);
    } catch (error) {
      if (root.isRequired || error instanceof GraphQLError) throw error;
      errors.push(locatedError(error, root.nodes, [root.key]));
      return;
    }
    data[root.key] = await root.complete(value, run);
  };
  await Promise.all(compiled.roots.map(readRoot));
  while (run.pending.length > 0) await Promise.all(run.pending.splice(0));
  return errors.length > 0 ? { errors, data } : { data };
}

/** How often a document was seen that is not compiled yet; or that it never will be. */
type State = Compiled | number | 'never';

/**
 * Executes queries as the executor of GraphQL does, with everything that is the same for each execution of a document done
 * once: which fields it has, what Pothos loads for them, which resolvers they have. A document is compiled when it is seen
 * for the second time. `execute` answers undefined where the executor has to: mutations, directives, introspection, and
 * whatever does not go the usual way, such as an error below the root. Nothing was written then, for it is a query.
 */
export class CompiledQueries {
  private readonly states = new WeakMap<DocumentNode, Map<string, State>>();

  async execute(args: ExecutionArgs): Promise<ExecutionResult | undefined> {
    const operations = this.states.get(args.document) ?? new Map<string, State>();
    this.states.set(args.document, operations);
    const name = args.operationName ?? '';
    const state = this.next(operations.get(name) ?? 0, args);
    operations.set(name, state);
    if (typeof state !== 'object') return undefined;
    try {
      return await execute(state, args);
    } catch {
      return undefined; // the executor runs into the same, and tells where
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
