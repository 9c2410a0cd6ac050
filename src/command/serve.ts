import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { App } from '../app.ts';
import { requestIdOf } from '../http/wire/exchange.ts';
import { refuse, refuseConnection, refuseExpectation } from '../http/wire/refusal.ts';
import { RETRY_AFTER } from '../http/wire/response.ts';
import { isStream } from '../http/wire/stream.ts';
import { UNAVAILABLE } from '../http/wire/wire-error.ts';

export interface ServeOptions {
  readonly app: App;
  readonly host: string;
  readonly port: number;
  /** Milliseconds in which a request must have arrived and been answered. */
  readonly requestTimeout: number;
  /** Milliseconds that running requests have when the gateway stops. */
  readonly shutdownTimeout: number;
  readonly logger: Logger;
}

/** The port cannot be listened on; the message is one line for the operator. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'is in use',
  EACCES: 'is not allowed',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not a host that is known',
};

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ListenError(`${host}:${port} ${REASONS[error.code ?? ''] ?? error.message}`));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

// A stream is kept alive by pings; one through which they no longer pass has lost its reader.
const STREAM_SILENCE = 60_000;

const LATE = { status: 503, error: 'Service Unavailable' };
const LATE_GRAPHQL = { errors: [{ message: 'Service unavailable', extensions: { code: UNAVAILABLE } }] };

// The work goes on in the database until its own limits end it; the client is not left waiting.
function answerLate(response: ServerResponse, milliseconds: number): void {
  const timer = setTimeout(() => {
    if (isStream(response)) return void response.socket?.setTimeout(STREAM_SILENCE, () => response.destroy());
    if (response.headersSent) return void response.destroy();
    const { url, headers } = response.req;
    const own = { 'X-Request-Id': headers['x-request-id'], 'X-Content-Type-Options': 'nosniff' };
    const common = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Connection: 'close' };
    response.writeHead(503, { ...own, ...common, 'Retry-After': RETRY_AFTER });
    response.end(JSON.stringify(url?.startsWith('/graphql') ? LATE_GRAPHQL : LATE));
  }, milliseconds);
  response.once('close', () => clearTimeout(timer));
}

async function stop(server: Server, milliseconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), milliseconds);
  await closed;
  clearTimeout(timer);
}

/** Serves the app on a port. `close` stops accepting, lets running requests finish within the bound and closes the app. */
export async function serve(options: ServeOptions): Promise<{ port: number; close(): Promise<void> }> {
  const { app, requestTimeout, shutdownTimeout } = options;
  let closing = false;
  const server = createServer(
    {
      requestTimeout,
      headersTimeout: Math.min(requestTimeout, 15_000),
      maxHeaderSize: 16 * 1024,
      keepAliveTimeout: 5000,
      requireHostHeader: false, // refused here, with a body
    },
    (request: IncomingMessage, response: ServerResponse) => {
      if (request.headers.host === undefined && request.httpVersion === '1.1') return refuse(response, 400);
      if (closing) response.setHeader('Connection', 'close');
      // Answers that were begun before have promised to keep the connection.
      response.once('close', () => closing && setImmediate(() => server.closeIdleConnections()));
      // Known to both, so that an answer that comes too late has the id that the log has.
      request.headers['x-request-id'] = requestIdOf(request.headers['x-request-id']?.toString());
      answerLate(response, requestTimeout);
      app.listener(request, response);
    },
  );
  server.on('checkExpectation', refuseExpectation);
  server.on('clientError', refuseConnection);
  const port = await listen(server, options.host, options.port);
  server.on('error', (err) => options.logger.error({ err }, 'server'));
  return {
    port,
    async close() {
      closing = true;
      app.endStreams();
      await stop(server, shutdownTimeout);
      await app.close();
    },
  };
}
