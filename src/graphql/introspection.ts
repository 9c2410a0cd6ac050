import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  lexicographicSortSchema,
  type SelectionNode,
} from 'graphql';

const sorted = new WeakMap<GraphQLSchema, GraphQLSchema>();

/** A schema in alphabetical order, for readers. It is a copy: what is executed keeps the order in which its inputs are checked. */
export function sortedSchema(schema: GraphQLSchema): GraphQLSchema {
  const known = sorted.get(schema) ?? lexicographicSortSchema(schema);
  sorted.set(schema, known);
  return known;
}

const isMeta = (node: SelectionNode) => node.kind === Kind.FIELD && node.name.value.startsWith('__');

/** Answers an operation that asks for nothing but the schema, in alphabetical order; undefined for any other. */
export function introspect(args: ExecutionArgs): ExecutionResult | PromiseLike<ExecutionResult> | undefined {
  const operation = getOperationAST(args.document, args.operationName);
  if (operation?.operation !== 'query' || !operation.selectionSet.selections.every(isMeta)) return undefined;
  return execute({ ...args, schema: sortedSchema(args.schema) });
}
