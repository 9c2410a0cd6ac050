import type { Page } from '../wire/page.ts';
import { restError } from '../wire/rest-error.ts';
import { type Asset, type Assets, FOLDER, loadAssets } from './graphiql-asset.ts';
import { Html, html } from './html.ts';
import { ICON } from './html-page.ts';
import { isRead, staticAnswer } from './static-answer.ts';

export interface GraphiQLOptions {
  /** A key that is filled in for the visitor; only ever that of a demo. */
  readonly demoKey?: string | undefined;
  /** Operations in tabs. */
  readonly examples: readonly string[];
  /** Operations in further tabs, with a key of their own. */
  readonly trial?: { readonly key: string; readonly examples: readonly string[] } | undefined;
}

// The page may talk to this server and to nothing else. Its editor writes styles as it goes.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headersOf = (key = '<your key>') => JSON.stringify({ Authorization: `Bearer ${key}` }, null, 2);

function settingsOf({ demoKey, examples, trial }: GraphiQLOptions, { workers }: Assets) {
  const headers = headersOf(demoKey);
  const tabsOf = (queries: readonly string[] = [], key = demoKey) =>
    queries.map((query) => ({ query, headers: headersOf(key) }));
  return {
    title: 'Billing gateway',
    headers,
    defaultHeaders: headers,
    defaultTabs: [...tabsOf(examples), ...tabsOf(trial?.examples, trial?.key)],
    shouldPersistHeaders: false,
    workers: Object.fromEntries(Object.entries(workers).map(([label, { path }]) => [label, path])),
  };
}

const render = (options: GraphiQLOptions, assets: Assets): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>GraphiQL: billing gateway</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${assets.style.path}">
<script type="application/json" id="settings">${new Html(JSON.stringify(settingsOf(options, assets)).replaceAll('<', '\\u003c'))}</script>
<script defer src="${assets.program.path}"></script>
<script defer src="${assets.start.path}"></script>
</head>
<body>
<noscript>GraphiQL is a program of the browser: it needs JavaScript. The schema is at <a href="/schema.graphql">/schema.graphql</a>.</noscript>
<main id="root"></main>
</body>
</html>
`;

const wantsPage = (request: Request) =>
  request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html');

const filesOf = ({ program, start, style, workers }: Assets): Asset[] => [
  program,
  start,
  style,
  ...Object.values(workers),
];

/** GraphiQL from this server alone: a page, and its files at addresses that browsers keep. */
export function graphiqlPages(options: GraphiQLOptions): readonly Page[] {
  let known: Promise<Assets> | undefined;
  const assets = () => {
    known ??= loadAssets();
    return known;
  };
  const page: Page = {
    matches: ({ path }, request) => (path === '/graphql' || path === '/graphql/') && wantsPage(request),
    answer: staticAnswer({
      type: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' },
      vary: 'Accept, Accept-Encoding',
      make: async () => Buffer.from(render(options, await assets()).text),
    }),
  };
  const files: Page = {
    matches: ({ path }, request) => path.startsWith(FOLDER) && isRead(request),
    async answer(request, { path }) {
      const found = filesOf(await assets()).find((file) => file.path === path);
      return found ? found.answer(request) : restError('object_not_found');
    },
  };
  return [page, files];
}
