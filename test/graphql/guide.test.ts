import {
  buildClientSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  parse,
  printSchema,
  validate,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GUIDE, guideOf } from '../../src/graphql/guide.ts';
import { schema } from '../../src/graphql/schema.ts';
import { createTestApp, type TestApp } from '../support.ts';

describe('what the schema says of itself', () => {
  const queries = [...GUIDE.matchAll(/`(\{ [^`]+\})`/g)].map(([, query = '']) => query);

  it('has queries that fit it', () => {
    expect(queries).toHaveLength(3);
    for (const query of queries) expect(validate(schema, parse(query)), query).toEqual([]);
    expect(queries).toContain(guideOf(schema).query);
  });

  it('has every scalar, with a description', () => {
    const { scalars } = guideOf(schema);
    expect(scalars.map(({ name }) => name)).toEqual([
      'BigInt',
      'CountryCode',
      'Date',
      'DateOrDateTime',
      'DateTime',
      'Decimal',
      'EmailAddress',
      'JSON',
      'Locale',
      'Percentage',
      'PreciseDateTime',
      'TimeZone',
      'URL',
      'UUID',
    ]);
    for (const { description } of scalars) expect(description).not.toBe('');
  });
});

describe('introspection', () => {
  let gateway: TestApp;
  beforeAll(async () => {
    gateway = await createTestApp();
  });
  afterAll(() => gateway.close());

  const isSorted = (names: readonly string[]) => expect(names).toEqual([...names].sort((a, b) => (a < b ? -1 : 1)));

  it('is in alphabetical order, asked once or again', async () => {
    for (let time = 0; time < 3; time++) {
      const query = '{ __schema { types { name fields { name args { name } } inputFields { name } } } }';
      const { types } = (await gateway.graphql(query)).data.__schema as {
        types: { name: string; fields: { name: string }[] | null; inputFields: { name: string }[] | null }[];
      };
      const own = types.filter(({ name }) => !name.startsWith('__'));
      isSorted(own.map(({ name }) => name));
      for (const { fields, inputFields } of own) isSorted((fields ?? inputFields ?? []).map(({ name }) => name));
    }
    const { data } = await gateway.graphql('{ __type(name: "Query") { fields { name } } }');
    isSorted(data.__type.fields.map(({ name }: { name: string }) => name));
  });

  it('is the whole schema, with what it says of itself', async () => {
    const { data } = await gateway.graphql(
      getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true }),
    );
    const told = buildClientSchema(data as IntrospectionQuery);
    expect(told.description).toBe(GUIDE);
    expect(Object.keys(told.getTypeMap()).sort()).toEqual(Object.keys(schema.getTypeMap()).sort());
    expect(printSchema(told)).toContain('type Query');
  });
});
