import type { Page } from '../wire/page.ts';
import { staticAnswer } from './static-answer.ts';

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

async function render({ demoKey, examples }: GraphiQLOptions): Promise<Buffer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
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

const wantsPage = (request: Request) =>
  request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html');

/** GraphiQL from this server alone. The page is nine megabytes: it is loaded, made and compressed when first asked for. */
export function graphiqlPage(options: GraphiQLOptions): Page {
  return {
    matches: ({ path }, request) => (path === '/graphql' || path === '/graphql/') && wantsPage(request),
    answer: staticAnswer({
      type: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' },
      vary: 'Accept, Accept-Encoding',
      make: () => render(options),
    }),
  };
}
