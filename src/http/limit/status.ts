import type { ExecutionResult, GraphQLError } from 'graphql';

type Results = object | readonly object[];

/**
 * Gives the answer a status for its errors. Yoga answers 200 to every operation that does not fit the schema where JSON is
 * accepted, as GraphQL over HTTP says; a limit is about the request and has its status for everybody.
 */
export function setStatus(result: Results, isMeant: (error: GraphQLError) => boolean, status: number): void {
  const [one] = Array.isArray(result) ? result : [result];
  const { errors } = one as ExecutionResult;
  for (const error of errors ?? []) if (isMeant(error)) error.extensions.http = { status };
}
