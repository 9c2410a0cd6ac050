import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { emptyResponse } from '../wire/response.ts';

/** What is the same for everybody for as long as the process runs. */
export interface StaticContent {
  /** Media type. */
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly vary?: string;
  /** Called once, when first asked for. */
  make(): string | Buffer;
}

const ENCODERS = {
  br: (text: Buffer) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: Buffer) => promisify(gzip)(text, { level: 6 }),
  identity: async (text: Buffer) => text,
};
type Encoding = keyof typeof ENCODERS;

function encodingOf(request: Request): Encoding {
  const accepted = (request.headers.get('accept-encoding') ?? '').toLowerCase();
  const takes = (name: string) => new RegExp(`(^|[,\\s])${name}(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted);
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity';
}

export const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD';

/** Answers with the content, compressed as the client takes it; made and compressed once. A client that has it gets a 304. */
export function staticAnswer({ type, make, headers: own, vary = 'Accept-Encoding' }: StaticContent) {
  let made: Buffer | undefined;
  let etag = '';
  const bodies = new Map<Encoding, Promise<Buffer>>();
  const content = () => {
    if (made) return made;
    made = Buffer.from(make());
    etag = createHash('sha256').update(made).digest('base64url').slice(0, 22);
    return made;
  };
  const bodyIn = (encoding: Encoding) => {
    const body = bodies.get(encoding) ?? ENCODERS[encoding](content());
    bodies.set(encoding, body);
    return body;
  };
  return async (request: Request): Promise<Response> => {
    content();
    const encoding = encodingOf(request);
    const headers = { 'Cache-Control': 'no-cache', ETag: `"${etag}-${encoding}"`, Vary: vary, ...own };
    if (request.headers.get('if-none-match')?.includes(headers.ETag)) return emptyResponse(304, headers);
    const body = await bodyIn(encoding);
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
