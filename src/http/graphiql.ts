import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { Page } from './page.ts';
import { emptyResponse } from './response.ts';

export interface GraphiQLOptions {
  /** A key that is filled in for the visitor; only ever that of a demo. */
  readonly demoKey?: string | undefined;
  /** Operations in tabs. */
  readonly examples: readonly string[];
}

// Everything the page needs is inline; its workers are blobs. It may talk to this server and to nothing else.
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob:",
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  "connect-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const ENCODERS = {
  br: (html: Buffer) => promisify(brotliCompress)(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (html: Buffer) => promisify(gzip)(html, { level: 6 }),
  identity: async (html: Buffer) => html,
};
type Encoding = keyof typeof ENCODERS;

function render({ demoKey, examples }: GraphiQLOptions): Buffer {
  const headers = JSON.stringify({ Authorization: `Bearer ${demoKey ?? '<your key>'}` }, null, 2);
  const settings = {
    title: 'Billing gateway',
    headers,
    defaultHeaders: headers,
    defaultTabs: examples.map((query) => ({ query, headers })),
    shouldPersistHeaders: false,
  };
  const text = JSON.stringify(settings);
  // The renderer writes the settings into a script as they are; an example must not be able to end it.
  const html = renderGraphiQL(settings).replace(text, () => text.replaceAll('<', '\\u003c'));
  return Buffer.from(html.trimStart());
}

function encodingOf(request: Request): Encoding {
  const accepted = (request.headers.get('accept-encoding') ?? '').toLowerCase();
  const takes = (name: string) => new RegExp(`(^|[,\\s])${name}(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted);
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity';
}

const wantsPage = (request: Request) =>
  request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html');

/** GraphiQL from this server alone. The page is nine megabytes: it is made and compressed once, when first asked for. */
export function graphiqlPage(options: GraphiQLOptions): Page {
  let made: Buffer | undefined;
  const bodies = new Map<Encoding, Promise<Buffer>>();
  const bodyIn = (encoding: Encoding) => {
    made ??= render(options);
    const body = bodies.get(encoding) ?? ENCODERS[encoding](made);
    bodies.set(encoding, body);
    return body;
  };
  let etag: string | undefined;
  return {
    matches: ({ path }, request) => (path === '/graphql' || path === '/graphql/') && wantsPage(request),
    async answer(request) {
      made ??= render(options);
      etag ??= createHash('sha256').update(made).digest('base64url').slice(0, 22);
      const encoding = encodingOf(request);
      const headers = {
        'Cache-Control': 'no-cache',
        'Content-Security-Policy': POLICY,
        'Referrer-Policy': 'no-referrer',
        ETag: `"${etag}-${encoding}"`,
        Vary: 'Accept, Accept-Encoding',
      };
      if (request.headers.get('if-none-match')?.includes(headers.ETag)) return emptyResponse(304, headers);
      const body = await bodyIn(encoding);
      return new Response(new Uint8Array(body), {
        headers: {
          ...headers,
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Length': String(body.length),
          ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
        },
      });
    },
  };
}
