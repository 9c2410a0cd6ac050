import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema.ts';
import { createFullApp } from '../../robust/full-app.ts';
import type { TestApp } from '../../support.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
});
afterAll(() => app?.close());

const UNKNOWN: Readonly<Record<string, string>> = {
  String: '"nope"',
  ID: '"nope"',
  UUID: '"018f0000-0000-7000-8000-00000000dead"',
};

const isNode = (type: GraphQLNamedType) =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');
const required = ({ args }: GraphQLField<unknown, unknown>) => args.filter(({ type }) => isNonNullType(type));
const isLookup = (field: GraphQLField<unknown, unknown>) =>
  !isNonNullType(field.type) && isNode(getNamedType(field.type)) && required(field).length > 0;
const lookupsOf = (type: GraphQLNamedType | null | undefined) =>
  isObjectType(type) ? Object.values(type.getFields()).filter(isLookup) : [];
const asked = (field: GraphQLField<unknown, unknown>) =>
  `${field.name}(${required(field).map(({ name, type }) => `${name}: ${UNKNOWN[getNamedType(type).name]}`)}) { __typename }`;

it.each(lookupsOf(schema.getQueryType()).map((field) => [field.name, field] as const))(
  '%s: what is not there is null with an error',
  async (name, field) => {
    for (const _ of ['executed', 'compiled', 'compiled']) {
      const { data, errors } = await app.graphql(`{ ${asked(field)} }`);
      expect(data).toEqual({ [name]: null });
      expect(errors).toMatchObject([{ path: [name], extensions: { code: 'object_not_found' } }]);
    }
  },
);

/** Where objects with lookups of their own are listed. */
const LISTED: Readonly<Record<string, (field: string) => string>> = {
  Plan: (field) => `{ plans(first: 1) { nodes { ${field} } } }`,
  BillingSubscription: (field) => `{ subscriptions(first: 1) { nodes { ${field} } } }`,
  Charge: (field) => `{ plan(code: "fuzzed") { charge(code: "calls") { ${field} } } }`,
};

it('lookups below an object answer in the same way', async () => {
  const types = Object.values(schema.getTypeMap()).filter((type) => type !== schema.getQueryType() && isNode(type));
  const withLookups = types.filter((type) => lookupsOf(type).length > 0);
  expect(withLookups.map(({ name }) => name).sort()).toEqual(Object.keys(LISTED).sort());
  for (const type of withLookups) {
    for (const field of lookupsOf(type)) {
      const { data, errors } = await app.graphql(LISTED[type.name]?.(asked(field)) ?? '');
      expect(JSON.stringify(data), field.name).toContain(`"${field.name}":null`);
      expect(errors, field.name).toMatchObject([{ extensions: { code: 'object_not_found' } }]);
    }
  }
});

/** Every text that narrows a list, from the argument on. */
function conditionsOf(input: GraphQLArgument): string[] {
  const type = getNamedType(input.type);
  const value = (of: GraphQLArgument['type']) => {
    const text = UNKNOWN[getNamedType(of).name];
    return text && (isListType(isNonNullType(of) ? of.ofType : of) ? `[${text}]` : text);
  };
  if (!isInputObjectType(type)) return [value(input.type)].flatMap((text) => (text ? [`${input.name}: ${text}`] : []));
  return Object.values(type.getFields()).flatMap((member) => {
    const text = value(member.type);
    return text && !isNonNullType(member.type) ? [`${input.name}: {${member.name}: ${text}}`] : [];
  });
}

const PLACES = new Set(['after', 'before']);
const conditionsIn = (field: GraphQLField<unknown, unknown>) =>
  field.args.filter(({ name }) => !PLACES.has(name)).flatMap(conditionsOf);
const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ type }) =>
  getNamedType(type).name.endsWith('Connection'),
);
const narrowed = lists.filter((field) => conditionsIn(field).length > 0);

it.each(narrowed.map((field) => [field.name, field] as const))(
  '%s: a condition on what is not there finds nothing',
  async (name, field) => {
    for (const condition of conditionsIn(field)) {
      const { data, errors } = await app.graphql(`{ ${name}(${condition}) { totalCount nodes { __typename } } }`);
      expect([errors, data], condition).toEqual([undefined, { [name]: { totalCount: 0, nodes: [] } }]);
    }
  },
);

it('sums are narrowed in the same way', async () => {
  const analytics = schema.getQueryType()?.getFields().analytics;
  const type = analytics && getNamedType(analytics.type);
  const sums = isObjectType(type) ? Object.values(type.getFields()) : [];
  const conditions = (analytics?.args ?? []).flatMap(conditionsOf);
  expect(conditions.length).toBeGreaterThan(2);
  for (const condition of conditions) {
    const fields = sums.map(({ name }) => `${name} { __typename }`).join(' ');
    const { data, errors } = await app.graphql(`{ analytics(${condition}) { ${fields} } }`);
    expect([errors, new Set(Object.values(data.analytics).map(String))], condition).toEqual([undefined, new Set([''])]);
  }
});
