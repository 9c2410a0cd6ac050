import type { Page } from '../wire/page.ts';
import { type GraphGuide, graphSection } from './docs-graph.ts';
import { type Components, type Located, type Operation, operationSection } from './docs-operation.ts';
import { type Html, html, prose } from './html.ts';
import { htmlPage } from './html-page.ts';

/** An OpenAPI document, as far as it is shown. */
export interface Described {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: object;
}

export interface DocsOptions {
  /** Made when the page is first asked for. */
  describe(): Described;
  /** What is told of the graph. */
  readonly guide: GraphGuide;
  /** A key that the commands send; only ever that of a demo. */
  readonly demoKey?: string | undefined;
  /** Whether there is a GraphQL schema to lead to. */
  readonly showsSchema: boolean;
}

function operationsOf({ paths }: Described): Located[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as Operation,
    })),
  );
}

function grouped(operations: readonly Located[]): Map<string, Located[]> {
  const groups = new Map<string, Located[]>();
  for (const located of operations) {
    const tag = located.operation.tags[0] ?? '';
    groups.set(tag, [...(groups.get(tag) ?? []), located]);
  }
  return groups;
}

const sideOf = (title: string, groups: Map<string, Located[]>): Html => html`<nav class="side" aria-label="Endpoints">
<a href="/">${title}</a>
<p class="part"><a href="#graphql">GraphQL</a></p>
<label class="search" hidden>Find an endpoint <input type="search" autocomplete="off"></label>
${[...groups].map(
  ([tag, list]) =>
    html`<div data-group><h2>${tag}</h2><ul>${list.map(
      ({ method, operation }) =>
        html`<li><a href="#${operation.operationId}"><span class="method ${method}">${method}</span>${operation.summary}</a></li>`,
    )}</ul></div>`,
)}
</nav>`;

function bodyOf({ describe, guide, demoKey, showsSchema }: DocsOptions): Html {
  const described = describe();
  const groups = grouped(operationsOf(described));
  const around = {
    components: described.components as Components,
    server: described.servers[0]?.url ?? '',
    key: demoKey ?? '$API_KEY',
  };
  const sections = [...groups.values()].flat().map((located) => operationSection(located, around));
  const { title, version, description } = described.info;
  return html`<a class="skip" href="#content">Skip to the endpoints</a>
<div class="docs">
${sideOf(title, groups)}
<main id="content" tabindex="-1">
<h1>${title}: REST API and GraphQL</h1>
<p class="soft">Version ${version}, below <code>${around.server}</code></p>
${prose(description)}
<p>Every request needs a key in its header: <code>Authorization: Bearer &lt;key&gt;</code></p>
<ul class="links"><li><a href="/openapi.json">OpenAPI 3.1 document</a></li><li><a href="/graphql">GraphiQL</a></li>${showsSchema && html`<li><a href="/schema.graphql">GraphQL schema</a></li>`}</ul>
${graphSection(guide, around.key)}
${sections}
</main>
</div>
<div role="status" class="skip"></div>`;
}

/** `/docs`: the REST API to read. It is made of the OpenAPI document, needs no script to be read and nothing from elsewhere. */
export const docsPage = (options: DocsOptions): Page =>
  htmlPage({
    paths: ['/docs', '/docs/'],
    title: 'REST API of the billing gateway',
    description: 'Endpoints, parameters, schemas and examples of the REST API.',
    body: () => bodyOf(options),
    script: 'docs.js',
  });
