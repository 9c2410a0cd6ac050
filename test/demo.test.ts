import { parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { EXAMPLES } from '../src/demo.ts';
import { schema } from '../src/graphql/schema.ts';

it.each(EXAMPLES)('the example is a query of the schema: %s', (example) => {
  expect(validate(schema, parse(example)).map(({ message }) => message)).toEqual([]);
});
