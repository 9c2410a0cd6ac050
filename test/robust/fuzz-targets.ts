import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Kind, type OperationDefinitionNode, print } from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import { fitVariables } from '../../src/http/rest/coerce.ts';
import { documentBody } from '../../src/http/rest/document-body.ts';
import { routes } from '../../src/rest/index.ts';
import type { Example } from '../../src/rest/openapi/openapi.ts';
import type { Route } from '../../src/rest/route.ts';
import { description, generated, type Hints } from '../rest/described.ts';
import { camel, type GraphWrite, graphWrites } from '../rest/sample.ts';
import type { Names } from './fuzz-rows.ts';
import { brokenShot, documentShot, fieldShot, restShot, rootFields, type Shot, type Values } from './requests.ts';
import { bodyNear, JUNK } from './spoil.ts';
import { bodyBeside } from './twist.ts';

/** Something that is asked: an endpoint, a mutation or a query, and requests near those that it takes. */
export interface Target {
  readonly name: string;
  /** How often it is asked, where others are asked once. */
  readonly weight: number;
  readonly shots: fc.Arbitrary<Shot>;
}

type Known = Readonly<Record<string, Names>>;

const examples: Readonly<Record<string, Example>> = JSON.parse(
  readFileSync(new URL('../../src/rest/openapi/examples.json', import.meta.url), 'utf8'),
);

/** A request to a route that works. */
export function exampleOf({ operation }: Route): Example {
  const example = examples[operation];
  if (!example) throw new Error(`${operation} has no example`);
  return example;
}

/** Where the example of a route stands. */
export function exampleAddress(route: Route): string {
  const { params = {} } = exampleOf(route);
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

/** Tables whose names a member or a parameter holds. */
const TABLE_OF: Readonly<Record<string, string>> = {
  ...{ external_customer_id: 'customers.external_id', external_subscription_id: 'subscriptions.external_id' },
  ...{ external_id: 'subscriptions.external_id', plan_code: 'plans.code', plan_codes: 'plans.code' },
  ...{ tax_codes: 'taxes.code', add_on_code: 'add_ons.code', coupon_code: 'coupons.code' },
  ...{ billable_metric_code: 'billable_metrics.code', metric_code: 'billable_metrics.code' },
  ...{ billable_metric_codes: 'billable_metrics.code', billing_entity_code: 'billing_entities.code' },
  ...{ billing_entity_codes: 'billing_entities.code', feature_code: 'features.code' },
  ...{ applied_coupon_id: 'applied_coupons.id', filter_id: 'charge_filters.id', invoice_id: 'invoices.id' },
  ...{ billable_metric_id: 'billable_metrics.id', add_on_id: 'add_ons.id', fee_id: 'fees.id', wallet_id: 'wallets.id' },
};

/** What members are mostly given, so that what is beside them decides. */
const USUAL: Readonly<Record<string, string[]>> = {
  ...{ currency: ['EUR', 'GBP'], amount_currency: ['EUR', 'GBP'], country: ['FR'], timezone: ['Europe/Paris'] },
  ...{ amount: ['0', '0.5', '12.34'], charge_model: ['standard', 'graduated', 'package', 'percentage', 'volume'] },
  ...{ units: ['0', '1', '2.5'], subscription_at: ['2026-11-01T00:00:00Z', '2026-12-24T10:00:00Z'] },
  ...{ ending_at: ['2027-11-01T00:00:00Z'], terminated_at: ['2026-12-01T00:00:00Z'], rate: ['20'] },
};

const COLUMN_OF: Readonly<Record<string, string>> = {
  id: 'id',
  svc_id: 'id',
  code: 'code',
  external_id: 'external_id',
};

/** Names that a parameter of a path takes: by its own name, else by what the path is about. */
function namesOf(path: string, parameter: string, known: Known): Names | undefined {
  const own = known[TABLE_OF[parameter] ?? ''];
  if (own) return own;
  const segments = path.split('/');
  const table = segments[segments.indexOf(`{${parameter}}`) - 1];
  return known[`${table}.${COLUMN_OF[parameter]}`];
}

const among = (values: readonly string[] | undefined, weight: number) =>
  values && values.length > 0 ? [{ weight, arbitrary: fc.constantFrom(...values) }] : [];

type Described = Readonly<Record<'parameters', readonly { in?: string; name: string; schema: object }[]>> & {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
};

const describedOf = ({ path, method }: Route): Described => description.paths[path][method.toLowerCase()];

/** Addresses of a route: of what the example names, of another one, of another organization's; with what may be asked of it. */
function addressesOf(route: Route, known: Known, hints: Hints): fc.Arbitrary<string> {
  const isSparing = weightOf(route.operation) < 1;
  const { params = {}, query = {} } = exampleOf(route);
  const parts = route.path.split('/').map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return fc.constant(part);
    const { own, foreign } = namesOf(route.path, name, known) ?? {};
    const example = { weight: 6, arbitrary: fc.constant(String(params[name])) };
    // What others are asked of is not taken away.
    return fc.oneof(example, ...among(isSparing ? [] : own, 3), ...among(foreign, 1)).map(encodeURIComponent);
  });
  const texts = (given: object) =>
    Object.entries(given).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  const asked = describedOf(route).parameters.filter((one) => one.in === 'query');
  const shape = { type: 'object', properties: Object.fromEntries(asked.map((one) => [one.name, one.schema])) };
  const odd = fc.tuple(fc.constantFrom('page', ...asked.map(({ name }) => name)), fc.constantFrom(...JUNK));
  const queries = fc.oneof(
    { weight: 3, arbitrary: fc.constant(texts(query)) },
    ...(asked.length > 0
      ? [{ weight: 3, arbitrary: generated(shape, hints).map((given) => texts(given as object)) }]
      : []),
    { weight: 1, arbitrary: odd.map(([name, junk]) => [...texts(query), [name, junk.replace(/^"|"$/g, '')]]) },
  );
  return fc.tuple(fc.tuple(...parts), queries).map(([segments, pairs]) => {
    const search = new URLSearchParams(pairs as [string, string][]);
    return `${segments.join('/')}${search.size > 0 ? `?${search}` : ''}`;
  });
}

/** Bodies near the example and near those that the description allows; some of those are sent as they are. */
function bodiesOf(route: Route, hints: Hints, odd: readonly string[]): fc.Arbitrary<string> {
  const { request = { x: 1 } } = exampleOf(route);
  const near = bodyNear(request, odd);
  const shape = describedOf(route).requestBody?.content['application/json']?.schema;
  if (!shape) return near;
  const whole = generated(shape, hints);
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(JSON.stringify(request)) },
    { weight: 2, arbitrary: near },
    { weight: 4, arbitrary: bodyBeside(request, odd) },
    { weight: 1, arbitrary: whole.chain((body) => bodyNear(body, odd)) },
    { weight: 4, arbitrary: whole.chain((body) => bodyBeside(body, odd)) },
    { weight: 2, arbitrary: whole.map((body) => JSON.stringify(body)) },
  );
}

const definitionOf = ({ document }: Route) =>
  document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;

const textsOf = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

/** The variables of a route's document, as its example fills them. */
function variablesOf(route: Route): Record<string, unknown> {
  const { params = {}, query = {}, request } = exampleOf(route);
  const body = route.root ? (request as Record<string, unknown>)[route.root] : request;
  const read = route.variables({ params: textsOf(params), query: textsOf(query), body: documentBody(route, body) });
  return fitVariables(schema, definitionOf(route), read);
}

// What takes something away is asked less often than it is made again.
const weightOf = (name: string) => (/^(destroy|delete|terminate|remove)/i.test(name) ? 1 / 4 : 1);

/** Every route, its document through the other door, every mutation and every query, and what is none of them. */
export function targetsOf(known: Known): Target[] {
  const everyone = Object.values(known);
  const foreign = everyone.flatMap(({ foreign: some }) => some.slice(0, 3)).map((name) => JSON.stringify(name));
  const hints: Record<string, string[]> = { ...USUAL };
  for (const [name, table] of Object.entries(TABLE_OF)) {
    const { own = [], foreign: some = [] } = known[table] ?? {};
    hints[name] = [...own.slice(0, 12), ...some.slice(0, 2)];
  }
  const ids = Object.keys(known).filter((name) => name.endsWith('.id'));
  const uuids = ids.flatMap((name) => [
    ...(known[name]?.own ?? []).slice(0, 12),
    ...(known[name]?.foreign ?? []).slice(0, 1),
  ]);
  const inJson = (names: readonly string[]) => names.map((name) => JSON.stringify(name));
  const codes = Object.keys(known).filter((name) => name.endsWith('.code'));
  const values: Values = {
    names: {
      ...Object.fromEntries(Object.entries(hints).map(([name, some]) => [camel(name), inJson(some)])),
      externalId: inJson(
        ['customers', 'subscriptions'].flatMap((table) => known[`${table}.external_id`]?.own.slice(0, 8) ?? []),
      ),
      code: inJson(codes.flatMap((name) => known[name]?.own.slice(0, 6) ?? [])),
    },
    types: { UUID: inJson(uuids) },
  };
  const sparing: Values = {
    names: Object.fromEntries(
      Object.entries(values.names).map(([name, some]) => [name, ['"sample"', ...some.slice(-1)]]),
    ),
    types: {
      UUID: inJson(
        ids.flatMap((name) => [...(known[name]?.own ?? []).slice(-2), ...(known[name]?.foreign ?? []).slice(0, 1)]),
      ),
    },
  };
  const valuesFor = (name: string) => (weightOf(name) < 1 ? sparing : values);
  // Lists of codes are told apart by the description, which asks for lists.
  const described: Hints = Object.fromEntries(
    Object.entries(hints).map(([name, some]) => [name, name.endsWith('codes') ? some.map((one) => [one]) : some]),
  );
  const written = ({ query, variables }: GraphWrite) => documentShot(query, variables('sample'), foreign);
  return [
    ...routes.map((route) => ({
      ...{ name: `${route.method} ${route.path}`, weight: 3 * weightOf(route.operation) },
      shots: restShot(route.method, addressesOf(route, known, described), bodiesOf(route, described, foreign)),
    })),
    ...routes.map((route) => ({
      ...{ name: `document of ${route.operation}`, weight: weightOf(route.operation) },
      shots: documentShot(print(route.document), variablesOf(route), foreign),
    })),
    ...graphWrites.map((write) => ({ name: `${write.name} of a sample`, weight: 1, shots: written(write) })),
    ...rootFields('mutation').map((field) => ({
      ...{
        name: `mutation ${field.name}`,
        weight: 2 * weightOf(field.name),
        shots: fieldShot(field, valuesFor(field.name)),
      },
    })),
    ...rootFields('query').map((field) => ({
      name: `query ${field.name}`,
      weight: 1,
      shots: fieldShot(field, values),
    })),
    { name: 'no operation', weight: 12, shots: brokenShot() },
  ];
}
