import fc from 'fast-check';
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import { bodyNear, headers, JUNK, pathNear } from './spoil.ts';
import { bodyBeside, ODD_TEXTS } from './twist.ts';

/** A request as it goes over the wire, and whether it is one to the GraphQL endpoint. */
export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Requests near those with a method, one of the addresses and one of the bodies. */
export function restShot(method: string, addresses: fc.Arbitrary<string>, bodies: fc.Arbitrary<string>) {
  const methods = fc.oneof(
    { weight: 20, arbitrary: fc.constant(method) },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  );
  const near = (address: string) => {
    const [place = '', query] = address.split('?');
    return pathNear(`/api/v1${place}`).map((other) =>
      query === undefined ? other : `${other}${other.includes('?') ? '&' : '?'}${query}`,
    );
  };
  const path = fc.oneof(
    { weight: 3, arbitrary: addresses.map((address) => `/api/v1${address}`) },
    { weight: 1, arbitrary: addresses.chain(near) },
  );
  return fc
    .record({ method: methods, path, headers, body: bodies })
    .map((shot): Shot => ({ ...shot, headers: { ...JSON_TYPE, ...shot.headers } }));
}

/** Values that members are given, as JSON: those of a name, `externalCustomerId`, and those of a type, `UUID`. */
export interface Values {
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly types: Readonly<Record<string, readonly string[]>>;
}

const SCALARS: Record<string, readonly string[]> = {
  Int: ['1', '0', '-1', '100', '2147483647'],
  Boolean: ['true', 'false'],
  BigInt: ['"1"', '5', '-5', '0', '9223372036854775807', '9223372036854775808', '-9223372036854775808'],
  Decimal: ['"0.5"', '"-1"', '1', '"0"', '"1e30"', '123456789012345678901234567890', '"0.000000000000000000001"'],
  Percentage: ['"0.5"', '"-1"', '1', '"0"', '"100"', '"100.000001"', '1000000'],
  DateTime: [
    '"2026-01-01T00:00:00Z"',
    '"2026-12-24T10:00:00+02:00"',
    '"9999-12-31T23:59:59Z"',
    '"0001-01-01T00:00:00Z"',
  ],
  Date: ['"2026-01-01"', '"2027-02-28"', '"9999-12-31"', '"0001-01-01"'],
  PreciseDateTime: ['"2026-01-01T00:00:00.123Z"', '"2026-01-01T00:00:00+02:00"'],
  DateOrDateTime: ['"2026-01-01"', '"2026-01-01T00:00:00Z"'],
  CountryCode: ['"DE"', '"XX"'],
  JSON: ['{"a":"b"}', '{}', '[1]', '"x"', '{"amount":"1.5"}', '{"a":null}', '{"":""}', '{"a":{"b":[1]}}'],
  TimeZone: ['"Europe/Berlin"', '"Mars"'],
};

// Values of a type, as JSON; one in some is of another type. Below the depth lists and objects are empty.
function jsonOf(type: GraphQLInputType, name: string, values: Values, depth: number): fc.Arbitrary<string> {
  const right = { weight: 24, arbitrary: rightJsonOf(getNullableType(type), name, values, depth) };
  const junk = { weight: 1, arbitrary: fc.constantFrom(...JUNK) };
  const named = values.names[name];
  const known = named && isLeafType(getNullableType(type)) && [{ weight: 40, arbitrary: fc.constantFrom(...named) }];
  return fc.oneof(right, junk, ...(known || []));
}

function rightJsonOf(type: GraphQLInputType, name: string, values: Values, depth: number): fc.Arbitrary<string> {
  if (isListType(type)) {
    const items = fc.array(jsonOf(type.ofType, name, values, depth - 1), { maxLength: depth > 0 ? 3 : 0 });
    return items.map((texts) => `[${texts.join(',')}]`);
  }
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map((value) => JSON.stringify(value.name)));
  if (isInputObjectType(type)) {
    const fields = depth > 0 ? Object.values(type.getFields()) : [];
    const needed = fields.filter((field) => isNonNullType(field.type));
    const chosen = fc.subarray(fields, { maxLength: Math.min(4, fields.length) });
    return fc
      .oneof(
        { weight: 1, arbitrary: chosen },
        { weight: 4, arbitrary: chosen.map((some) => [...new Set([...needed, ...some])]) },
      )
      .chain((some) =>
        fc.tuple(
          ...some.map((field) =>
            jsonOf(field.type, field.name, values, depth - 1).map((text) => `"${field.name}":${text}`),
          ),
        ),
      )
      .map((texts) => `{${texts.join(',')}}`);
  }
  const typed = isLeafType(type) ? (values.types[type.name] ?? SCALARS[type.name]) : undefined;
  const text = fc.constantFrom(...ODD_TEXTS).map((one) => JSON.stringify(one));
  return typed ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...typed) }, { weight: 1, arbitrary: text }) : text;
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

/** A field of the root: what is asked of it, or done by it. */
export interface RootField {
  readonly kind: 'query' | 'mutation';
  readonly name: string;
}

const rootOf = (kind: RootField['kind']) => (kind === 'query' ? schema.getQueryType() : schema.getMutationType());

/** Every field of a root. */
export const rootFields = (kind: RootField['kind']): RootField[] =>
  Object.keys(rootOf(kind)?.getFields() ?? {}).map((name) => ({ kind, name }));

/** Requests that ask one field of the root with values of its types, and others. */
export function fieldShot({ kind, name }: RootField, values: Values): fc.Arbitrary<Shot> {
  const field = rootOf(kind)?.getFields()[name];
  if (!field) throw new Error(`no field ${name}`);
  const wanted = field.args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const passed = field.args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
  const query = `${kind}${wanted && ` (${wanted})`} { ${name}${passed && `(${passed})`}${selection} }`;
  const variables = field.args.map((arg) => {
    const given = jsonOf(arg.type, arg.name, values, 4);
    const isNeeded = isNonNullType(arg.type);
    const value = fc.oneof(
      { weight: 1, arbitrary: isNeeded ? given : fc.constant(undefined) },
      { weight: isNeeded ? 0 : 1, arbitrary: fc.oneof(given, fc.constant(undefined)) },
    );
    return value.map((text) => (text === undefined ? [] : [`"${arg.name}":${text}`]));
  });
  const body = fc
    .tuple(...variables)
    .map((texts) => `{"query":${JSON.stringify(query)},"variables":{${texts.flat().join(',')}}}`);
  return graphShot(body);
}

/** Requests with a document and variables near those that it takes. */
export const documentShot = (query: string, variables: object, odd: readonly string[]): fc.Arbitrary<Shot> =>
  graphShot(
    fc
      .oneof(
        { weight: 1, arbitrary: fc.constant(JSON.stringify(variables)) },
        { weight: 1, arbitrary: bodyNear(variables, odd) },
        { weight: 3, arbitrary: bodyBeside(variables, odd) },
      )
      .map((text) => `{"query":${JSON.stringify(query)},"variables":${text}}`),
  );

const asBody = (query: string) => ({ query, variables: {}, operationName: null, extensions: {} });

/** Requests to the graph that are none: documents that cannot be read, bodies and addresses that nobody should send. */
export function brokenShot(): fc.Arbitrary<Shot> {
  const bodies = fc.oneof(
    fc.constantFrom(...BROKEN).map((query) => JSON.stringify(asBody(query))),
    bodyNear(asBody('{ plans(first: 2) { nodes { code } } }')),
  );
  const documents = fc.constantFrom(...BROKEN, '{__typename}');
  const addresses = fc.oneof(
    { weight: 4, arbitrary: fc.constant('/graphql') },
    { weight: 1, arbitrary: documents.map((query) => `/graphql?query=${encodeURIComponent(query)}`) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...JUNK)
        .map((junk) => `/graphql?query={__typename}&variables=${encodeURIComponent(junk)}`),
    },
  );
  return graphShot(bodies, addresses);
}

const graphShot = (body: fc.Arbitrary<string>, path: fc.Arbitrary<string> = fc.constant('/graphql')) =>
  fc.record({ path, headers, body }).map((shot) => ({
    method: shot.path === '/graphql' ? 'POST' : 'GET',
    path: shot.path,
    headers: { ...JSON_TYPE, Accept: 'application/json', ...shot.headers },
    body: shot.body,
  }));
