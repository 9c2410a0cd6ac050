import { createHash } from 'node:crypto';
import { Response } from '@whatwg-node/fetch';
import { type Encoding, encode, encodingOf } from '../wire/encoding.ts';
import { emptyResponse } from '../wire/response.ts';

/** What is the same for everybody for as long as the process runs. */
export interface StaticContent {
  /** Media type. */
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly vary?: string;
  /** Called once, when first asked for. */
  make(): string | Buffer | Promise<Buffer>;
}

export const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD';

/** Answers with the content, compressed as the client takes it; made and compressed once. A client that has it gets a 304. */
export function staticAnswer({ type, make, headers: own, vary = 'Accept-Encoding' }: StaticContent) {
  let known: Promise<{ text: Buffer; etag: string }> | undefined;
  const bodies = new Map<Encoding, Promise<Buffer>>();
  const content = async () => {
    const text = Buffer.from(await make());
    return { text, etag: createHash('sha256').update(text).digest('base64url').slice(0, 22) };
  };
  const bodyIn = (encoding: Encoding, text: Buffer) => {
    const body = bodies.get(encoding) ?? encode(text, encoding, 5);
    bodies.set(encoding, body);
    return body;
  };
  return async (request: Request): Promise<Response> => {
    known ??= content();
    const { text, etag } = await known;
    const encoding = encodingOf(request);
    const headers = { 'Cache-Control': 'no-cache', ETag: `"${etag}-${encoding}"`, Vary: vary, ...own };
    if (request.headers.get('if-none-match')?.includes(headers.ETag)) return emptyResponse(304, headers);
    const body = await bodyIn(encoding, text);
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), {
      headers: {
        ...headers,
        'Content-Type': type,
        'Content-Length': String(body.length),
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      },
    });
  };
}
