import { randomUUID } from 'node:crypto';
import type { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import type { Caller, Context } from '../../graphql/context.ts';
import { causeOf, codeOf, INTERNAL } from './wire-error.ts';

/** One request and its answer: what is known of it on the way. */
export interface Exchange {
  readonly requestId: string;
  readonly startedAt: number;
  caller?: Caller;
  /** The attempt that it is, where the client has named it. */
  named?: Context['named'];
  /** The REST operation or the GraphQL operation's name, for the log. */
  operation?: string;
}

const SANE_ID = /^[\w.:-]{1,128}$/;
const exchanges = new WeakMap<Request, Exchange>();

/** The client's own request id where it is a plain word, else a new one. */
export const requestIdOf = (given: string | null | undefined): string =>
  given != null && SANE_ID.test(given) ? given : randomUUID();

/** The exchange of a request, begun when first asked for. A request id of the client is kept when it is a plain word. */
export function exchangeOf(request: Request): Exchange {
  const known = exchanges.get(request);
  if (known) return known;
  const exchange = { requestId: requestIdOf(request.headers.get('x-request-id')), startedAt: performance.now() };
  exchanges.set(request, exchange);
  return exchange;
}

const restRequests = new WeakMap<object, Request>();

/** Remembers which REST request a context was made for; the plugins that see the execution of its document see nothing else. */
export const setRestRequest = (context: object, request: Request): void => void restRequests.set(context, request);
export const restRequestOf = (context: object): Request | undefined => restRequests.get(context);

/** Logs the causes of hidden errors, once each, and gives internal errors the request's id. */
export function reportErrors(errors: readonly GraphQLError[] | undefined, requestId: string, logger: Logger): void {
  for (const error of errors ?? []) {
    const cause = causeOf(error);
    if (cause === undefined || error.extensions.requestId !== undefined) continue;
    logger.error({ requestId, path: error.path?.join('.'), err: cause }, 'request failed');
    if (codeOf(error) === INTERNAL) error.extensions.requestId = requestId;
  }
}
