import type { GraphQLSchema } from 'graphql';
import { batchRoute, type Route } from '../route.ts';
import { type ErrorBody, errorResponses, errorsOf } from './error.ts';
import type { JsonSchema } from './json.ts';
import { RequestReader } from './request.ts';
import { answerOf, partsOf } from './response.ts';
import { Shapes } from './shape.ts';

/** A request that works and what it answered; nothing of an endpoint that refuses whatever it is asked. */
export interface Example {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly request?: unknown;
  /** Absent where the answer has no body, and where an operation answers no request with success. */
  readonly response?: unknown;
}

export interface OpenApiOptions {
  readonly schema: GraphQLSchema;
  readonly routes: readonly Route[];
  /** Where the routes begin: `https://billing.example.com/api/v1`, or `/api/v1` for wherever the document is read. */
  readonly server: string;
  /** The body of each status that is an error. */
  readonly errors: readonly ErrorBody[];
  /** By operation. */
  readonly examples?: Readonly<Record<string, Example>>;
}

const DESCRIPTION = `Plans, charges, invoices, fees, wallets, billing entities and payment requests over REST. Every endpoint is
answered by the GraphQL schema behind \`/graphql\`, from which this document is made.

Amounts that end in \`_cents\` are integers in the minor unit of the currency, up to 64 bits. Other decimal quantities are
strings in plain notation. Times are UTC to the second. Unknown members of bodies are ignored; expect new members in
answers.

Beyond what the schemas say, and for the sake of existing clients, a number is taken where a text belongs, digits in a text
where a number belongs, an empty text for null where no text belongs, and identifiers without hyphens.`;

const IDEMPOTENCY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Names the write, so that it is done once: sent again within 24 hours, it gets the first answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

// `listCustomerPaymentRequests` is "List customer payment requests".
function sentence(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const tagOf = ({ path }: Route) => sentence(path.split('/')[1] ?? '');

/** The body of several objects at once: without any it is no such body. */
function severalOf({ batch }: Route, body: JsonSchema | undefined): JsonSchema | undefined {
  const { list = '' } = batch ?? {};
  const properties = (body?.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  return body && { ...body, properties: { [list]: { ...properties[list], minItems: 1 } }, required: [list] };
}

/** What a body or an answer may be: of one object, or of several at once. */
const eitherOf = (one: JsonSchema, several: JsonSchema | undefined) => (several ? { anyOf: [one, several] } : one);

function operationOf(route: Route, shapes: Shapes, { schema, errors, examples }: OpenApiOptions) {
  const example = examples?.[route.operation];
  const reader = new RequestReader(schema, route, partsOf(route).operation, shapes);
  const answer = answerOf(schema, route, shapes);
  const several = batchRoute(route);
  const ofSeveral = several && new RequestReader(schema, several, partsOf(several).operation, shapes).body();
  const inBatch = severalOf(route, ofSeveral);
  const own = reader.body();
  const body = own && eitherOf(own, inBatch);
  const answered = eitherOf(answer.schema, several && answerOf(schema, several, shapes).schema);
  const content = (of: object, value: unknown) => ({
    'application/json': { schema: of, ...(value !== undefined && { example: value }) },
  });
  const parameters = [
    ...reader.parameters({ ...example?.params, ...example?.query }),
    ...(route.method === 'GET' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
  ];
  return {
    operationId: route.operation,
    summary: sentence(route.operation),
    description: [answer.description, `Needs the permission \`${route.permission}\`.`].filter(Boolean).join('\n\n'),
    tags: [tagOf(route)],
    parameters,
    ...(body && { requestBody: { required: route.root !== undefined, content: content(body, example?.request) } }),
    responses: {
      [route.status ?? 200]: {
        description: 'Done.',
        ...(!route.empty && { content: content(answered, example?.response) }),
      },
      ...errorsOf(route, errors),
    },
  };
}

/**
 * The REST API as OpenAPI 3.1, made of what the routes execute: answers from the selections of their documents, bodies and
 * parameters from the variables. Throws an OpenApiError where a route selects JSON whose shape is not stated.
 */
export function openApi(options: OpenApiOptions) {
  const shapes = new Shapes(options.schema);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of options.routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, shapes, options) };
  }
  const tags = [...new Set(options.routes.map(tagOf))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Billing gateway',
      version: '1.49.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.server }],
    security: [{ apiKey: [] }],
    tags: tags.map((name) => ({
      name,
      description: `Endpoints below \`/${name.toLowerCase().replaceAll(' ', '_')}\`.`,
    })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A secret key, or a publishable key for what it may read.',
        },
      },
      parameters: { IdempotencyKey: IDEMPOTENCY },
      responses: errorResponses(options.errors),
      schemas: Object.fromEntries(Object.entries(shapes.components).sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  };
}

export type OpenApi = ReturnType<typeof openApi>;
