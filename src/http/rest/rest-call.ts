import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { badRequest, type ErrorDetails, invalid, placedName } from '../../billing/errors.ts';
import { camelCase, snakeCase } from '../../billing/name-case.ts';
import type { Caller, Context } from '../../graphql/context.ts';
import type { Route, RouteRequest } from '../../rest/route.ts';
import { type LengthFaults, lengthFaults } from '../limit/input-limit.ts';
import { parseBody, readBody, rootOf } from '../wire/body.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { type Exchange, reportErrors, setRestRequest } from '../wire/exchange.ts';
import { jsonResponse } from '../wire/response.ts';
import { fromBillingError, fromGraphQLErrors, isBillingError, restError } from '../wire/rest-error.ts';
import { codeOf } from '../wire/wire-error.ts';
import { fitVariables } from './coerce.ts';
import { withTime } from './unix-time.ts';

export type Execute = (document: DocumentNode, variables: object, context: Context) => Promise<ExecutionResult>;

export interface CallOptions {
  readonly schema: GraphQLSchema;
  readonly execute: Execute;
  /** The last argument is false here: the route has checked the permission that covers all its documents show. */
  readonly contextOf: (caller: Caller, requestId: string, checksTypes: boolean, request: Request) => Context;
  readonly bodyLimit: number;
  readonly logger: Logger;
}

/** A request whose route and caller are known and whose permission has been checked. */
export interface Call {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  readonly request: Request;
  readonly exchange: Exchange;
  readonly caller: Caller;
}

async function run(call: Call, document: DocumentNode, variables: object, options: CallOptions) {
  const { requestId, named } = call.exchange;
  const context = options.contextOf(call.caller, requestId, false, call.request);
  context.named = named;
  setRestRequest(context, call.request);
  const { data, errors } = await options.execute(document, variables, context);
  reportErrors(errors as readonly GraphQLError[] | undefined, requestId, options.logger);
  return { data, errors: errors as readonly GraphQLError[] | undefined };
}

const takesBody = ({ root, body }: Route) => root !== undefined || body === true;

/** Whoever looks something up by a text with a NUL in it, finds an error of the database. */
function queryOf({ query: names = [], queryAliases = {} }: Route, text: string): RouteRequest['query'] {
  const query = new URLSearchParams(text);
  for (const [name, value] of query) {
    if (value.includes('\0')) throw invalid({ [name.replace(/\[\]$/, '')]: ['value_is_invalid'] });
  }
  for (const [alias, name] of Object.entries(queryAliases)) {
    const value = query.get(alias);
    if (value !== null) query.set(name, value);
  }
  const sent = (name: string) => (name.endsWith('[]') ? query.getAll(name) : (query.get(name) ?? undefined));
  return Object.fromEntries(names.map((name) => [name, sent(name)]));
}

/** A scalar where a container belongs is a wrong value of its member; another container is a malformed request. */
function checkContainers({ containers = {} }: Route, body: unknown): void {
  for (const [name, kind] of Object.entries(containers)) {
    const value = (body as Record<string, unknown> | undefined)?.[name];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value) !== (kind === 'list')) throw badRequest();
  }
}

/** A route whose members are all optional takes no body for an empty one. */
function bodyOf({ root }: Route, text: string): unknown {
  const body = parseBody(text);
  return rootOf(body === undefined && root === undefined ? {} : body, root);
}

async function variablesOf({ endpoint, params, query, request }: Call, options: CallOptions) {
  const { route, operation } = endpoint;
  const takes = takesBody(route);
  const body = takes ? bodyOf(route, await readBody(request, options.bodyLimit)) : undefined;
  checkContainers(route, body);
  const timed = route.unixTime ? withTime(body, route.unixTime) : body;
  const read: RouteRequest = { params, query: queryOf(route, query), body: timed };
  const variables = fitVariables(options.schema, operation, route.variables(read), route);
  // What the path names is bounded by the size of a request's head, and of a wrong length it names nothing.
  const path = new Set(Object.values(params));
  const sent = Object.entries(variables).filter(([, value]) => !path.has(value as string));
  const faults = lengthFaults(options.schema, route.document, Object.fromEntries(sent), snakeCase);
  if (faults) throw invalid(route.tellsPlaces ? detailsByPlace(faults) : faults.details);
  return variables;
}

/** What is too long in the objects of a list, as `<place>.<member>`. */
function detailsByPlace({ errors, details }: LengthFaults): ErrorDetails {
  const placed: ErrorDetails = {};
  for (const { path, code } of errors) {
    const [, place, member] = path;
    if (typeof place !== 'number') return details;
    const name = placedName(place, typeof member === 'string' ? snakeCase(member) : 'base');
    placed[name] = [...new Set([...(placed[name] ?? []), code])];
  }
  return placed;
}

/** Whether an object of the path does not exist; asked only when the request is to be refused for another reason. */
async function isPathUnknown(call: Call, options: CallOptions): Promise<boolean> {
  const { lookup } = call.endpoint;
  if (!lookup) return false;
  const named = Object.entries(call.params).map(([name, value]) => [camelCase(name), value]);
  const variables = fitVariables(options.schema, lookup.operation, Object.fromEntries(named));
  const { errors } = await run(call, lookup.document, variables, options);
  return (errors ?? []).some((error) => codeOf(error) === 'object_not_found');
}

function answerOf({ answer = [], status = 200 }: Route, data: unknown): Response {
  const step = (value: unknown, name: string) => (value as Record<string, unknown> | null | undefined)?.[name];
  const body = answer.reduce(step, data);
  return typeof body === 'object' && body !== null ? jsonResponse(status, body) : restError('object_not_found');
}

/** Executes the document of a route and answers with its data. */
export async function answerCall(call: Call, options: CallOptions): Promise<Response> {
  const { route } = call.endpoint;
  let variables: Record<string, unknown>;
  try {
    variables = await variablesOf(call, options);
  } catch (error) {
    if (!isBillingError(error)) throw error;
    return (await isPathUnknown(call, options)) ? restError('object_not_found') : fromBillingError(error, route);
  }
  const { data, errors } = await run(call, route.document, variables, options);
  if (errors && errors.length > 0) return fromGraphQLErrors(errors, call.exchange.requestId, route);
  return answerOf(route, data);
}
