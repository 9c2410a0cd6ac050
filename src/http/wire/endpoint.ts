import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, validate } from 'graphql';
import { type Permission, RESOURCES } from '../../graphql/context.ts';
import { batchRoute, type Route } from '../../rest/route.ts';
import { type SentNames, sentNames } from './sent-name.ts';

/** A route whose documents are known to fit the schema. */
export interface Endpoint {
  readonly route: Route;
  readonly permission: Permission;
  readonly operation: OperationDefinitionNode;
  /** What a fault is told by, where the graph calls a parameter otherwise. */
  readonly sentNames: SentNames;
  /** Of the same route, where its body holds several objects. */
  readonly batch?: Endpoint;
  readonly lookup?: { readonly document: DocumentNode; readonly operation: OperationDefinitionNode };
}

/** A route that cannot be served; the start fails with it. */
class RouteError extends Error {
  override readonly name = 'RouteError';
}

const isPermission = (text: string): text is Permission => {
  const [resource, mode, ...rest] = text.split(':');
  const isResource = RESOURCES.some((name) => name === resource);
  return isResource && (mode === 'read' || mode === 'write') && rest.length === 0;
};

function operationOf(schema: GraphQLSchema, document: DocumentNode, kind: string, name: string) {
  const [problem] = validate(schema, document);
  if (problem) throw new RouteError(`${name}: ${problem.message}`);
  const [operation, ...others] = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (!operation || others.length > 0) throw new RouteError(`${name}: one operation is needed`);
  if (kind === 'query' && operation.operation !== 'query') throw new RouteError(`${name}: a query is needed`);
  return operation;
}

/** Checks a route against the schema. Throws a RouteError that names the operation. */
export function compile(schema: GraphQLSchema, route: Route): Endpoint {
  const several = batchRoute(route);
  const batch = several && { batch: compile(schema, several) };
  const { operation: name, permission, method, document, lookup } = route;
  if (!isPermission(permission)) throw new RouteError(`${name}: unknown permission ${permission}`);
  const operation = operationOf(schema, document, method === 'GET' ? 'query' : 'any', name);
  const told = { route, permission, operation, sentNames: sentNames(operation), ...batch };
  if (!lookup) return told;
  const found = operationOf(schema, lookup, 'query', `${name}, lookup`);
  return { ...told, lookup: { document: lookup, operation: found } };
}
