import { objectRows, rows, type Schema, type Schemas } from './docs-schema.ts';
import { type Html, html, prose } from './html.ts';

interface Content {
  readonly 'application/json': { readonly schema: Schema; readonly example?: unknown };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Reference {
  readonly $ref: string;
}

interface Answer {
  readonly description: string;
  /** Absent where the answer has no body. */
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}

export interface Components {
  readonly schemas: Schemas;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly responses: Readonly<Record<string, Answer>>;
}

/** An operation and where it is. */
export interface Located {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export interface Surroundings {
  readonly components: Components;
  /** Where the routes begin. A path alone is completed by the browser. */
  readonly server: string;
  /** What the commands send as the key. */
  readonly key: string;
}

function resolved<T extends object>(value: T | Reference, known: Readonly<Record<string, T>>): T | undefined {
  return '$ref' in value ? known[value.$ref.slice(value.$ref.lastIndexOf('/') + 1)] : value;
}

const parametersOf = ({ parameters }: Operation, components: Components): readonly Parameter[] =>
  parameters.flatMap((parameter) => resolved<Parameter>(parameter, components.parameters) ?? []);

export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function addressOf(path: string, parameters: readonly Parameter[]): string {
  const filled = parameters
    .filter(({ in: place, example }) => place === 'path' && example !== undefined)
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))), path);
  const query = parameters
    .filter(({ in: place, example }) => place === 'query' && example !== undefined)
    .map(({ name, example }) => [name, String(example)]);
  return query.length > 0 ? `${filled}?${new URLSearchParams(query)}` : filled;
}

/** A command that works when pasted, once the shell knows the key. */
function command({ method, path, operation }: Located, { components, server, key }: Surroundings): Html {
  const address = addressOf(path, parametersOf(operation, components));
  const origin = server.startsWith('/') ? html`<span data-origin>http://localhost:4000</span>` : '';
  const body = operation.requestBody?.content['application/json'].example;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const json =
    body === undefined
      ? ''
      : ` \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(body, null, 2))}`;
  return html`curl${verb} "${origin}${server}${address}" \\
  -H "Authorization: Bearer ${key}"${json}`;
}

/** Something to copy. */
export const sample = (title: string, content: Html | string, kind = 'json'): Html =>
  html`<section class="sample" aria-label="${title}"><header><span>${title}</span><button type="button" data-copy hidden>Copy</button></header><pre class="${kind}" tabindex="0"><code>${content}</code></pre></section>`;

function errorList(operation: Operation, components: Components): Html {
  const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
  return html`<h4>Errors</h4><ul class="statuses">${errors.map(([status, response]) => {
    const found = resolved<Answer>(response, components.responses);
    const example = found?.content?.['application/json'].example;
    return (
      found &&
      html`<li><details><summary><strong>${status}</strong> ${found.description.replaceAll('`', '')}</summary><pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre></details></li>`
    );
  })}</ul>`;
}

function requestPart(operation: Operation, components: Components): Html {
  const parameters = parametersOf(operation, components);
  const body = operation.requestBody?.content['application/json'].schema;
  const groups = [
    ['path', 'Path'],
    ['query', 'Query'],
    ['header', 'Headers'],
  ] as const;
  return html`${groups.map(([place, title]) => {
    const list = parameters.filter((parameter) => parameter.in === place);
    const shown = list.map(({ required, ...rest }) => ({ ...rest, isRequired: required }));
    return list.length > 0 && html`<h4>${title}</h4>${rows(shown, components.schemas)}`;
  })}${body && html`<h4>Body</h4>${objectRows(body, components.schemas, true)}`}`;
}

/** One endpoint: what it takes and answers on one side, a command and an answer to it on the other. */
export function operationSection(located: Located, around: Surroundings): Html {
  const { method, path, operation } = located;
  const { components } = around;
  const [status = '200', success] = Object.entries(operation.responses)[0] ?? [];
  const answer = success && resolved<Answer>(success, components.responses)?.content?.['application/json'];
  return html`<section class="operation" id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
<div>
<h3 id="${operation.operationId}-title">${operation.summary}</h3>
<p class="path"><span class="method ${method}">${method}</span> <code>${path}</code></p>
${prose(operation.description)}
${requestPart(operation, components)}
${answer && html`<h4>Answer ${status}</h4>${objectRows(answer.schema, components.schemas)}`}
${errorList(operation, components)}
</div>
<div class="aside">
${sample('Request', command(located, around), 'command')}
${answer?.example !== undefined && sample('Answer', JSON.stringify(answer.example, null, 2))}
</div>
</section>`;
}
