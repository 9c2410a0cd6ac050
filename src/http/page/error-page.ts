import { STATUS_CODES } from 'node:http';
import { Response } from '@whatwg-node/fetch';
import type { Plugin } from 'graphql-yoga';
import { placeOf } from '../observe/activity.ts';
import { exchangeOf } from '../wire/exchange.ts';
import { restError } from '../wire/rest-error.ts';
import { apiPathOf, type ServerContext, targetOf } from '../wire/target.ts';
import { html } from './html.ts';
import { htmlText } from './html-page.ts';

const WORDS: Readonly<Record<number, string>> = {
  401: 'A key is needed here, and none came with the request or it is not valid.',
  403: 'This address may not be read: it is not signed, its time is over, or the key does not allow it.',
  404: 'There is nothing at this address.',
  503: 'This does not work at the moment. Try again in a minute.',
};

// The weight of a type in an Accept header; more than one range may match, the most exact one counts.
function weightOf(accept: string, type: string): number {
  const ranges = accept.split(',').map((range) => range.trim().toLowerCase().split(';'));
  const [group] = type.split('/');
  for (const wanted of [type, `${group}/*`, '*/*']) {
    const found = ranges.find(([name = '']) => name.trim() === wanted);
    if (found) return Number(/^\s*q=([\d.]+)/.exec(found.find((part) => /^\s*q=/.test(part)) ?? '')?.[1] ?? 1);
  }
  return 0;
}

/** Whether a page is what the client would rather have than JSON. */
function wantsPage({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? '';
  return accept.includes('text/html') && weightOf(accept, 'text/html') >= weightOf(accept, 'application/json');
}

function pageOf(request: Request, { status, headers }: Response): Response {
  const title = STATUS_CODES[status] ?? 'Error';
  const { text, policy } = htmlText({
    title,
    description: title,
    body: () => html`<main class="start">
<header>
<h1>${status} ${title}</h1>
<p>${WORDS[status] ?? 'The request could not be answered.'}</p>
</header>
<p><a href="/">What there is</a></p>
<p class="soft">Request <code>${exchangeOf(request).requestId}</code></p>
</main>`,
  });
  const page = new Response(request.method === 'HEAD' ? null : text, { status, statusText: title });
  for (const [name, value] of headers) if (!name.startsWith('content-')) page.headers.set(name, value);
  page.headers.set('Content-Type', 'text/html; charset=utf-8');
  page.headers.set('Content-Length', String(Buffer.byteLength(text)));
  page.headers.set('Content-Security-Policy', policy);
  return page;
}

const GRAPHQL = /^\/graphql\/?$/;
const OWN = '/health/live'; // answered by Yoga

/** Errors outside the API, for people too: a small page for who asks for one, JSON for everybody else. */
export function errorPages(): Plugin {
  return {
    onResponse({ request, response, serverContext, setResponse }) {
      if (response.status < 400 || placeOf(request, serverContext).door !== 'page') return;
      if (wantsPage(request)) setResponse(pageOf(request, response));
    },
  };
}

/** Refuses what no page, no endpoint and no graph is at: Yoga takes every address that ends like its own for it. */
export function unknownAddresses(): Plugin {
  return {
    onRequest({ request, serverContext, endResponse }) {
      const target = targetOf(request, serverContext as ServerContext);
      if (GRAPHQL.test(target.path) || target.path === OWN || apiPathOf(target) !== undefined) return;
      const response = restError('object_not_found');
      endResponse(request.method === 'HEAD' ? new Response(null, response) : response);
    },
  };
}
