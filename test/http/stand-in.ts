import { buildSchema, type GraphQLScalarType, type GraphQLSchema, parse } from 'graphql';
import { type DestinationStream, pino } from 'pino';
import { BillingError, invalid, notFound } from '../../src/billing/errors.ts';
import type { Caller, Context } from '../../src/graphql/context.ts';
import { createGateway, type GatewayOptions } from '../../src/http/gateway.ts';
import { healthPage, readyPage } from '../../src/http/page/health.ts';
import type { Route } from '../../src/rest/route.ts';

// A schema of the same kinds as the real one, small enough that a test of the wire shows all it depends on.
const SDL = `
  scalar BigInt
  scalar JSON
  type Charge { code: String!, minAmountCents: BigInt, properties: JSON, taxCodes: [String!] }
  type Plan { code: String!, charge(code: String!): Charge }
  input RangeInput { fromValue: BigInt!, toValue: BigInt }
  input ChargeInput { minAmountCents: BigInt, invoiceDisplayName: String, properties: JSON, taxCodes: [String!], ranges: [RangeInput!], payInAdvance: Boolean, addOnId: String }
  input MetadataInput { metadata: JSON! }
  type Query { plan(code: String!): Plan, echo(text: String): String, number: BigInt, boom: String, down: String, refused: String, big(value: BigInt): BigInt, now: String, late: String }
  type Mutation { updateCharge(plan: String!, charge: String!, input: ChargeInput!): Charge, setMetadata(id: String!, input: MetadataInput!): JSON }
`;

const integer = (value: unknown): bigint => {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return BigInt(value as bigint);
  throw new TypeError('not an integer');
};

const charge = (plan: string, code: string, more: object = {}) => {
  if (plan !== 'pro.v2') throw notFound('plan');
  if (code === 'missing') throw notFound('charge');
  return { code, minAmountCents: 9007199254740993n, properties: { amount: '0.10' }, ...more };
};

export function standIn(): GraphQLSchema {
  const schema = buildSchema(SDL);
  const bigInt = schema.getType('BigInt') as GraphQLScalarType;
  bigInt.serialize = (value) => BigInt(value as bigint);
  bigInt.parseValue = integer;
  bigInt.parseLiteral = (node) => integer('value' in node ? BigInt(node.value as string) : undefined);
  const resolvers: Record<string, Record<string, (...args: never[]) => unknown>> = {
    Query: {
      plan: (_: unknown, { code }: { code: string }) => {
        if (code.startsWith('ghost')) throw notFound('plan');
        return { code, charge: ({ code: name }: { code: string }) => charge(code, name) };
      },
      echo: (_: unknown, { text }: { text?: string }) => text ?? null,
      number: () => 2n ** 62n,
      late: () => new Promise((resolve) => setTimeout(resolve, 20, 'late')),

      big: (_: unknown, { value }: { value: bigint }) => value,
      boom: () => {
        throw new Error('secret detail: /srv/app/prisma.ts SELECT * FROM keys');
      },
      down: () => {
        throw Object.assign(new Error('connect ECONNREFUSED db.internal:5432'), { code: 'ECONNREFUSED' });
      },
      refused: () => {
        throw new BillingError('forbidden', 'Forbidden', undefined, 'read_action_not_allowed_for_wallet');
      },
      now: (_: unknown, __: unknown, context: Context) => context.now.toISOString(),
    },
    Mutation: {
      updateCharge: (
        _: unknown,
        { plan, charge: code, input }: Record<'plan' | 'charge', string> & { input: object },
      ) => {
        const found = charge(plan, code, input);
        if ((input as { addOnId?: string }).addOnId === 'taken') throw invalid({ add_on_id: ['value_already_exist'] });
        if ((input as { addOnId?: string }).addOnId === 'conflict')
          throw new BillingError('conflict', 'changed meanwhile');
        if ((input as { addOnId?: string }).addOnId === 'boom') throw new Error('secret detail');
        return found;
      },
      setMetadata: (_: unknown, { input }: { input: { metadata: unknown } }) => ({ metadata: input.metadata }),
    },
  };
  for (const [type, fields] of Object.entries(resolvers)) {
    const known = (
      schema.getType(type) as unknown as { getFields(): Record<string, { resolve?: unknown }> }
    ).getFields();
    for (const [name, resolve] of Object.entries(fields)) Object.assign(known[name] ?? {}, { resolve });
  }
  return schema;
}

const path = ({ params }: { params: Readonly<Record<string, string>> }) => ({
  plan: params.code,
  charge: params.charge_code,
});

export const standInRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/plans/{code}/charges/{charge_code}',
    permission: 'plan:read',
    operation: 'readCharge',
    document: parse(
      'query ($plan: String!, $charge: String!) { plan(code: $plan) { charge(code: $charge) { code min_amount_cents: minAmountCents properties } } }',
    ),
    variables: path,
    answer: ['plan'],
  },
  {
    method: 'PUT',
    path: '/plans/{code}/charges/{charge_code}',
    permission: 'plan:write',
    operation: 'writeCharge',
    document: parse(
      'mutation ($plan: String!, $charge: String!, $input: ChargeInput!) { charge: updateCharge(plan: $plan, charge: $charge, input: $input) { code min_amount_cents: minAmountCents properties tax_codes: taxCodes } }',
    ),
    variables: (request) => ({ ...path(request), input: request.body }),
    root: 'charge',
    lookup: parse(
      'query ($code: String!, $chargeCode: String!) { plan(code: $code) { charge(code: $chargeCode) { code } } }',
    ),
  },
  {
    method: 'PATCH',
    path: '/wallets/{id}/metadata',
    permission: 'wallet:write',
    operation: 'patchMetadata',
    document: parse('mutation ($id: String!, $input: MetadataInput!) { wallet: setMetadata(id: $id, input: $input) }'),
    variables: ({ params, body }) => ({ id: params.id, input: body }),
    body: true,
    answer: ['wallet'],
  },
  {
    method: 'GET',
    path: '/echo/{text}',
    permission: 'customer:read',
    operation: 'echo',
    document: parse('query ($text: String) { text: echo(text: $text) }'),
    variables: ({ params }) => ({ text: params.text }),
  },
  ...(['boom', 'down', 'refused'] as const).map(
    (field): Route => ({
      method: 'GET',
      path: `/${field}`,
      permission: 'plan:read',
      operation: field,
      document: parse(`{ ${field} }`),
      variables: () => ({}),
    }),
  ),
];

const caller = (keyId: string, permits: (permission: string) => boolean, keyKind: Caller['keyKind'] = 'secret') => ({
  organizationId: 'quillo',
  keyId,
  keyKind,
  permits,
});

const CALLERS: Record<string, Caller> = {
  full: caller('full', () => true),
  reader: caller('reader', (permission) => permission.endsWith(':read')),
  public: caller('public', (permission) => permission === 'plan:read', 'publishable'),
};

export const NOW = new Date('2026-06-01T10:00:00Z');

/** The gateway over the stand-in, and what it logs. */
export function standInGateway(options: Partial<GatewayOptions> = {}) {
  const lines: string[] = [];
  const destination: DestinationStream = { write: (line) => void lines.push(line) };
  const logger = pino({ level: 'debug' }, destination);
  const ready = async () => undefined;
  const gateway = createGateway({
    schema: standIn(),
    routes: standInRoutes,
    pages: [healthPage, readyPage({ ready, isReadOnly: () => false, logger })],
    authenticate: async (key) => {
      if (key === 'unreachable') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      return Object.hasOwn(CALLERS, key) ? CALLERS[key] : undefined;
    },
    contextOf: (who, requestId, checksTypes) => ({
      caller: who,
      requestId,
      checksTypes,
      now: NOW,
      db: {} as never,
      changes: {} as never,
      signal: () => new AbortController().signal,
      preview: async () => ({}) as never,
      fileUrl: async () => '',
    }),
    isUnavailable: (cause) => (cause as { code?: unknown }).code === 'ECONNREFUSED',
    logger,
    corsOrigins: [],
    bodyLimit: 1024 ** 2,
    ...options,
  });
  return { gateway, lines, send: sender(gateway) };
}

type Gateway = ReturnType<typeof createGateway>;

export interface Sent {
  readonly method?: string;
  readonly key?: string | null;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

function sender(gateway: Gateway) {
  return async (path: string, { method = 'GET', key = 'full', body, headers }: Sent = {}) => {
    const authorization: Record<string, string> = key === null ? {} : { Authorization: `Bearer ${key}` };
    const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const init = { method, body, headers: { ...authorization, ...type, ...headers } };
    const response = await gateway.fetch(new Request(`http://gateway.test${path}`, init));
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
}
