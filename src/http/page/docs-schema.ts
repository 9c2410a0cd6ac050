import { type Html, html, prose } from './html.ts';

/** The part of a JSON Schema that is shown. */
export interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly maxLength?: number;
}

export type Schemas = Readonly<Record<string, Schema>>;

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

/** A schema without its references and with null beside its type. */
interface Plain extends Schema {
  readonly name?: string;
  readonly isNullable: boolean;
}

function plain(schema: Schema, schemas: Schemas): Plain {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    const target = schemas[name] ?? {};
    return { ...plain(target, schemas), ...(schema.description && { description: schema.description }), name };
  }
  if (schema.anyOf) {
    const present = schema.anyOf.filter(({ type }) => type !== 'null');
    const found = present[0] && plain(present[0], schemas);
    const description = schema.description ?? found?.description;
    return { ...found, ...(description && { description }), isNullable: present.length < schema.anyOf.length };
  }
  return { ...schema, isNullable: Array.isArray(schema.type) && schema.type.includes('null') };
}

const baseType = ({ type }: Schema) =>
  (typeof type === 'string' ? [type] : (type ?? [])).filter((one) => one !== 'null').join(' or ') || 'any';

function typeText(schema: Plain, schemas: Schemas): string {
  const base = baseType(schema);
  if (base === 'array' && schema.items) return `array of ${typeText(plain(schema.items, schemas), schemas)}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const format = schema.format === undefined ? '' : ` <${schema.format}>`;
  const named = schema.name === undefined ? base : schema.name;
  return `${named}${format}${schema.isNullable ? ' or null' : ''}`;
}

const values = (list: readonly unknown[]) =>
  html`<ul class="values" aria-label="Values">${list
    .filter((value) => value !== null)
    .map((value) => html`<li><code>${String(value)}</code></li>`)}</ul>`;

/** What is inside of a schema: the members of the object, of the items, or of the values. */
function inside(schema: Plain, schemas: Schemas): Plain | undefined {
  if (schema.properties) return schema;
  const inner =
    schema.items ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
  return inner && inside(plain(inner, schemas), schemas);
}

export interface Row {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
  /** Whether its members are shown at once. */
  readonly isOpen?: boolean;
  /** Whether its members tell which of them are required. */
  readonly marksRequired?: boolean;
}

function row(one: Row, schemas: Schemas, seen: readonly string[]): Html {
  const { name, schema, isRequired, description, isOpen = false, marksRequired = false } = one;
  const shown = plain(schema, schemas);
  const leaf = shown.items ? plain(shown.items, schemas) : shown;
  const inner = inside(shown, schemas);
  const isSeen = inner?.name !== undefined && seen.includes(inner.name);
  const text = description ?? shown.description;
  return html`<div class="row"><dt><code>${name}</code><span class="type">${typeText(shown, schemas)}</span>${
    isRequired && html`<span class="must">required</span>`
  }</dt><dd>${text && prose(text)}${leaf.enum && values(leaf.enum)}${
    shown.default !== undefined && html`<p>Default: <code>${String(shown.default)}</code></p>`
  }${
    inner &&
    !isSeen &&
    html`<details${isOpen && ' open'}><summary>Members of <code>${name}</code></summary>${members(inner, schemas, seen, marksRequired)}</details>`
  }</dd></div>`;
}

export const rows = (list: readonly Row[], schemas: Schemas, seen: readonly string[] = []): Html =>
  html`<dl class="rows">${list.map((one) => row(one, schemas, seen))}</dl>`;

function members(schema: Plain, schemas: Schemas, seen: readonly string[], marksRequired = false): Html {
  const known = schema.name === undefined ? seen : [...seen, schema.name];
  const list = Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    name,
    schema: member,
    marksRequired,
    isRequired: marksRequired && (schema.required ?? []).includes(name),
    isOpen: marksRequired && Object.keys(schema.properties ?? {}).length === 1,
  }));
  return rows(list, schemas, known);
}

/** The members of an object. Answers have all of theirs: only bodies say which are `required`. */
export const objectRows = (schema: Schema, schemas: Schemas, marksRequired = false): Html =>
  members(plain(schema, schemas), schemas, [], marksRequired);
