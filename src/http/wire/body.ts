import { Readable } from 'node:stream';
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
  const { body } = request;
  if (!body) return '';
  const bytes = await bytesOf(streamOf(body), limit);
  if (bytes.length > LONG) await nextTurn();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest();
  }
}

/** The stream of Node's that a body wraps, or one over it. */
function streamOf(body: object): Readable {
  const { readable } = body as { readable?: unknown };
  return readable instanceof Readable ? readable : Readable.from(body as AsyncIterable<Uint8Array>);
}

/** What comes of a stream up to its end. It is left as it is at the limit: the refusal is still to be sent on its connection. */
function bytesOf(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = () => void stream.off('data', take).off('end', end).off('close', gone).pause();
    const take = (chunk: Uint8Array) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= limit) return;
      settle();
      reject(new BodyTooLargeError());
    };
    const end = () => {
      settle();
      const [only] = chunks;
      resolve(chunks.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(chunks));
    };
    const gone = (cause?: unknown) => {
      settle();
      reject(new ClientGoneError('the body ended before its end', { cause }));
    };
    stream.on('data', take).on('end', end).on('close', gone);
    stream.on('error', gone); // for good: one that comes later is nobody's
    if (stream.readableEnded) end();
    else if (stream.destroyed) gone();
  });
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

export const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object under the root key, or the body itself; a 400 where it is missing, empty or no object. */
export function rootOf(body: unknown, root: string | undefined): unknown {
  if (!isMembers(body)) throw badRequest();
  if (root === undefined) return body;
  const value = body[root];
  if (!isMembers(value) || Object.keys(value).length === 0) throw badRequest();
  return value;
}
