import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Caller } from '../../graphql/context.ts';
import { exchangeOf } from './exchange.ts';
import { jsonResponse } from './response.ts';
import { INTERNAL, UNAVAILABLE } from './wire-error.ts';

/** Finds whose key it is; undefined for a key that opens nothing. */
export type Authenticate = (key: string) => Promise<Caller | undefined>;

/** The key in the value of an `Authorization` header: a bearer's, and no other scheme's. */
export const bearerOf = (header: string | null | undefined): string | undefined =>
  /^\s*bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1];

/** The key of a request. */
export const keyOf = (request: Request): string | undefined => bearerOf(request.headers.get('authorization'));

const callers = new WeakMap<Request, Promise<Caller | undefined>>();

/** Whose request it is; undefined without a valid key. Looked up once, however often it is asked. */
export function callerOf(request: Request, authenticate: Authenticate): Promise<Caller | undefined> {
  const known = callers.get(request) ?? findCaller(request, authenticate);
  callers.set(request, known);
  return known;
}

async function findCaller(request: Request, authenticate: Authenticate): Promise<Caller | undefined> {
  const key = keyOf(request);
  const caller = key ? await authenticate(key) : undefined;
  const exchange = exchangeOf(request);
  if (caller) exchange.caller = caller;
  return caller;
}

const refusal = (status: number, message: string, extensions: Record<string, unknown>) =>
  jsonResponse(status, { errors: [{ message, extensions }] }, status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {});

export interface GuardOptions {
  readonly authenticate: Authenticate;
  readonly isUnavailable: (cause: unknown) => boolean;
  readonly logger: Logger;
}

/** Nothing of a GraphQL request is read before its key is known. */
export function guardGraphQL({ authenticate, isUnavailable, logger }: GuardOptions): Plugin {
  return {
    async onRequestParse({ request, endResponse }) {
      const { requestId } = exchangeOf(request);
      try {
        const caller = await callerOf(request, authenticate);
        if (!caller) endResponse(refusal(401, 'Unauthorized', { code: 'unauthorized' }));
      } catch (err) {
        logger.error({ requestId, err }, 'a key could not be looked up');
        endResponse(
          isUnavailable(err)
            ? refusal(503, 'Service unavailable', { code: UNAVAILABLE })
            : refusal(500, 'Internal server error', { code: INTERNAL, requestId }),
        );
      }
    },
  };
}
