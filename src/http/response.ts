import { STATUS_CODES } from 'node:http';
import { writeJson } from './json.ts';

/** A JSON answer; bigints are printed with every digit. */
export const jsonResponse = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  textResponse(status, writeJson(body), headers);

/** A JSON answer that is text already. */
export function textResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  const length = String(Buffer.byteLength(text));
  return new Response(text, {
    status,
    statusText: STATUS_CODES[status],
    headers: { 'Content-Type': 'application/json', 'Content-Length': length, ...headers },
  });
}

export const emptyResponse = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, statusText: STATUS_CODES[status], headers });
