import { quoted, sample } from './docs-operation.ts';
import { type Html, html, prose } from './html.ts';

/** What is told of the graph. */
export interface GraphGuide {
  readonly text: string;
  /** An operation that answers with something. */
  readonly query: string;
  readonly scalars: readonly { readonly name: string; readonly description: string }[];
}

const command = (query: string, key: string) => html`curl <span data-origin>http://localhost:4000</span>/graphql \\
  -H "Authorization: Bearer ${key}" \\
  -H 'Content-Type: application/json' \\
  -d ${quoted(JSON.stringify({ query }))}`;

/** The part of the page that is about the graph: where it is, how it is asked, and what its values are on the wire. */
export const graphSection = ({ text, query, scalars }: GraphGuide, key: string): Html =>
  html`<section class="operation" id="graphql" aria-labelledby="graphql-title">
<div>
<h2 id="graphql-title">GraphQL</h2>
<p><span class="method POST">POST</span> <code>/graphql</code></p>
<p>In a browser the same address is <a href="/graphql">GraphiQL</a>, which shows the whole schema with its descriptions and runs queries.</p>
${prose(text)}
<h3>Scalars on the wire</h3>
<dl class="rows">${scalars.map(
    ({ name, description }) => html`<div class="row"><dt><code>${name}</code></dt><dd>${prose(description)}</dd></div>`,
  )}</dl>
</div>
<div class="aside">
${sample('First query', command(query, key), 'command')}
</div>
</section>`;
