import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { BillingError } from '../billing/errors.ts';
import { exchangeOf, reportErrors } from './exchange.ts';
import { parseJson, writeJson } from './json.ts';
import { wireError } from './wire-error.ts';

const clientError = (message: string, extensions: Record<string, unknown>, status = 400) =>
  new GraphQLError(message, { extensions: { ...extensions, http: { status } } });

function parseParams(text: string): GraphQLParams | GraphQLParams[] {
  let params: unknown;
  try {
    params = parseJson(text);
  } catch (error) {
    if (error instanceof BillingError) {
      throw clientError(error.message, { code: error.code, errorDetails: error.details });
    }
    throw clientError('POST body sent invalid JSON.', { code: 'bad_request' });
  }
  if (typeof params !== 'object' || params === null) {
    throw clientError('POST body is expected to be an object.', { code: 'bad_request' });
  }
  return params as GraphQLParams;
}

const isJson = (request: Request) =>
  request.method === 'POST' &&
  /^application\/(graphql\+)?json\s*(;|$)/i.test(request.headers.get('content-type')?.trim() ?? '');

/** No database stores a NUL: it is refused in literals as it is in variables. */
function noNul(context: ValidationContext): ASTVisitor {
  return {
    StringValue(node) {
      if (!node.value.includes('\0')) return;
      const extensions = { code: 'validation_errors', errorDetails: { base: ['value_is_invalid'] } };
      context.reportError(new GraphQLError('A string holds a NUL character.', { nodes: node, extensions }));
    },
  };
}

/** GraphQL over HTTP with exact numbers: variables keep every digit on the way in, bigints on the way out. */
export function exactGraphQL(logger: Logger, isUnavailable: (cause: unknown) => boolean): Plugin {
  return {
    onRequestParse({ request, setRequestParser }) {
      if (isJson(request)) setRequestParser(async (readable) => parseParams(await readable.text()));
    },
    onValidate({ addValidationRule }) {
      addValidationRule(noNul);
    },
    onParams({ request, params }) {
      const exchange = exchangeOf(request);
      if (typeof params.operationName === 'string') exchange.operation = params.operationName.slice(0, 100);
    },
    onResultProcess({ request, result }) {
      const { requestId } = exchangeOf(request);
      for (const one of Array.isArray(result) ? result : [result]) {
        if (!('errors' in one || 'data' in one)) continue;
        const errors = one.errors?.map((error) => wireError(error, isUnavailable));
        reportErrors(errors, requestId, logger);
        Object.assign(one, { stringify: writeJson }, errors && { errors });
      }
    },
  };
}
