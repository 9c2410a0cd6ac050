import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { createTestApp, type TestApp } from '../support.ts';
import { type Row, rowMaker, tenantModels } from './rows.ts';

// Two organizations in one database: what Quillo has, Brackenfell asks for.
let quillo: TestApp;
let brackenfell: TestApp;
const rows = new Map<string, Row>();

beforeAll(async () => {
  quillo = await createTestApp();
  brackenfell = await createTestApp({ db: quillo.db });
  const make = rowMaker(quillo.db, quillo.organizationId);
  for (const model of tenantModels) rows.set(model, await make(model, shape(model)));
  rows.set('Organization', { id: quillo.organizationId });
});

afterAll(async () => {
  await brackenfell?.close();
  await quillo?.close();
});

/** Columns without which a row is in no list. */
function shape(model: string): Record<string, unknown> {
  if (model === 'Subscription') return { status: 'active' };
  if (model === 'Invoice') return { status: 'finalized', totalAmountCents: 100n };
  return {};
}

const query = schema.getQueryType() as GraphQLObjectType;
const node = schema.getType('Node');
const implementations = isInterfaceType(node) ? schema.getPossibleTypes(node).map((type) => type.name) : [];
const nodeTypes = [...implementations].sort();
const modelOf = (type: string) => (type === 'BillingSubscription' ? 'Subscription' : type);
const opaque = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');

const isConnection = (field: GraphQLField<unknown, unknown>) => getNamedType(field.type).name.endsWith('Connection');
const fields = Object.values(query.getFields()).filter(({ name }) => name !== 'node' && name !== 'nodes');
const connections = fields.filter(isConnection);
const lookups = fields.filter((field) => {
  const type = getNamedType(field.type);
  return isObjectType(type) && implementations.includes(type.name) && !isListType(getNullableType(field.type));
});

/** A required argument of a lookup, as the row that it should find has it. */
function argumentsOf(field: GraphQLField<unknown, unknown>, row: Row): string {
  const required = field.args.filter((argument) => isNonNullType(argument.type));
  const values = required.map(({ name }) => {
    const value = name === 'svcId' ? row.id : row[name];
    expect(value, `${field.name}(${name}:)`).toBeTypeOf('string');
    return `${name}: ${JSON.stringify(value)}`;
  });
  return values.length > 0 ? `(${values.join(', ')})` : '';
}

describe('every list', () => {
  it('is tried', () => expect(connections.length).toBeGreaterThan(15));

  for (const field of connections) {
    it(`${field.name} shows its own organization's rows and no other's`, async () => {
      const text = `{ ${field.name} { totalCount meta { totalCount } nodes { id svcId } edges { node { id } } } }`;
      const own = await quillo.graphql(text);
      expect(own.errors).toBeUndefined();
      expect(own.data[field.name].totalCount, 'the list has a row to lose').toBeGreaterThan(0);
      const { data, errors } = await brackenfell.graphql(text);
      expect(errors).toBeUndefined();
      expect(data[field.name]).toEqual({ totalCount: 0, meta: { totalCount: 0 }, nodes: [], edges: [] });
    });
  }
});

describe('every lookup', () => {
  it('is tried', () => expect(lookups.length).toBeGreaterThan(10));

  for (const field of lookups) {
    const type = getNamedType(field.type).name;
    it(`${field.name} finds nothing of another organization`, async () => {
      const row = rows.get(modelOf(type));
      if (!row) throw new Error(`no row of ${type}`);
      const text = `{ ${field.name}${argumentsOf(field, row)} { svcId } }`;
      const own = await quillo.graphql(text);
      expect(own.errors).toBeUndefined();
      expect(own.data[field.name].svcId).toBe(row.id);
      const { data, errors } = await brackenfell.graphql(text);
      if (field.args.length === 0) expect(data[field.name].svcId).toBe(brackenfell.organizationId);
      else {
        expect(data).toEqual({ [field.name]: null });
        expect(errors?.[0]?.extensions?.code).toBe('object_not_found');
      }
    });
  }
});

describe('every node', () => {
  it('is tried', () => expect(nodeTypes.length).toBeGreaterThan(20));

  for (const type of nodeTypes) {
    it(`${type} is seen by its own organization alone`, async () => {
      const row = rows.get(modelOf(type));
      if (!row) throw new Error(`no row of ${type}`);
      const id = opaque(type, row.id);
      const text = 'query($id: ID!) { node(id: $id) { id } nodes(ids: [$id]) { id } }';
      const own = await quillo.graphql(text, { id });
      expect(own.data).toEqual({ node: { id }, nodes: [{ id }] });
      const { data } = await brackenfell.graphql(text, { id });
      expect(data).toEqual({ node: null, nodes: [null] });
    });
  }

  it('identifiers that are none, or of no type, find nothing', async () => {
    const ids = ['', 'x', opaque('Invoice', 'x'), opaque('Nothing', 'x'), opaque('ApiKey', 'x'), opaque('Invoice', '')];
    const { data } = await quillo.graphql('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(data).toEqual({ nodes: ids.map(() => null) });
  });
});

it('every root field is a list, a lookup, or is tried elsewhere', () => {
  const tried = new Set([...connections, ...lookups].map(({ name }) => name));
  expect(fields.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([
    'currencies',
    'analytics',
    'pastUsage',
    'customerPortal', // test/rest/customer/customer-link.test.ts
    ...['estimateFees', 'estimateInstantFees', 'estimateInstantFeesOfEvents'],
    'evaluateExpression', // reads nothing that is stored
    'eventFates', // test/graphql/usage/event-refusal.test.ts
    'eventReview', // test/graphql/usage/event-fate.test.ts
    'usageCompleteUntil', // a moment, of all events
    'invoicePreview',
  ]);
});
