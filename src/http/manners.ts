import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { addVary } from './wire/encoding.ts';
import { exchangeOf } from './wire/exchange.ts';
import { emptyResponse, RETRY_AFTER } from './wire/response.ts';
import { type ServerContext, targetOf } from './wire/target.ts';

export interface MannersOptions {
  readonly logger: Logger;
  /** Origins whose pages may call; `*` for all. None by default. */
  readonly corsOrigins: readonly string[];
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id';
const EXPOSED = [
  ...['X-Request-Id', 'Idempotency-Replayed', 'Retry-After'],
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
].join(', ');

function corsHeaders(request: Request, origins: readonly string[]): Record<string, string> {
  const origin = request.headers.get('origin');
  if (origin === null || !(origins.includes('*') || origins.includes(origin))) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED,
  };
}

/** A preflight is answered for every path alike: which of them exist is told only to those who ask for them. */
function preflight(request: Request, origins: readonly string[]): Response {
  const allowed = corsHeaders(request, origins);
  if (!('Access-Control-Allow-Origin' in allowed)) return emptyResponse(204);
  return emptyResponse(204, {
    'Access-Control-Allow-Methods': METHODS,
    // A page that may call may send what its libraries add: of headers that are not known here nothing follows.
    'Access-Control-Allow-Headers': request.headers.get('access-control-request-headers') ?? HEADERS,
    'Access-Control-Max-Age': '600',
    Vary: 'Origin, Access-Control-Request-Headers',
  });
}

function decorate(request: Request, response: Response, origins: readonly string[]): void {
  const { headers } = response;
  headers.set('X-Request-Id', exchangeOf(request).requestId);
  headers.set('X-Content-Type-Options', 'nosniff');
  if ([429, 503].includes(response.status) && !headers.has('Retry-After')) headers.set('Retry-After', RETRY_AFTER);
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(corsHeaders(request, origins))) headers.set(name, value);
  if (!headers.has('Vary')) headers.set('Vary', 'Accept, Authorization');
  if (origins.length > 0) addVary(headers, ['Origin']);
}

function logLine(logger: Logger, request: Request, response: Response, path: string): void {
  const { requestId, startedAt, caller, operation } = exchangeOf(request);
  const line = {
    requestId,
    method: request.method,
    path,
    status: response.status,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    operation,
    keyId: caller?.keyId,
    organizationId: caller?.organizationId,
  };
  const isProbe = path === '/health' || path === '/ready' || path === '/metrics';
  logger[isProbe ? 'debug' : 'info'](line, 'request');
}

/** What every answer has in common: the request id, caching and sniffing rules, CORS and its line in the log. */
export function manners({ logger, corsOrigins }: MannersOptions): Plugin {
  // No member of a line is looked through for keys: they are the line's own, and to look takes longer than to write them.
  const lines = logger.child({}, { redact: [] });
  return {
    onRequest({ request, endResponse }) {
      exchangeOf(request);
      const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
      if (isPreflight) endResponse(preflight(request, corsOrigins));
    },
    onResponse({ request, response, serverContext }) {
      decorate(request, response, corsOrigins);
      logLine(lines, request, response, targetOf(request, serverContext as ServerContext).path);
    },
  };
}
