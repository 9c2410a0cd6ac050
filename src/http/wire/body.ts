import { badRequest } from '../../billing/errors.ts';
import { parseJson } from './json.ts';

/** A body of more bytes than the gateway reads. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** The client went away while it was sending: there is nobody to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

/** What such a request is counted as; nobody is sent it. */
export const CLIENT_GONE = 499;

// To read so many bytes as JSON takes milliseconds. Of bodies that are there at once, one is read in each turn of the loop: what is
// short is answered between them.
const LONG = 64 * 1024;
let lastTurn: Promise<unknown> = Promise.resolve();

function nextTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}

const bodies = new WeakMap<Request, Promise<string>>();

/** The text of a body, read no further than the limit, and once however often it is asked for. */
export function readBody(request: Request, limit: number): Promise<string> {
  const known = bodies.get(request) ?? readOnce(request, limit);
  bodies.set(request, known);
  return known;
}

async function readOnce(request: Request, limit: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new BodyTooLargeError();
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  // By hand: leaving a loop over it would destroy the connection, on which the refusal is still to be sent.
  const parts = (request.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const next = () =>
    parts.next().catch((cause: unknown) => {
      throw new ClientGoneError('the body ended before its end', { cause });
    });
  for (let part = await next(); !part.done; part = await next()) {
    size += part.value.byteLength;
    if (size > limit) throw new BodyTooLargeError();
    chunks.push(part.value);
  }
  if (size > LONG) await nextTurn();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw badRequest();
  }
}

/** Whatever its content type says, a body is JSON or it is refused: clients of the API send nothing else. */
export function parseBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest();
    throw error;
  }
}

const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object under the root key, or the body itself; a 400 where it is missing, empty or no object. */
export function rootOf(body: unknown, root: string | undefined): unknown {
  if (!isMembers(body)) throw badRequest();
  if (root === undefined) return body;
  const value = body[root];
  if (!isMembers(value) || Object.keys(value).length === 0) throw badRequest();
  return value;
}
