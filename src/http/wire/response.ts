import { STATUS_CODES } from 'node:http';
import { Response } from '@whatwg-node/fetch';
import { writeJson } from './json.ts';

/** Seconds after which a request that was answered 503 may be sent again. */
export const RETRY_AFTER = '2';

// This Response, which the server writes without a stream, shows names as they were given; clients are used to small letters.
const named = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** A JSON answer; bigints are printed with every digit. */
export const jsonResponse = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  textResponse(status, writeJson(body), headers);

/** A JSON answer that is text already. */
export function textResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  // As bytes: to count those of a text, twice, and to write it as one goes through it three times.
  const bytes = Buffer.from(text);
  return new Response(bytes, {
    status,
    statusText: STATUS_CODES[status],
    headers: named({ 'Content-Type': 'application/json', 'Content-Length': String(bytes.length), ...headers }),
  });
}

export const emptyResponse = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, statusText: STATUS_CODES[status], headers: named(headers) });
