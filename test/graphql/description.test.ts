import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { proseFaults } from '../prose.ts';

interface Described {
  readonly name: string;
  readonly description?: string | null | undefined;
}

/** Everything a type shows that can be described, by its place. */
function* placesOf(type: GraphQLNamedType): Generator<[string, Described]> {
  yield [type.name, type];
  if (isEnumType(type)) for (const value of type.getValues()) yield [`${type.name}.${value.name}`, value];
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) yield [`${type.name}.${field.name}`, field];
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return;
  for (const field of Object.values(type.getFields())) {
    yield [`${type.name}.${field.name}`, field];
    for (const argument of field.args) yield [`${type.name}.${field.name}(${argument.name}:)`, argument];
  }
}

// Relay's and GraphQL's own, which come without one.
const BUILT_IN = new Set(['Boolean', 'Float', 'ID', 'Int', 'String']);

const places = Object.values(schema.getTypeMap())
  .filter((type) => !isIntrospectionType(type) && !BUILT_IN.has(type.name))
  .flatMap((type) => [...placesOf(type)]);

describe('the schema describes itself', () => {
  it('every type, field, argument, input and enum value has a description', () => {
    expect(places.length).toBeGreaterThan(1000);
    expect(places.filter(([, { description }]) => !description?.trim()).map(([place]) => place)).toEqual([]);
  });

  it('descriptions are sentences, not the names again', () => {
    const lazy = places.filter(([, { name, description }]) => description?.toLowerCase() === name.toLowerCase());
    expect(lazy.map(([place]) => place)).toEqual([]);
  });

  it('descriptions are prose', () => {
    expect(proseFaults(places.map(([place, { description }]) => [place, description ?? '']))).toEqual([]);
  });
});
