import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST, print } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { BillingError } from '../../billing/errors.ts';
import type { Context } from '../../graphql/context.ts';
import { exchangeOf } from '../wire/exchange.ts';
import {
  type Attempt,
  begin,
  fingerprintOf,
  type IdempotencyKeys,
  idempotencyKeyOf,
  markReplayed,
} from '../wire/idempotency.ts';
import { requestErrors } from '../wire/input-message.ts';
import { writeGraphJson } from '../wire/json.ts';
import { isBillingError } from '../wire/rest-error.ts';

const STATUSES: Partial<Record<BillingError['code'], number>> = { conflict: 409, validation_errors: 422 };

function refusal(error: BillingError): GraphQLError {
  const { code, message, details, reason } = error;
  const told = details && { errorDetails: details, errors: requestErrors(error) };
  const shown = { code, ...told, ...(reason && { reason }) };
  return new GraphQLError(message, { extensions: { ...shown, http: { status: STATUSES[code] ?? 400 } } });
}

/** Whether something may have been written: a mutation that answered, or one whose answer failed below its root. */
function hasWritten({ data, errors = [] }: ExecutionResult): boolean {
  const answered = Object.values(data ?? {}).some((value) => value !== null);
  return answered || errors.length === 0 || errors.some(({ path }) => (path?.length ?? 0) > 1);
}

interface IdempotentOptions {
  readonly idempotency?: IdempotencyKeys;
  readonly logger: Logger;
  readonly isDryRun?: (args: ExecutionArgs) => boolean;
}

/** Executes a named mutation once, and answers the same ever after. Where nothing was written, it may be tried again. */
export function idempotentGraphQL({ idempotency: keys, logger, isDryRun }: IdempotentOptions): Plugin {
  const attempts = new WeakMap<Request, Attempt>();
  const replayed = new WeakMap<Request, string>();
  if (!keys) return {};
  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const request: Request | undefined = args.contextValue.request;
      const operation = getOperationAST(args.document, args.operationName);
      // Without a request it is a document of the REST API, whose own request has been named already.
      const caller = request && exchangeOf(request).caller;
      if (!caller || operation?.operation !== 'mutation' || isDryRun?.(args)) return;
      try {
        const key = idempotencyKeyOf(request);
        if (key === undefined) return;
        // With the API key: what another key of the organization may see is not known here.
        const parts = ['graphql', caller.keyId, print(args.document), args.operationName, args.variableValues];
        const named = { organizationId: caller.organizationId, key, fingerprint: fingerprintOf(...parts) };
        const begun = await begin(keys, named, logger);
        if ('keep' in begun) {
          Object.assign(args.contextValue, { named: begun.named } satisfies Pick<Context, 'named'>);
          return void attempts.set(request, begun);
        }
        replayed.set(request, begun.body);
        setResultAndStopExecution({ data: {} });
      } catch (error) {
        if (!isBillingError(error)) throw error;
        setResultAndStopExecution({ errors: [refusal(error)] });
      }
    },
    async onResultProcess({ request, result }) {
      const kept = replayed.get(request);
      if (kept !== undefined) Object.assign(result, { stringify: () => kept });
      const attempt = attempts.get(request);
      if (!attempt || Array.isArray(result) || !('data' in result || 'errors' in result)) return;
      attempts.delete(request);
      await (hasWritten(result) ? attempt.keep({ status: 200, body: writeGraphJson(result) }) : attempt.release());
    },
    async onResponse({ request, response }) {
      if (replayed.has(request)) markReplayed(response);
      await attempts.get(request)?.release(); // the execution did not end in a result
    },
  };
}
