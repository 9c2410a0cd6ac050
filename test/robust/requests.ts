import fc from 'fast-check';
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import { bodyNear, headers, JUNK, pathNear } from './spoil.ts';

/** A request as it goes over the wire, and whether it is one to the GraphQL endpoint. */
export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

/** An endpoint with an address and a body that it accepts. */
export interface Target {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Requests near a valid one to an endpoint. */
export const restShot = ({ method, path, body }: Target): fc.Arbitrary<Shot> => {
  const methods = fc.oneof(
    { weight: 20, arbitrary: fc.constant(method) },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  );
  return fc
    .record({ method: methods, path: pathNear(`/api/v1${path}`), headers, body: bodyNear(body ?? { x: 1 }) })
    .map((shot) => ({ ...shot, headers: { ...JSON_TYPE, ...shot.headers } }));
};

const SCALARS: Record<string, readonly string[]> = {
  Int: ['1', '0', '-1', '100', '2147483647'],
  Boolean: ['true', 'false'],
  BigInt: ['"1"', '5', '-5', '9223372036854775807'],
  Decimal: ['"0.5"', '"-1"', '1'],
  Percentage: ['"0.5"', '"-1"', '1'],
  UUID: ['"7d0f5a34-1b1e-4c57-9a52-000000000010"'],
  DateTime: ['"2026-01-01T00:00:00Z"'],
  Date: ['"2026-01-01"'],
  PreciseDateTime: ['"2026-01-01T00:00:00.123Z"', '"2026-01-01T00:00:00+02:00"'],
  DateOrDateTime: ['"2026-01-01"', '"2026-01-01T00:00:00Z"'],
  CountryCode: ['"DE"', '"XX"'],
  TimeZone: ['"Europe/Berlin"', '"Mars"'],
};

// Values of a type, as JSON; one in some is of another type. Below the depth lists and objects are empty.
function jsonOf(type: GraphQLInputType, depth: number): fc.Arbitrary<string> {
  const junk = { weight: 1, arbitrary: fc.constantFrom(...JUNK) };
  return fc.oneof({ weight: 7, arbitrary: rightJsonOf(getNullableType(type), depth) }, junk);
}

function rightJsonOf(type: GraphQLInputType, depth: number): fc.Arbitrary<string> {
  if (isListType(type)) {
    const items = fc.array(jsonOf(type.ofType, depth - 1), { maxLength: depth > 0 ? 3 : 0 });
    return items.map((texts) => `[${texts.join(',')}]`);
  }
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => JSON.stringify(name)));
  if (isInputObjectType(type)) {
    const fields = depth > 0 ? Object.values(type.getFields()) : [];
    const chosen = fc.subarray(fields, { maxLength: Math.min(3, fields.length) });
    return chosen
      .chain((some) =>
        fc.tuple(...some.map((field) => jsonOf(field.type, depth - 1).map((text) => `"${field.name}":${text}`))),
      )
      .map((texts) => `{${texts.join(',')}}`);
  }
  return fc.constantFrom(...(SCALARS[isLeafType(type) ? type.name : ''] ?? ['"x"', '"clover"', '"cust_ada"', '"eu"']));
}

const BROKEN = [
  '{',
  '{ }',
  '',
  'query',
  '{ __proto__ }',
  'subscription { x }',
  'mutation { __typename } query { __typename }',
  'query ($a: Int) { __typename }',
  'query ($a: Nope!) { __typename }',
  '{ plans(first: 99999999999999999999) { nodes { code } } }',
  '{ plan(code: "\\u0000") { code } }',
  '{ plan(code: """\\ud800""") { code } }',
  '{ ...A } fragment A on Query { ...A }',
  `{ ${'a: __typename '.repeat(2000)} }`,
  `{ plans ${'{ nodes { charges { nodes { plan '.repeat(40)}`,
  `${'{a'.repeat(3000)}`,
  `{ plan(code: ${'['.repeat(3000)}`,
  '{ node(id: "!") { id } }',
  '{ node(id: "UGxhbjpudWxs") { id } }',
  '\0{ __typename }',
  '{ __typename @skip(if: 1) @include(if: null) }',
];

interface Operation {
  readonly kind: 'query' | 'mutation';
  readonly name: string;
}

const operationsOf = (kind: Operation['kind']): Operation[] => {
  const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return Object.keys(type?.getFields() ?? {}).map((name) => ({ kind, name }));
};

function documentShot({ kind, name }: Operation): fc.Arbitrary<string> {
  const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  const field = type?.getFields()[name];
  if (!field) throw new Error(`no field ${name}`);
  const wanted = field.args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const passed = field.args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
  const query = `${kind}${wanted && ` (${wanted})`} { ${name}${passed && `(${passed})`}${selection} }`;
  const variables = field.args.map((arg) =>
    fc.option(jsonOf(arg.type, 3), { nil: undefined, freq: String(arg.type).endsWith('!') ? 20 : 2 }).map((text) => {
      return text === undefined ? [] : [`"${arg.name}":${text}`];
    }),
  );
  return fc
    .tuple(...variables)
    .map((texts) => `{"query":${JSON.stringify(query)},"variables":{${texts.flat().join(',')}}}`);
}

const asBody = (query: string) => ({ query, variables: {}, operationName: null, extensions: {} });

/** Requests to the GraphQL endpoint: every root field with values of its types and others, and documents that are none. */
export function graphqlShot(valid: readonly { query: string; variables: object }[]): fc.Arbitrary<Shot> {
  const fields = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...operationsOf('query')).chain(documentShot) },
    { weight: 2, arbitrary: fc.constantFrom(...operationsOf('mutation')).chain(documentShot) },
    { weight: 4, arbitrary: fc.constantFrom(...valid).chain((one) => nearVariables(one)) },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN).map((query) => JSON.stringify(asBody(query))) },
    { weight: 1, arbitrary: bodyNear(asBody('{ plans(first: 2) { nodes { code } } }')) },
  );
  const address = fc.oneof(
    { weight: 30, arbitrary: fc.constant('/graphql') },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...BROKEN, '{__typename}')
        .map((query) => `/graphql?query=${encodeURIComponent(query)}`),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...JUNK)
        .map((junk) => `/graphql?query={__typename}&variables=${encodeURIComponent(junk)}`),
    },
  );
  return fc.record({ path: address, headers, body: fields }).map((shot) => ({
    method: shot.path === '/graphql' ? 'POST' : 'GET',
    path: shot.path,
    headers: { ...JSON_TYPE, Accept: 'application/json', ...shot.headers },
    body: shot.body,
  }));
}

const nearVariables = ({ query, variables }: { query: string; variables: object }) =>
  bodyNear(variables).map((text) => `{"query":${JSON.stringify(query)},"variables":${text}}`);
