import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { attempted, badRequest, type ErrorDetails, invalid } from '../../billing/errors.ts';
import { camelCase, snakeCase } from '../../billing/name-case.ts';
import type { Caller, Context } from '../../graphql/context.ts';
import type { Route, RouteRequest } from '../../rest/route.ts';
import { lengthFaults } from '../limit/input-limit.ts';
import { isMembers, parseBody, readBody, rootOf } from '../wire/body.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { type Exchange, reportErrors, setRestRequest } from '../wire/exchange.ts';
import { emptyResponse, jsonResponse } from '../wire/response.ts';
import { fromBillingError, fromGraphQLErrors, isBillingError, restError } from '../wire/rest-error.ts';
import { codeOf } from '../wire/wire-error.ts';
import { meantCall } from './batch.ts';
import { allowedRoot, checkContainers } from './body-check.ts';
import { fitVariables } from './coerce.ts';
import { documentBody } from './document-body.ts';

export type Execute = (document: DocumentNode, variables: object, context: Context) => Promise<ExecutionResult>;

export interface CallOptions {
  readonly schema: GraphQLSchema;
  readonly execute: Execute;
  /** The last argument is false here: the route has checked the permission that covers all its documents show. */
  readonly contextOf: (caller: Caller, requestId: string, checksTypes: boolean, request: Request) => Context;
  readonly bodyLimit: number;
  readonly logger: Logger;
  /** Keeps what was refused of a body before anything was executed, of routes that say so: the variables that it was to be, as they were sent. */
  readonly keepRefused?: (context: Context, variables: Record<string, unknown>, details: ErrorDetails) => Promise<void>;
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

const MEMBER = /^([^[]+)\[([^[\]]+)\](\[\])?$/;

/** Members of parameters that were sent one by one (`group[region]=eu`, `group[region][]=eu`) as JSON. */
function gatherMembers(query: URLSearchParams, names: readonly string[]): void {
  const gathered = new Map<string, Record<string, string[]>>();
  for (const [sent, value] of query) {
    const [, name = '', member = ''] = MEMBER.exec(sent) ?? [];
    if (!names.includes(name)) continue;
    const members: Record<string, string[]> = gathered.get(name) ?? Object.create(null);
    gathered.set(name, members);
    members[member] = [...(members[member] ?? []), value];
  }
  for (const [name, members] of gathered) query.set(name, JSON.stringify(members));
}

/** Whoever looks something up by a text with a NUL in it, finds an error of the database. */
function queryOf(
  { query: names = [], queryAliases = {}, queryMembers = [] }: Route,
  text: string,
): RouteRequest['query'] {
  const query = new URLSearchParams(text);
  for (const [name, value] of query) {
    if (value.includes('\0')) throw invalid({ [name.replace(/\[\]$/, '')]: ['value_is_invalid'] });
  }
  if (queryMembers.length > 0) gatherMembers(query, queryMembers);
  for (const [alias, name] of Object.entries(queryAliases)) {
    const value = query.get(alias);
    if (value !== null) query.set(name, value);
  }
  const sent = (name: string) => (name.endsWith('[]') ? query.getAll(name) : (query.get(name) ?? undefined));
  return Object.fromEntries(names.map((name) => [name, sent(name)]));
}

/** A route whose members are all optional takes no body for an empty one. */
function bodyOf(route: Route, text: string): unknown {
  const { root, bare } = route;
  const body = parseBody(text);
  if (bare === 'both' && isMembers(body) && !Object.hasOwn(body, root ?? '')) return rootOf(body, undefined);
  return allowedRoot(route, body === undefined && root === undefined ? {} : body);
}

async function readRequest({ endpoint, params, query, request }: Call, options: CallOptions): Promise<RouteRequest> {
  const { route } = endpoint;
  const takes = takesBody(route);
  const body = takes ? bodyOf(route, await readBody(request, options.bodyLimit)) : undefined;
  checkContainers(route, body);
  return { params, query: queryOf(route, query), body: documentBody(route, body) };
}

function variablesOf({ endpoint, params }: Call, read: RouteRequest, options: CallOptions) {
  const { route, operation } = endpoint;
  // What the path names is bounded by the size of a request's head, and of a wrong length it names nothing.
  const path = new Set(Object.values(params));
  const lengthsOf = (fitted: Record<string, unknown>) => {
    const sent = Object.entries(fitted).filter(([, value]) => !path.has(value as string));
    return lengthFaults(options.schema, route.document, Object.fromEntries(sent), snakeCase);
  };
  const variables = fitVariables(options.schema, operation, route.variables(read), route, lengthsOf);
  // Without its root an object is one by its members.
  const { input } = variables;
  if (route.bare === 'both' && isMembers(input) && Object.keys(input).length === 0) throw badRequest();
  return variables;
}

const pathNames = (params: Call['params']) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [camelCase(name), value]));

/** What a request whose body cannot be read names by its path. */
function withoutBody({ endpoint, params, query }: Call): RouteRequest | undefined {
  if (Object.keys(params).length === 0) return undefined;
  const sent = attempted(() => queryOf(endpoint.route, query));
  return sent.refusal ? undefined : { params, query: sent.value, body: undefined };
}

/** Whether an object that is named does not exist; asked only when the request is to be refused for another reason. */
async function isPathUnknown(call: Call, read: RouteRequest | undefined, options: CallOptions): Promise<boolean> {
  const { lookup, route } = call.endpoint;
  const asked = read ?? withoutBody(call);
  if (!lookup || (route.looksUp && !asked)) return false;
  const named = asked && route.looksUp ? route.looksUp(asked) : pathNames(call.params);
  const variables = fitVariables(options.schema, lookup.operation, named);
  const { errors } = await run(call, lookup.document, variables, options);
  return (errors ?? []).some((error) => codeOf(error) === 'object_not_found');
}

/** Tells of what a refused body would have been, with values of any form and texts that nothing can store. */
async function keepRefused(call: Call, details: ErrorDetails, { keepRefused: keep, ...options }: CallOptions) {
  const { endpoint, params, query, request, exchange, caller } = call;
  const { route } = endpoint;
  if (!keep || !route.keepsRefused) return;
  const body = rootOf(JSON.parse(await readBody(request, options.bodyLimit)), route.root);
  const variables = route.variables({ params, query: queryOf(route, query), body });
  await keep(options.contextOf(caller, exchange.requestId, false, request), variables, details);
}

function answerOf({ answer = [], status = 200, bare, root = '' }: Route, data: unknown): Response {
  const step = (value: unknown, name: string) => (value as Record<string, unknown> | null | undefined)?.[name];
  const body = answer.reduce(step, data);
  if (typeof body !== 'object' || body === null) return restError('object_not_found');
  return jsonResponse(status, bare ? { ...(step(body, root) as object), ...body } : body);
}

/** Executes the document of a route and answers with its data. */
export async function answerCall(asked: Call, options: CallOptions): Promise<Response> {
  const { call, items } = await meantCall(asked, options.bodyLimit);
  const { route } = call.endpoint;
  const told = { ...route, items, sentNames: call.endpoint.sentNames };
  let read: RouteRequest | undefined;
  let variables: Record<string, unknown>;
  try {
    read = await readRequest(call, options);
    variables = variablesOf(call, read, options);
  } catch (error) {
    if (!isBillingError(error)) throw error;
    if (error.details) await keepRefused(call, error.details, options);
    return (await isPathUnknown(call, read, options)) ? restError('object_not_found') : fromBillingError(error, told);
  }
  const { data, errors } = await run(call, route.document, variables, options);
  if (errors && errors.length > 0) return fromGraphQLErrors(errors, call.exchange.requestId, told);
  return route.empty ? emptyResponse(200) : answerOf(route, data);
}
