import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { lengthFaults } from './input-limit.ts';

interface Execution {
  readonly args: ExecutionArgs;
  setResultAndStopExecution(result: ExecutionResult): void;
}

function check({ args, setResultAndStopExecution }: Execution): void {
  const { schema, document, variableValues, contextValue } = args;
  // Without a request it is a document of the REST API, whose own request has been held to the same.
  if (!(contextValue as { request?: Request }).request) return;
  const faults = lengthFaults(schema, document, variableValues ?? {});
  if (!faults) return;
  const { details: errorDetails, errors } = faults;
  const extensions = { code: 'validation_errors', errorDetails, errors };
  setResultAndStopExecution({ errors: [new GraphQLError('A value is too long.', { extensions })] });
}

/** Refuses operations with a text or a list that is longer than its input takes, before anything of them is executed. */
export const limitInputLengths = (): Plugin => ({
  onExecute: (execution) => check(execution as Execution),
  onSubscribe: (execution) => check(execution),
});
