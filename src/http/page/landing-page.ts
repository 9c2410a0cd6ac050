import { parse, print } from 'graphql';
import type { IntrospectionAccess } from '../limit/introspection.ts';
import type { Page } from '../wire/page.ts';
import { sample } from './docs-operation.ts';
import { html } from './html.ts';
import { htmlPage } from './html-page.ts';

const SCHEMA = {
  path: '/schema.graphql',
  name: 'Schema',
  text: 'The whole GraphQL schema as text, for tools that generate code.',
};
const PLACES = [
  { path: '/graphql', name: 'GraphiQL', text: 'Explore the graph and run queries in the browser.' },
  {
    path: '/docs',
    name: 'Documentation',
    text: 'GraphQL in brief, and every REST endpoint with its parameters, schemas, examples and commands to copy.',
  },
  { path: '/openapi.json', name: 'OpenAPI', text: 'The description of the REST API for tools, as OpenAPI 3.1.' },
  SCHEMA,
  { path: '/health', name: 'Health', text: 'Whether the process answers.' },
  { path: '/ready', name: 'Readiness', text: 'Whether the database answers and is up to date.' },
];

const placesFor = (schema: IntrospectionAccess) =>
  PLACES.filter((place) => schema !== 'never' || place !== SCHEMA).map((place) =>
    schema === 'keys' && place === SCHEMA ? { ...place, text: `${place.text} Needs a secret key.` } : place,
  );

export interface LandingOptions {
  readonly schema: IntrospectionAccess;
  /** The demo's own key, which everybody knows, and a query that it answers; only where the demo is. */
  readonly demo?: { readonly key: string; readonly query: string } | undefined;
}

const demoPart = ({ key, query }: NonNullable<LandingOptions['demo']>) => html`<section class="demo">
<h2>Try the demo</h2>
<p>Its secret key, for this machine: <code>${key}</code>. GraphiQL has it filled in: <a href="/graphql?query=${encodeURIComponent(print(parse(query)))}">run this query there</a>.</p>
${sample('First query', print(parse(query)), 'graphql')}
</section>`;

/** `/`: where everything is, with the schema for those who may read it. */
export const landingPage = ({ schema, demo }: LandingOptions): Page =>
  htmlPage({
    paths: ['/'],
    title: 'Billing gateway',
    description: 'A GraphQL gateway over the billing domain, with a REST API.',
    body: () => html`<main class="start">
<header>
<h1>Billing gateway</h1>
<p>Plans, subscriptions, invoices, wallets and payments: one graph, and a REST API answered by it.</p>
</header>
<ul class="cards">
${placesFor(schema).map(
  ({ path, name, text }) =>
    html`<li><a href="${path}"><strong>${name} <code>${path}</code></strong><span>${text}</span></a></li>\n`,
)}</ul>
<p class="soft">Requests to <code>/graphql</code> and <code>/api/v1</code> need a key: <code>Authorization: Bearer &lt;key&gt;</code></p>
${demo && demoPart(demo)}
</main>`,
  });
