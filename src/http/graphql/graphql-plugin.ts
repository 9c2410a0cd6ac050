import { Request } from '@whatwg-node/fetch';
import { type ASTVisitor, type ExecutionResult, GraphQLError, type ValidationContext } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { BillingError, within } from '../../billing/errors.ts';
import { setStatus } from '../limit/status.ts';
import { BodyTooLargeError, CLIENT_GONE, ClientGoneError, readBody } from '../wire/body.ts';
import { exchangeOf, reportErrors } from '../wire/exchange.ts';
import { requestErrors } from '../wire/input-message.ts';
import { parseJson, readParsed, writeGraphJson } from '../wire/json.ts';
import { codeOf, UNAVAILABLE, wireError } from '../wire/wire-error.ts';
import { bindToInput, bindToLiteral } from './input-error.ts';

const clientError = (message: string, extensions: Record<string, unknown>, status = 400) =>
  new GraphQLError(message, { extensions: { ...extensions, http: { status } } });

const invalidJson = () => clientError('The request holds invalid JSON.', { code: 'bad_request' });

/** Whether an operation has told nothing. */
const isNothing = ({ data }: ExecutionResult) => Object.values(data ?? {}).every((value) => value === null);

/** Runs a parser of JSON; what it refuses is about the request. */
function parsed(parse: () => unknown): GraphQLParams | GraphQLParams[] {
  let params: unknown;
  try {
    params = parse();
  } catch (error) {
    if (error instanceof BillingError) {
      const { code, details: errorDetails, message } = error;
      throw clientError(message, { code, errorDetails, errors: requestErrors(error) });
    }
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidJson();
  }
  if (typeof params !== 'object' || params === null) {
    throw clientError('POST body is expected to be an object.', { code: 'bad_request' });
  }
  return params as GraphQLParams;
}

async function refusingSyntax<T>(parse: () => T | Promise<T>): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    throw error instanceof SyntaxError ? invalidJson() : error;
  }
}

/** Variables that are sent in the address. */
const variablesOf = (text: string) => within(['variables'], () => parseJson(text));

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

async function textOf(request: Request, limit: number): Promise<string> {
  try {
    return await readBody(request, limit);
  } catch (error) {
    if (error instanceof BillingError) throw invalidJson();
    if (error instanceof ClientGoneError) throw clientError(error.message, { code: 'client_gone' }, CLIENT_GONE);
    if (!(error instanceof BodyTooLargeError)) throw error;
    throw clientError('Request body too large', { code: 'REQUEST_ENTITY_TOO_LARGE' }, 413);
  }
}

/** The request with its body read up to the limit, for parsers that read it themselves. */
async function limited(request: Request, limit: number): Promise<Request> {
  if (!request.body) return request;
  const { method, headers } = request;
  return new Request(request.url, { method, headers, body: await textOf(request, limit) });
}

export interface GraphQLOptions {
  readonly logger: Logger;
  readonly isUnavailable: (cause: unknown) => boolean;
  readonly bodyLimit: number;
}

/** GraphQL over HTTP with exact numbers: variables keep every digit on the way in, bigints are strings on the way out. */
export function exactGraphQL({ logger, isUnavailable, bodyLimit }: GraphQLOptions): Plugin {
  // Only of what failed, and only until it is told: what hangs on a request outlives the collections of young objects.
  const failed = new WeakMap<Request, (error: GraphQLError) => GraphQLError>();
  return {
    onExecute({ args }) {
      const { request } = args.contextValue as { request?: Request };
      return {
        onExecuteDone({ result }) {
          if (request && 'errors' in result && result.errors) failed.set(request, (error) => bindToInput(error, args));
        },
      };
    },
    onRequestParse({ request, requestParser, setRequestParser }) {
      if (isJson(request)) {
        setRequestParser(async (readable) => {
          const text = await textOf(readable, bodyLimit);
          return parsed(() => parseJson(text));
        });
        return undefined;
      }
      if (requestParser) {
        setRequestParser(async (readable) => {
          const read = await limited(readable, bodyLimit);
          return refusingSyntax(() => requestParser(read));
        });
      }
      // Yoga's own parsers have read the variables as JSON: here their texts are checked, and read again where they are in the address.
      return {
        onRequestParseDone({ requestParserResult, setRequestParserResult }) {
          const variables = request.method === 'GET' && new URL(request.url).searchParams.get('variables');
          const read = () => readParsed(requestParserResult) as object;
          setRequestParserResult(
            parsed(() => (variables ? { ...read(), variables: variablesOf(variables) } : read())) as GraphQLParams,
          );
        },
      };
    },
    onValidate({ addValidationRule, params: { schema, documentAST: document } }) {
      addValidationRule(noNul);
      return ({ valid, context: { request } }) => {
        if (!valid) failed.set(request, (error) => bindToLiteral(error, { schema, document }));
      };
    },
    onParams({ request, params }) {
      const exchange = exchangeOf(request);
      if (typeof params.operationName === 'string') exchange.operation = params.operationName.slice(0, 100);
    },
    onResultProcess({ request, result }) {
      const { requestId } = exchangeOf(request);
      const bind = failed.get(request);
      failed.delete(request);
      for (const one of Array.isArray(result) ? result : [result]) {
        if (!('errors' in one || 'data' in one)) continue;
        const errors = one.errors?.map((error) => {
          const shown = wireError(error, isUnavailable);
          return bind ? bind(shown) : shown;
        });
        reportErrors(errors, requestId, logger);
        if (errors && isNothing(one as ExecutionResult))
          setStatus({ errors }, (error) => codeOf(error) === UNAVAILABLE, 503);
        Object.assign(one, { stringify: writeGraphJson }, errors && { errors });
      }
    },
  };
}
