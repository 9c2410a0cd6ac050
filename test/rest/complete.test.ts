import { readFileSync } from 'node:fs';
import {
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type NamedTypeNode,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { expect, it } from 'vitest';
import { snakeCase } from '../../src/billing/name-case.ts';
import { schema } from '../../src/graphql/schema.ts';
import { documentBody } from '../../src/http/rest/document-body.ts';
import { routes } from '../../src/rest/index.ts';
import type { Route } from '../../src/rest/route.ts';

/** A schema of a body. */
interface Shape {
  readonly $ref?: string;
  readonly allOf?: readonly Shape[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly additionalProperties?: Shape | boolean;
}

interface Interface {
  readonly operations: Readonly<Record<string, Known>>;
  readonly $defs: Readonly<Record<string, Shape>>;
}

interface Known {
  readonly request: Shape | null;
  readonly area: string;
  readonly method: string;
  readonly path: string;
}

const { operations: known, $defs: definitions }: Interface = JSON.parse(
  readFileSync(new URL('../contract/operations.json', import.meta.url), 'utf8'),
);

/** What an application builds and keeps: of these areas everything that the interface has is served. */
const WHOLE_AREAS = [
  ...['billing_entities', 'organizations', 'taxes', 'billable_metrics', 'add_ons', 'plans', 'coupons', 'customers'],
  ...['payment_methods', 'features', 'entitlements', 'analytics', 'subscriptions', 'events', 'fees', 'invoices'],
];

const placeOf = ({ method, path }: Pick<Known, 'method' | 'path'>) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
const served = new Set(routes.map(placeOf));

it.each(WHOLE_AREAS)('every operation of %s is served', (area) => {
  const all = Object.entries(known).filter(([, operation]) => operation.area === area);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter(([, operation]) => !served.has(placeOf(operation))).map(([name]) => name)).toEqual([]);
});

/** A body with every member that a schema names; each value is the way to it. */
function whole(shape: Shape, way: string): unknown {
  const { $ref, items, additionalProperties: any } = shape;
  if ($ref) return whole(definitions[$ref.split('/').at(-1) ?? ''] ?? {}, way);
  if (items) return [whole(items, way)];
  if (typeof any === 'object' && !shape.properties) return { any: whole(any, `${way}.*`) };
  const parts = [shape, ...(shape.allOf ?? []), ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])];
  const members = parts.flatMap((part) => {
    if (part === shape) return Object.entries(part.properties ?? {});
    const inner = whole(part, way);
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? [inner] : [];
  });
  const named = members.map((one) =>
    Array.isArray(one) ? { [String(one[0])]: whole(one[1] as Shape, `${way}.${one[0]}`) } : one,
  );
  return named.length > 0 ? Object.assign({}, ...named) : way;
}

const leaves = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)];

/** What of a value an input takes: a document drops members that its type does not have. */
function taken(type: GraphQLInputType, value: unknown): string[] {
  if (isNonNullType(type)) return taken(type.ofType, value);
  if (isListType(type)) return [value].flat().flatMap((one) => taken(type.ofType, one));
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return leaves(value);
  const fields = Object.values(named.getFields()).filter(({ extensions }) => !extensions.isGraphOnly);
  const sent = Object(value) as Record<string, unknown>;
  return fields.flatMap((field) => taken(field.type, sent[snakeCase(field.name)] ?? []));
}

/** Members of subscriptions' bodies that are refused, or that say nothing. */
const ASIDE = [
  // No account can have an amount authorized.
  ...['authorization.amount_cents', 'authorization.amount_currency'].map((name) => `createSubscription ${name}`),
  // The query says it.
  'updateSubscription status',
  // Each charge is named by its identifier, and is of a metric already.
  ...['createSubscription', 'updateSubscription'].flatMap((name) =>
    ['billable_metric_id', 'code'].map((member) => `${name} subscription.plan_overrides.charges.${member}`),
  ),
  // Nothing follows what one subscription has.
  ...['createSubscriptionChargeFilter', 'updateSubscriptionChargeFilter'].map(
    (name) => `${name} filter.cascade_updates`,
  ),
];

/** What of a body the operations take that a route answers with it. */
function takenBy(route: Route, body: Readonly<Record<string, unknown>>): string[] {
  const ways = [{ ...route, sent: route.root ? body[route.root] : body }];
  if (route.batch) ways.push({ ...route, ...route.batch, sent: body });
  return ways.flatMap(({ document, variables, keyed, sent }) => {
    const values = variables({ params: {}, query: {}, body: documentBody({ keyed }, sent) });
    const [operation] = document.definitions;
    const { variableDefinitions = [] } = operation as OperationDefinitionNode;
    return variableDefinitions.flatMap(({ variable, type: node }) => {
      const type = typeFromAST(schema, node as NamedTypeNode);
      return isInputType(type) ? taken(type, values[variable.name.value] ?? []) : [];
    });
  });
}

it('every member of the bodies of subscriptions is taken', () => {
  const missing = Object.entries(known).flatMap(([name, operation]) => {
    if (!operation.path.startsWith('/subscriptions') || !operation.request) return [];
    const route = routes.find((one) => placeOf(one) === placeOf(operation));
    const body = whole(operation.request, '') as Readonly<Record<string, unknown>>;
    const found = route ? takenBy(route, body) : [];
    return leaves(body).flatMap((way) => (found.includes(way) ? [] : [`${name} ${way.slice(1)}`]));
  });
  expect(missing.sort()).toEqual(ASIDE.sort());
});
