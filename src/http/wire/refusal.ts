import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

// The server's own refusals come before there is a request that the gateway could answer. They have the API's shape.
const WORDS: Readonly<Record<number, string>> = { 400: 'Bad request' };

const bodyOf = (status: number) => JSON.stringify({ status, error: WORDS[status] ?? STATUS_CODES[status] });

const HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
};

/** Refuses a request whose headers were understood. */
export function refuse(response: ServerResponse, status: number): void {
  const body = bodyOf(status);
  response.writeHead(status, { ...HEADERS, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

/** Refuses the expectations of an `Expect` header other than `100-continue`. */
export const refuseExpectation = (_request: unknown, response: ServerResponse): void => refuse(response, 417);

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Tells a client that what it sends is no request, and hangs up. Who has gone away, or is being answered, is told nothing. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage: answered } = socket as { _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || !socket.writable || answered?.headersSent) return void socket.destroy();
  const status = STATUSES[error.code ?? ''] ?? 400;
  const body = bodyOf(status);
  const headers = Object.entries({ ...HEADERS, 'Content-Length': Buffer.byteLength(body) });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`, () => socket.destroy());
}
