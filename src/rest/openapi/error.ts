import type { Route } from '../route.ts';
import type { JsonSchema } from './json.ts';
import { takesBody } from './request.ts';

/** The body of an error as the wire knows it. */
export interface ErrorBody {
  readonly status: number;
  readonly error: string;
  readonly code?: string;
}

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The body is not JSON, or lacks the key that it must have.',
  401: 'The key is missing or not valid.',
  403: 'The key may not do this: `code` names what is not allowed.',
  404: 'An object that the request names does not exist.',
  405: 'What the request names is in no state for it: `code` says why.',
  409: 'The name of the write is in use for another one, or the object cannot be changed now.',
  413: 'The body is larger than the gateway takes.',
  422: 'Something does not fit: `error_details` maps each member to the codes of what is wrong with it.',
  429: 'The key has spent its points of this minute, or too many writes are waiting; `Retry-After` says when to ask again.',
  500: 'A fault of the gateway; it is logged under the id.',
  503: 'The database cannot be reached or takes no writes at the moment, or took too long; `Retry-After` says when to ask again.',
};

const DETAILS: JsonSchema = {
  type: 'object',
  description: 'Lists of codes by the name of the member.',
  additionalProperties: { type: 'array', items: { type: 'string' } },
};

/** What is wrong with an object that may be sent with others in place of one, with the object itself. */
const SENT_DETAILS: JsonSchema = {
  type: 'object',
  properties: { params: { description: 'What was sent.' }, errors: DETAILS },
  required: ['params', 'errors'],
};

/** Of a batch: what is wrong with one of its objects is told by its place in the list. */
const PLACED_DETAILS: JsonSchema = {
  type: 'object',
  description: 'Lists of codes by the name of the member; for the objects of a list below their places, from 0 on.',
  additionalProperties: { anyOf: [DETAILS.additionalProperties, SENT_DETAILS, DETAILS] },
};

const extrasOf = (status: number): Record<string, JsonSchema> => {
  if (status === 403) return { code: { type: 'string', description: 'What is not allowed.' } };
  if (status === 405) return { code: { type: 'string', description: 'Why it is not possible.' } };
  if (status === 422) return { error_details: DETAILS };
  return status === 500 ? { request_id: { type: 'string', description: 'Names the request in the log.' } } : {};
};

const EXAMPLES: Readonly<Record<number, object>> = {
  403: { code: 'write_action_not_allowed_for_wallet' },
  405: { code: 'no_active_subscription' },
  422: { error_details: { values: ['value_is_mandatory'] } },
  500: { request_id: '0d3a3a52-6c44-4dc0-b9b8-6f9c3d5f7a10' },
};

const nameOf = ({ error }: ErrorBody) =>
  error.replace(/(^|\s)(\w)/g, (_, _space, letter: string) => letter.toUpperCase());

function responseOf(body: ErrorBody) {
  const literal = Object.entries(body).map(([name, value]) => [name, { const: value }] as const);
  const properties = { ...Object.fromEntries(literal), ...extrasOf(body.status) };
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  const example = { ...body, ...EXAMPLES[body.status] };
  return { description: MEANINGS[body.status] ?? body.error, content: { 'application/json': { schema, example } } };
}

const IN_BATCH = 'InBatch';

/** The response of a 422 to a batch, beside that to one object. */
function batchResponse(body: ErrorBody) {
  const { description, content } = responseOf(body);
  const { schema } = content['application/json'];
  const properties = { ...schema.properties, error_details: PLACED_DETAILS };
  const example = { ...body, error_details: { 1: { code: ['value_is_mandatory'] } } };
  return { description, content: { 'application/json': { schema: { ...schema, properties }, example } } };
}

/** The responses that routes refer to, by their names. */
export const errorResponses = (bodies: readonly ErrorBody[]) =>
  Object.fromEntries(
    bodies.flatMap((body) => [
      [nameOf(body), responseOf(body)],
      ...(body.status === 422 ? [[`${nameOf(body)}${IN_BATCH}`, batchResponse(body)]] : []),
    ]),
  );

/** Which errors a route answers: those of bodies only where it takes one, conflicts only where it writes. */
export function errorsOf(route: Route, bodies: readonly ErrorBody[]) {
  const isPossible = (status: number) =>
    (status !== 405 || route.dependsOnState === true) &&
    (takesBody(route) || (status !== 400 && status !== 413)) &&
    (route.method !== 'GET' || status !== 409);
  const possible = bodies.filter(({ status }) => isPossible(status));
  return Object.fromEntries(
    possible.map((body) => {
      const name =
        body.status === 422 && (route.tellsPlaces || route.batch) ? `${nameOf(body)}${IN_BATCH}` : nameOf(body);
      return [String(body.status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}
