import type { GraphQLError } from 'graphql';
import { BillingError, type ErrorDetails, placeIn } from '../../billing/errors.ts';
import { jsonResponse } from './response.ts';
import { bySentNames, type SentNames } from './sent-name.ts';
import { codeOf, INTERNAL, UNAVAILABLE } from './wire-error.ts';

interface Body {
  readonly status: number;
  readonly error: string;
  readonly code?: string;
}

/** The only place that knows the status of a code and the body of a status. */
const BODIES: Record<string, Body> = {
  bad_request: { status: 400, error: 'Bad request' },
  unauthorized: { status: 401, error: 'Unauthorized' },
  forbidden: { status: 403, error: 'Forbidden' },
  object_not_found: { status: 404, error: 'Not Found', code: 'object_not_found' },
  method_not_allowed: { status: 405, error: 'Method Not Allowed' },
  conflict: { status: 409, error: 'Conflict', code: 'conflict' },
  payload_too_large: { status: 413, error: 'Payload Too Large' },
  validation_errors: { status: 422, error: 'Unprocessable entity', code: 'validation_errors' },
  rate_limit_exceeded: { status: 429, error: 'Too Many Requests', code: 'rate_limit_exceeded' },
  [INTERNAL]: { status: 500, error: 'Internal Server Error' },
  [UNAVAILABLE]: { status: 503, error: 'Service Unavailable' },
};

/** The body of every error that the API answers, in the order of statuses. */
export const errorBodies: readonly Body[] = Object.values(BODIES);

interface Extra {
  readonly code?: unknown;
  readonly error_details?: unknown;
  readonly request_id?: string;
}

export function restError(code: string, extra: Extra = {}): Response {
  const body = BODIES[code] ?? { status: 500, error: 'Internal Server Error' };
  return jsonResponse(body.status, { ...body, ...extra });
}

interface Told {
  /** Whether what is wrong with the objects of a list is told by their places. */
  readonly tellsPlaces?: boolean;
  /** The objects of the list as they were sent, where each is told with what is wrong with it. */
  readonly items?: readonly unknown[] | undefined;
  readonly sentNames?: SentNames;
}

/** `1.code` as the member `code` of the member `1`. */
function byPlaces(details: ErrorDetails, items: readonly unknown[] | undefined): Record<string, unknown> {
  const placed: Record<string, Record<string, string[]>> = {};
  const others: ErrorDetails = {};
  for (const [name, codes] of Object.entries(details)) {
    const at = placeIn(name);
    if (at) placed[at.place] = { ...placed[at.place], [at.member]: codes };
    else others[name] = codes;
  }
  if (!items) return { ...others, ...placed };
  const sent = Object.entries(placed).map(([place, errors]) => [place, { params: items[Number(place)], errors }]);
  return { ...others, ...Object.fromEntries(sent) };
}

const shown = (details: ErrorDetails, { tellsPlaces, items, sentNames }: Told) =>
  tellsPlaces ? byPlaces(details, items) : sentNames ? bySentNames(sentNames, details) : details;

/** The answer to what a rule or the plugin itself threw. */
export function fromBillingError({ code, details, reason }: BillingError, told: Told = {}): Response {
  return restError(code, { ...(reason && { code: reason }), ...(details && { error_details: shown(details, told) }) });
}

// Without a field, a validation error is about the request as a whole.
function details(error: GraphQLError, told: Told) {
  const { errorDetails } = error.extensions;
  return { error_details: errorDetails ? shown(errorDetails as ErrorDetails, told) : { base: ['value_is_invalid'] } };
}

/** The answer to the errors of an execution: a fault of ours before any of the client's, else the first. */
export function fromGraphQLErrors(errors: readonly GraphQLError[], requestId: string, told: Told = {}): Response {
  const fault = errors.find((error) => !(codeOf(error) in BODIES) || codeOf(error) === INTERNAL);
  const error = fault ?? errors[0];
  if (!error || fault) return restError(INTERNAL, { request_id: requestId });
  const code = codeOf(error);
  if (code === 'validation_errors') return restError(code, details(error, told));
  return restError(code, error.extensions.reason === undefined ? {} : { code: error.extensions.reason });
}

export const isBillingError = (error: unknown): error is BillingError => error instanceof BillingError;
