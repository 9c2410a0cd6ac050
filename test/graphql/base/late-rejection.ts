// A process that answers a list of which one value fails at once and the one before it later, for held-list.test.ts.
import { buildSchema, graphql } from 'graphql';
import { holdLists } from '../../../src/graphql/base/held-list.ts';

const schema = buildSchema(`
  type Item { name: String! }
  type Query { items: [Item!] grid: [[Item!]!]! }
`);
const late = { name: () => new Promise((_, reject) => setTimeout(reject, 20, new Error('late'))) };
const atOnce = {
  name: () => {
    throw new Error('at once');
  },
};
const rootValue = { items: [late, atOnce], grid: [[late, atOnce]] };
if (process.argv[2] === 'held') holdLists(schema);
const { errors = [] } = await graphql({ schema, rootValue, source: process.argv[3] ?? '' });
await new Promise((done) => setTimeout(done, 100));
console.log(`answered: ${errors[0]?.message}`);
