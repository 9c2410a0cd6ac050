import type { IntrospectionAccess } from '../limit/introspection.ts';
import type { Page } from '../wire/page.ts';
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
    name: 'REST API',
    text: 'Every endpoint with its parameters, schemas, examples and commands to copy.',
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

/** `/`: where everything is, with the schema for those who may read it. */
export const landingPage = ({ schema }: { readonly schema: IntrospectionAccess }): Page =>
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
</main>`,
  });
