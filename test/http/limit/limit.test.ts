import { readFileSync } from 'node:fs';
import { buildSchema, getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../../src/command/examples.ts';
import { type IntrospectionAccess, limitIntrospection } from '../../../src/http/limit/introspection.ts';
import { type Limits, limitOperations } from '../../../src/http/limit/limit.ts';
import { createTestApp, type TestApp } from '../../support.ts';
import { standInGateway } from '../stand-in.ts';

const SCHEMA = buildSchema(`
  type Line { code: String, tags: [String!], line: Line, lines: [Line!]!, pages(first: Int, last: Int, page: Int, perPage: Int): LineConnection! }
  type LineEdge { cursor: String, node: Line }
  type LineConnection { nodes: [Line!]!, edges: [LineEdge!]!, totalCount: Int, meta: Line }
  type Query { line: Line, some(ids: [ID!]!): [Line]!, lines: [Line!]!, pages(first: Int, last: Int, page: Int, perPage: Int): LineConnection }
`);

const LIMITS: Limits = {
  depth: 8,
  aliases: 3,
  tokens: 200,
  directives: 4,
  cost: 500,
  pageSizes: { first: 20, mostFirst: 100, perPage: 100, mostPerPage: 1000 },
};

const post = (limits: Partial<Limits> = {}, access: IntrospectionAccess = 'keys') => {
  const plugins = [limitIntrospection(access), limitOperations({ ...LIMITS, ...limits })];
  const { send } = standInGateway({ schema: SCHEMA, routes: [], plugins });
  return (query: string, variables?: object, key = 'full') =>
    send('/graphql', { method: 'POST', key, body: JSON.stringify({ query, variables }) });
};

const refused = (message: unknown) => ({
  status: 400,
  body: { errors: [{ message, extensions: { code: 'query_too_complex' } }] },
});

it('a document may be fifty characters a token long, comments and white space included', async () => {
  const ask = post();
  const withComments = (length: number) => `{ __typename } ${'#\n'.repeat(length)}`.slice(0, length);
  expect((await ask(withComments(10_000))).status).toBe(200);
  expect(await ask(withComments(10_001))).toMatchObject(
    refused('The document has 10001 characters; at most 10000 are allowed.'),
  );
});

describe('cost', () => {
  const ask = post({ cost: 1_000_000 });
  it.each([
    ['{ __typename }', 0],
    ['{ line { code tags } }', 1],
    ['{ line { line { code } } }', 2],
    ['{ lines { code } }', 10],
    ['{ lines { lines { code } } }', 110],
    ['{ pages { nodes { code } } }', 21],
    ['{ pages(first: 5) { nodes { code } } }', 6],
    ['{ pages(last: 7) { totalCount nodes { code } } }', 8],
    ['{ pages(first: 0) { nodes { code } } }', 1],
    ['{ pages(first: 5) { edges { cursor node { code } } } }', 11],
    ['{ pages(page: 2) { nodes { code } } }', 101],
    ['{ pages(perPage: 3) { nodes { code } meta { code } } }', 5],
    ['{ pages(perPage: 99999) { nodes { code } } }', 1001],
    ['{ pages(perPage: 0) { nodes { code } } }', 101],
    ['{ pages(first: 2) { nodes { pages(first: 3) { nodes { lines { code } } } } } }', 1 + 2 * (1 + 1 + 3 * (1 + 10))],
    [
      '{ pages(first: 2) { ...P } } fragment P on LineConnection { nodes { ...L } } fragment L on Line { lines { code } }',
      1 + 2 * 11,
    ],
    ['{ pages(first: 2) { ... on LineConnection { ... { nodes { code } } } } }', 3],
    ['{ a: lines { code } b: lines { code } }', 20],
    ['{ some(ids: ["1", "2"]) { code } }', 10],
    [`{ some(ids: [${Array(25).fill('"1"').join()}]) { code } }`, 25],
  ])('%s costs %i', async (query, requested) => {
    const { status, body } = await ask(query);
    expect(body.extensions).toEqual({ cost: { requested, limit: 1_000_000 } });
    expect(status).toBe(200);
  });

  it('comes from the variables, their defaults, and the operation that is executed', async () => {
    const query = 'query ($n: Int = 7) { pages(first: $n) { nodes { code } } }';
    const of = async (variables?: object) => (await ask(query, variables)).body.extensions.cost.requested;
    expect(await of()).toBe(8);
    expect(await of({ n: 50 })).toBe(51);
    expect(await of({ n: null })).toBe(21);
    const { send } = standInGateway({ schema: SCHEMA, routes: [], plugins: [limitOperations(LIMITS)] });
    const two =
      'query Small { line { code } } query Large { pages(first: 100) { nodes { lines { lines { code } } } } }';
    const body = (operationName: string) => JSON.stringify({ query: two, operationName });
    expect((await send('/graphql', { method: 'POST', body: body('Small') })).status).toBe(200);
    expect((await send('/graphql', { method: 'POST', body: body('Large') })).status).toBe(400);
  });

  it('over the limit is a 400 that tells both', async () => {
    const { status, body } = await post()('{ pages(first: 100) { nodes { lines { code } } } }');
    expect(status).toBe(400);
    expect(body.data).toBeUndefined();
    expect(body.extensions).toEqual({ cost: { requested: 1101, limit: 500 } });
    expect(body.errors).toEqual([
      {
        message: 'The operation costs 1101; at most 500 is allowed. Ask for smaller pages or fewer nested lists.',
        locations: [{ line: 1, column: 1 }],
        extensions: { code: 'query_too_complex' },
      },
    ]);
    expect((await post()('{ pages(first: 45) { nodes { lines { code } } } }')).status).toBe(200);
  });

  it('is the same for a fragment however often and however deep it is spread, in no time', async () => {
    const levels = 25;
    const fragments = Array.from({ length: levels }, (_, n) => `fragment F${n} on Line { ...F${n + 1} ...F${n + 1} }`);
    const bomb = `{ line { ...F0 } } ${fragments.join(' ')} fragment F${levels} on Line { line { code } }`;
    const before = performance.now();
    const { body } = await post({ tokens: 10_000 })(bomb);
    expect(body.extensions.cost.requested).toBe(1 + 2 ** levels);
    expect(performance.now() - before).toBeLessThan(2000);
  });
});

describe('shape', () => {
  const deep = (levels: number) => `${'{ line '.repeat(levels)}{ code }${' }'.repeat(levels)}`;

  it('depth', async () => {
    expect((await post()(deep(7))).status).toBe(200);
    expect(await post()(deep(8))).toMatchObject(refused('The operation is 9 fields deep; at most 8 are allowed.'));
    const within =
      '{ line { line { line { line { ...A } } } } } fragment A on Line { line { ... { line { line { line { code } } } } } }';
    expect(await post()(within)).toMatchObject(refused('The operation is 9 fields deep; at most 8 are allowed.'));
  });

  it('aliases, wherever they are spread', async () => {
    expect((await post()('{ a: line { b: code c: code } }')).status).toBe(200);
    const four = refused('The operation has 4 aliases; at most 3 are allowed.');
    expect(await post()('{ a: line { b: code c: code d: code } }')).toMatchObject(four);
    expect(await post()('{ line { ...A line { ...A } } } fragment A on Line { a: code b: code }')).toMatchObject(four);
  });

  it('directives', async () => {
    const query =
      '{ line @skip(if: false) { code @skip(if: false) @include(if: true) tags @skip(if: false) line @skip(if: false) { code } } }';
    expect(await post()(query)).toMatchObject(refused('The operation has 5 directives; at most 4 are allowed.'));
  });

  it('tokens, also the second time', async () => {
    const query = `{ line { ${'code '.repeat(300)} } }`;
    const ask = post();
    for (const _ of [1, 2]) {
      const answer = await ask(query);
      expect(answer).toMatchObject(refused('The document has more than 200 tokens.'));
    }
    expect((await ask('{ line { code ')).body.errors[0].extensions.code).toBe('bad_request');
  });

  it('a fragment within itself is refused by GraphQL and ends', async () => {
    const { status, body } = await post()(
      '{ line { ...A } } fragment A on Line { line { ...B } } fragment B on Line { ...A }',
    );
    expect(status).toBe(200);
    expect(body.errors[0].message).toMatch(/Cannot spread fragment "A" within itself/);
  });
});

it('operations come one at a time', async () => {
  const { send } = standInGateway({ schema: SCHEMA, routes: [], plugins: [limitOperations(LIMITS)] });
  const body = JSON.stringify([{ query: '{ line { code } }' }, { query: '{ line { code } }' }]);
  const answer = await send('/graphql', { method: 'POST', body });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.text).toMatch(/batching is not supported/i);
});

describe('introspection', () => {
  const ALL: [IntrospectionAccess, boolean, boolean][] = [
    ['always', true, true],
    ['keys', true, false],
    ['never', false, false],
  ];
  it.each(ALL)('%s: secret %s, publishable %s', async (access, secret, publishable) => {
    const ask = post({ tokens: 2000 }, access);
    for (const _ of [1, 2]) {
      for (const [key, allowed] of [
        ['full', secret],
        ['public', publishable],
      ] as const) {
        for (const query of [getIntrospectionQuery(), '{ __type(name: "Line") { name } }']) {
          const { status, body } = await ask(query, undefined, key);
          expect(status).toBe(allowed ? 200 : 403);
          if (!allowed)
            expect(body.errors[0].extensions).toEqual({ code: 'forbidden', reason: 'introspection_not_allowed' });
        }
        expect((await ask('{ line { __typename } }', undefined, key)).status).toBe(200);
        const wrong = await ask('{ lin { __typename } }', undefined, key);
        expect([wrong.text.includes('Cannot query field'), wrong.text.includes('Did you mean')]).toEqual([
          true,
          allowed,
        ]);
      }
    }
  });
});

describe('the gateway as it is delivered', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test.close());

  it('lets its own examples, the introspection of GraphiQL and every REST document through', async () => {
    for (const example of EXAMPLES) {
      const { status, body } = await test.graphql(example);
      expect(status).toBe(200);
      expect(body.extensions.cost.requested).toBeLessThan(2000);
    }
    const options = { inputValueDeprecation: true, schemaDescription: true, specifiedByUrl: true };
    expect((await test.graphql(getIntrospectionQuery(options))).errors).toBeUndefined();
  });

  it('knows every connection of the schema', () => {
    const text = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');
    expect(text.match(/^type \w+Connection \{/gm)?.length).toBeGreaterThan(10);
  });

  it('refuses a hundred of a hundred of a hundred', async () => {
    const query =
      '{ customers(first: 100) { nodes { invoices(first: 100) { nodes { allFees { item { name } } } } } } }';
    const { status, errors, body } = await test.graphql(query);
    expect(status).toBe(400);
    expect(errors?.[0]?.extensions?.code).toBe('query_too_complex');
    expect(body.extensions.cost.requested).toBe(1 + 100 * (1 + 1 + 100 * (1 + 10 * 2)));
  });

  it('counts no request unless it is told to', async () => {
    expect((await test.graphql('{ __typename }')).headers.get('x-ratelimit-limit')).toBeNull();
  });
});
