import { GraphQLError, type GraphQLFormattedError, Kind } from 'graphql';
import { BillingError } from '../../billing/errors.ts';

/** Words on the wire beyond those of the rules: what goes wrong before a rule is asked, or below it. */
export const INTERNAL = 'internal_server_error';
export const UNAVAILABLE = 'service_unavailable';

const CODES: Record<string, string> = {
  GRAPHQL_PARSE_FAILED: 'bad_request',
  GRAPHQL_VALIDATION_FAILED: 'bad_request',
};

// The cause of an error that is shown without its text, until it has been logged.
const causes = new WeakMap<GraphQLError, unknown>();

// The rule that refused; what it said is shown, beside where it is about.
const refusals = new WeakMap<GraphQLError, BillingError>();

export const refusalOf = (error: GraphQLError): BillingError | undefined => refusals.get(error);

export const causeOf = (error: GraphQLError): unknown => causes.get(error);

function rootOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error;
}

function rebuilt(error: unknown, message: string, extensions: Record<string, unknown>): GraphQLError {
  if (!(error instanceof GraphQLError)) return new GraphQLError(message, { extensions });
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

// Errors without a path come from before execution: syntax, validation, variables. They speak about what the client
// sent, whoever threw them.
function isAboutRequest(error: unknown): error is GraphQLError {
  return error instanceof GraphQLError && (error.path === undefined || !error.originalError);
}

const isAboutVariable = (error: GraphQLError) => error.nodes?.[0]?.kind === Kind.VARIABLE_DEFINITION;

function requestError(error: GraphQLError): GraphQLError {
  const given = error.extensions.code;
  const fallback = isAboutVariable(error) ? 'validation_errors' : 'bad_request';
  const code = typeof given === 'string' ? (CODES[given] ?? given.toLowerCase()) : fallback;
  return rebuilt(error, error.message, { ...error.extensions, code });
}

function billingError(error: unknown, cause: BillingError): GraphQLError {
  const { code, details, reason } = cause;
  const extensions = { code, ...(details && { errorDetails: details }), ...(reason && { reason }) };
  const shown = rebuilt(error, cause.message, extensions);
  refusals.set(shown, cause);
  return shown;
}

function hiddenError(error: unknown, cause: unknown, isUnavailable: boolean): GraphQLError {
  const [code, message] = isUnavailable ? [UNAVAILABLE, 'Service unavailable'] : [INTERNAL, 'Internal server error'];
  const hidden = rebuilt(error, message, { code });
  causes.set(hidden, cause);
  return hidden;
}

const known = new WeakSet<GraphQLError>();

/** Makes the error that clients see. What is neither a rule's answer nor about the request is hidden; its cause is kept for the log. */
export function wireError(error: unknown, isUnavailable: (cause: unknown) => boolean): GraphQLError {
  if (error instanceof GraphQLError && known.has(error)) return error;
  const cause = rootOf(error);
  const shown =
    cause instanceof BillingError
      ? billingError(error, cause)
      : isAboutRequest(error) || cause instanceof GraphQLError
        ? requestError(error instanceof GraphQLError ? error : (cause as GraphQLError))
        : hiddenError(error, cause, isUnavailable(cause));
  known.add(shown);
  return shown;
}

/** The code of an error that `wireError` has made. */
export const codeOf = (error: GraphQLFormattedError): string =>
  typeof error.extensions?.code === 'string' ? error.extensions.code : INTERNAL;
