import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Caller } from '../../graphql/context.ts';
import { type Authenticate, callerOf, keyOf as textOfKey } from '../wire/authentication.ts';
import { exchangeOf, restRequestOf } from '../wire/exchange.ts';
import { jsonResponse } from '../wire/response.ts';
import { restError } from '../wire/rest-error.ts';
import { apiPathOf, type ServerContext, targetOf } from '../wire/target.ts';
import { variablesCost } from './cost.ts';
import { FailedKeys } from './failed-keys.ts';
import { costOf } from './limit.ts';

/** How a key stands after a request has been counted. */
export interface Standing {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until all points are there again. */
  readonly endsIn: number;
}

export interface RateLimitOptions {
  readonly authenticate: Authenticate;
  /** Spends points of a key, or none of them where they are more than it has left. */
  readonly spend: (key: string, points: number) => Promise<Standing>;
}

const CODE = 'rate_limit_exceeded';
const MESSAGE = 'Too Many Requests';
const COST_A_POINT = 100;

const GRAPHQL = /^\/graphql(?:\/|$)/;

const keyOf = ({ organizationId, keyId }: Caller) => `${organizationId}:${keyId}`;

const refusal = (isRest: boolean): Response =>
  isRest ? restError(CODE) : jsonResponse(429, { errors: [{ message: MESSAGE, extensions: { code: CODE } }] });

/** Too much was asked for; it may be asked again after so many seconds. */
export function refusalUntil(isRest: boolean, seconds: number): Response {
  const response = refusal(isRest);
  response.headers.set('Retry-After', String(seconds));
  return response;
}

interface Execution {
  readonly args: ExecutionArgs;
  setResultAndStopExecution(result: ExecutionResult): void;
}

/** Whole seconds until all points are there again. */
export const secondsUntil = ({ endsIn }: Standing): number => Math.max(Math.ceil(endsIn / 1000), 1);

function writeHeaders({ headers, status }: Response, standing: Standing): void {
  const { limit, remaining } = standing;
  const seconds = String(secondsUntil(standing));
  headers.set('X-RateLimit-Limit', String(limit));
  headers.set('X-RateLimit-Remaining', String(remaining));
  headers.set('X-RateLimit-Reset', seconds);
  if (status === 429) headers.set('Retry-After', seconds);
}

/**
 * Counts the requests of every key: a point each, and another one for every hundred of a GraphQL operation's cost, or of what the
 * objects in a REST body's lists would cost there.
 * Keys that open nothing are counted by the address that they come from; a good key is answered however many there were.
 */
export function rateLimit({ authenticate, spend }: RateLimitOptions): Plugin {
  const standings = new WeakMap<Request, Standing>();
  const failed = new FailedKeys();
  const count = async (request: Request, caller: Caller, points: number) => {
    const standing = await spend(keyOf(caller), points);
    standings.set(request, standing);
    return standing.isAllowed;
  };
  const countCost = async ({ args, setResultAndStopExecution }: Execution) => {
    const { request = restRequestOf(args.contextValue as object) } = args.contextValue as { request?: Request };
    const caller = request && exchangeOf(request).caller;
    // Documents of the REST API are the gateway's own, and are not measured; what is in a body is its client's.
    const cost = request ? (costOf(request) ?? variablesCost(args.variableValues ?? {})) : 0;
    const points = Math.floor(cost / COST_A_POINT);
    if (!request || !caller || points === 0 || (await count(request, caller, points))) return;
    const extensions = { code: CODE, http: { status: 429 } };
    setResultAndStopExecution({ errors: [new GraphQLError(MESSAGE, { extensions })] });
  };
  return {
    async onRequest({ request, serverContext, endResponse }) {
      const target = targetOf(request, serverContext as ServerContext);
      const isRest = apiPathOf(target) !== undefined;
      if (!isRest && !GRAPHQL.test(target.path)) return;
      // A database that is down is told of by whoever answers the request.
      const caller = await callerOf(request, authenticate).catch(() => null);
      if (caller && !(await count(request, caller, 1))) endResponse(refusal(isRest));
      if (caller !== undefined || !textOfKey(request)) return;
      const seconds = failed.count((serverContext as ServerContext).req?.socket?.remoteAddress);
      if (seconds !== undefined) endResponse(refusalUntil(isRest, seconds));
    },
    onExecute: (execution) => countCost(execution as Execution),
    onSubscribe: (execution) => countCost(execution),
    onResponse({ request, response }) {
      const standing = standings.get(request);
      if (standing) writeHeaders(response, standing);
    },
  };
}
