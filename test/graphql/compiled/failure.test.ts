import { buildSchema, execute, type GraphQLObjectType, isObjectType, parse } from 'graphql';
import { expect, it } from 'vitest';
import { CompiledQueries } from '../../../src/graphql/compiled/compiled.ts';
import type { Context } from '../../../src/graphql/context.ts';
import { dice, type Roll } from '../../support.ts';

const schema = buildSchema(`
  interface Thing { name: String! other: Thing }
  type Cat implements Thing { name: String! other: Thing kittens: [Cat!]! toys: [Dog] rating: Int }
  type Dog implements Thing { name: String! other: Thing friends: [Cat!] owner: Cat! }
  type Query { thing: Thing cat: Cat needed: Dog! dogs: [Dog!] all: [Thing]! }
`);

const context = { caller: { permits: () => true }, checksTypes: false } as unknown as Context;

let calls = 0;
/** What the fields of the moment answer: the same for the same field in the same place, whoever asks. */
let roll: Roll = dice(1);
let failing = 0;

// How a value arrives and whether it fails is told by a number that its object carries.
function answerOf(type: string, seed: number): unknown {
  calls += 1;
  const local = dice(seed);
  for (let skip = 0; skip < 3; skip += 1) local(7);
  if (type === 'String!' || type === 'Int') return type === 'Int' ? local(10) : `n${seed}`;
  const one = () => ({
    __typename: /Dog/.test(type) ? 'Dog' : /Cat/.test(type) || local(2) ? 'Cat' : 'Dog',
    seed: local(1e9),
  });
  return type.startsWith('[') ? Array.from({ length: local(3) }, one) : one();
}

function resolverOf(type: string, name: string) {
  return (source: { seed?: number } | undefined) => {
    const seed = (source?.seed ?? failing) + name.length * 7919;
    const local = dice(seed ^ (failing * 31));
    for (let skip = 0; skip < 3; skip += 1) local(7);
    const fails = local(9) === 0;
    // Where one fails at once beside another that fails later, the executor leaves a rejection that nobody hears of.
    const late = failing % 2 === 1 && (fails || local(3) === 0);
    const make = () => {
      if (fails) throw new Error(`${name} ${seed}`);
      return answerOf(type, seed);
    };
    return late ? new Promise((done) => setTimeout(done, local(3))).then(make) : make();
  };
}

for (const type of Object.values(schema.getTypeMap())) {
  if (!isObjectType(type) || type.name.startsWith('__')) continue;
  for (const field of Object.values(type.getFields())) field.resolve = resolverOf(String(field.type), field.name);
}

function selection(type: GraphQLObjectType | 'Thing', depth: number): string {
  if (type === 'Thing') {
    return `__typename name ${depth > 0 ? `... on Cat { ${selection(typeOf('Cat'), depth - 1)} } ... on Dog { ${selection(typeOf('Dog'), depth - 1)} }` : ''}`;
  }
  return Object.values(type.getFields())
    .filter(() => roll(3) > 0)
    .flatMap((field) => {
      const shown = /Cat|Dog|Thing/.exec(String(field.type))?.[0];
      if (!shown) return [field.name];
      return depth > 0 ? [`${field.name} { ${selection(shown === 'Thing' ? shown : typeOf(shown), depth - 1)} }`] : [];
    })
    .concat(type.name === 'Query' ? 'cat { name }' : '__typename')
    .join(' ');
}
const typeOf = (name: string) => schema.getType(name) as GraphQLObjectType;

interface Told {
  readonly errors?: readonly { readonly message: string; readonly path?: readonly (string | number)[] | undefined }[];
  readonly data?: unknown;
}

/** The data, and for each error the place that is null for it; which of several losses of one place is told is left open. */
function essence({ errors = [], data }: Told) {
  const places = errors.map(({ message, path = [] }) => {
    const field = path.filter((key) => typeof key === 'string').at(-1);
    expect(message).toMatch(new RegExp(`^${field} -?\\d+$`));
    let value = data;
    const nulled = path.findIndex((key) => {
      if (value === null) return true;
      value = (value as Record<string, unknown>)[key];
      return false;
    });
    if (nulled < 0) expect(value).toBeNull();
    return path.slice(0, nulled < 0 ? path.length : nulled).join('.');
  });
  return { data: JSON.parse(JSON.stringify(data)), places: [...new Set(places)].sort() };
}

it('what fails below the root is null as far up as the schema allows, with the same errors as the executor tells', async () => {
  let withErrors = 0;
  let withoutData = 0;
  for (let seed = 1; seed <= 150; seed += 1) {
    roll = dice(seed);
    failing = seed;
    const document = parse(`{ ${selection(typeOf('Query'), 4)} }`);
    const ask = () => ({ schema, document, contextValue: context, variableValues: {} });
    const queries = new CompiledQueries();
    await queries.execute(ask());
    const executed = await execute(ask());
    const compiled = await queries.execute(ask());
    const again = await queries.execute(ask());
    const expected = essence(executed);
    for (const answer of [compiled, again]) {
      if (!answer) throw new Error('left to the executor');
      expect(essence(answer)).toEqual(expected);
    }
    withErrors += expected.places.length > 0 ? 1 : 0;
    withoutData += expected.data === null ? 1 : 0;
  }
  expect(withErrors).toBeGreaterThan(40);
  expect(withoutData).toBeGreaterThan(3);
});

it('what fails is asked once', async () => {
  const document = parse('{ cat { name } }');
  const field = schema.getQueryType()?.getFields().cat;
  if (!field) throw new Error('no field');
  let asked = 0;
  const before = field.resolve;
  field.resolve = async () => {
    asked += 1;
    throw new Error('canceling statement due to statement timeout');
  };
  const ask = () => ({ schema, document, contextValue: context, variableValues: {} });
  const queries = new CompiledQueries();
  await queries.execute(ask());
  const answer = await queries.execute(ask());
  field.resolve = before;
  expect(answer).toMatchObject({ data: { cat: null }, errors: [{ path: ['cat'] }] });
  expect(asked).toBe(1);
});

it('names of operations that a document does not have are not kept', async () => {
  const document = parse('query A { cat { name } } query B { dogs { name } }');
  const queries = new CompiledQueries();
  const ask = (operationName: string) => ({ schema, document, operationName, contextValue: context });
  for (let n = 0; n < 3; n += 1) expect(await queries.execute(ask(`no${n}`))).toBeUndefined();
  failing = 1;
  await queries.execute(ask('A'));
  expect(await queries.execute(ask('A'))).toBeDefined();
  expect(await queries.execute(ask('B'))).toBeUndefined();
  expect(calls).toBeGreaterThan(0);
});
