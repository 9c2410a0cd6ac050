import { writeJson } from './json.ts';

/** A JSON answer; bigints are printed with every digit. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(writeJson(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

export const emptyResponse = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, headers });
