import type { Child, Field, Kind, Link, Shape } from '../document/shape.ts';
import { SECTIONS } from '../shape/all.ts';

/** A JSON Schema, as far as this file writes one. */
export type JsonSchema = { [keyword: string]: unknown };

const NUMBER_TEXT = '^[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]{1,4})?$';
const INTEGER = { type: ['integer', 'string', 'null'], pattern: '^[+-]?[0-9]+$' };
const DECIMAL = { type: ['string', 'number', 'null'], pattern: NUMBER_TEXT };
const UUID = { type: ['string', 'null'], format: 'uuid' };
const NAME = { type: ['string', 'null'] };

const KINDS: Readonly<Record<Kind, JsonSchema>> = {
  text: { type: ['string', 'number', 'null'] },
  uuid: UUID,
  integer: INTEGER,
  cents: INTEGER,
  decimal: DECIMAL,
  rate: DECIMAL,
  boolean: { type: ['boolean', 'null'] },
  time: { type: ['string', 'null'], description: 'ISO 8601 date-time, for example 2026-03-01T00:00:00Z' },
  date: { type: ['string', 'null'], format: 'date' },
  json: {},
  texts: { type: ['array', 'null'], items: { type: 'string' } },
  expression: { type: ['string', 'null'] },
  currency: { type: ['string', 'null'], pattern: '^[A-Z]{3}$' },
  country: { type: ['string', 'null'], pattern: '^[A-Z]{2}$' },
  timezone: { type: ['string', 'null'] },
  locale: { type: ['string', 'null'] },
  iban: { type: ['string', 'null'], description: 'An IBAN, with or without spaces' },
  bic: { type: ['string', 'null'], description: 'A BIC of 8 or 11 characters' },
  payment_url: { type: ['string', 'null'], pattern: '^https://' },
};

/** Bounds of a number; of one that is written as text the import alone knows them. */
function boundsOf(range: Field['range']): JsonSchema {
  const names = { least: 'minimum', above: 'exclusiveMinimum', most: 'maximum', below: 'exclusiveMaximum' };
  return Object.fromEntries(
    Object.entries(range ?? {}).map(([bound, text]) => [names[bound as keyof typeof names], Number(text)]),
  );
}

function ofField(field: Field): JsonSchema {
  const { kind, values } = field;
  const schema = { ...KINDS[kind], ...boundsOf(field.range) };
  if (!values) return schema;
  return kind === 'texts' ? { ...schema, items: { enum: values } } : { enum: [...values, null] };
}

/** Puts the schema of a member with a dotted name into the objects it stands in. */
function put(properties: JsonSchema, path: string, schema: JsonSchema): void {
  const [name = path, ...rest] = path.split('.');
  if (rest.length === 0) {
    properties[name] ??= schema;
    return;
  }
  const outer = (properties[name] ?? { type: ['object', 'null'], properties: {} }) as JsonSchema;
  properties[name] = outer;
  outer.properties ??= {};
  put(outer.properties as JsonSchema, rest.join('.'), schema);
}

const ofLink = (link: Link): JsonSchema => ({
  type: ['array', 'null'],
  description: `References to ${link.to} rows, each as a code or as an object with svc_id or code.`,
  items: { type: ['string', 'object'] },
});

const definition = (child: Child) =>
  child.member === 'applied_invoice_custom_sections' ? child.parent : child.shape().name;

function ofChild(child: Child): JsonSchema {
  const one = { $ref: `#/$defs/${definition(child)}` };
  return child.one ? { anyOf: [one, { type: 'null' }] } : { type: ['array', 'null'], items: one };
}

function ofShape(shape: Shape): JsonSchema {
  const properties: JsonSchema = { svc_id: UUID };
  for (const { id, code } of shape.refs) {
    for (const path of id) put(properties, path, UUID);
    for (const path of code ?? []) put(properties, path, NAME);
  }
  for (const field of shape.fields) {
    for (const path of [field.member, ...(field.aliases ?? [])]) put(properties, path, ofField(field));
  }
  for (const link of shape.links) for (const path of [link.member, ...link.codes]) put(properties, path, ofLink(link));
  for (const child of shape.children) put(properties, child.member, ofChild(child));
  if (shape.name === 'subscription') properties.plan_overrides = { type: ['object', 'null'] };
  const required = shape.fields
    .filter((field) => field.required && !field.member.includes('.'))
    .map(({ member }) => member);
  const complete = required.length > 0 ? { anyOf: [{ required: ['svc_id'] }, { required }] } : {};
  return { type: 'object', properties, ...complete };
}

function definitionsOf(shape: Shape, name: string, definitions: JsonSchema): void {
  definitions[name] ??= ofShape(shape);
  for (const child of shape.children) definitionsOf(child.shape(), definition(child), definitions);
}

const ORGANIZATION = {
  type: ['object', 'string'],
  properties: { name: { type: 'string' }, svc_id: UUID, created_at: KINDS.time, updated_at: KINDS.time },
};

/** The JSON Schema of import documents, made from the same tables that the import reads by. */
export function importSchema(): JsonSchema {
  const definitions: JsonSchema = {};
  for (const shape of SECTIONS) definitionsOf(shape, shape.name, definitions);
  const sections = Object.fromEntries(
    SECTIONS.map(({ name, section }) => [section, { type: ['array', 'null'], items: { $ref: `#/$defs/${name}` } }]),
  );
  const organization = {
    organization: ORGANIZATION,
    name: { type: 'string' },
    svc_id: UUID,
    created_at: KINDS.time,
    updated_at: KINDS.time,
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Import document',
    description: 'What npm run import reads and npm run export writes. Members that are not listed are ignored.',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      organization: ORGANIZATION,
      ...sections,
      organizations: {
        type: 'array',
        items: { type: 'object', properties: { ...organization, ...sections }, additionalProperties: false },
      },
    },
    additionalProperties: false,
    $defs: definitions,
  };
}
