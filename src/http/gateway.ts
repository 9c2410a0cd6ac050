import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, type YogaLogger, type YogaServerInstance } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Caller, Context } from '../graphql/context.ts';
import type { Route } from '../rest/route.ts';
import { compressed } from './compression.ts';
import { documentCaches, validatedOnce } from './graphql/document-cache.ts';
import { exactGraphQL } from './graphql/graphql-plugin.ts';
import { refusingRequests } from './graphql/graphql-request.ts';
import { idempotentGraphQL } from './graphql/idempotent-graphql.ts';
import { liveStreams } from './graphql/live-stream.ts';
import { manners } from './manners.ts';
import { errorPages, unknownAddresses } from './page/error-page.ts';
import type { CallOptions, Execute } from './rest/rest-call.ts';
import { restApi } from './rest/rest-plugin.ts';
import { type Authenticate, guardGraphQL } from './wire/authentication.ts';
import { exchangeOf } from './wire/exchange.ts';
import type { IdempotencyKeys } from './wire/idempotency.ts';
import { type Page, servePages } from './wire/page.ts';
import { wireError } from './wire/wire-error.ts';

export interface GatewayOptions {
  readonly schema: GraphQLSchema;
  readonly routes: readonly Route[];
  /** Addresses that need no key: health, GraphiQL, signed downloads. */
  readonly pages: readonly Page[];
  readonly authenticate: Authenticate;
  readonly contextOf: (caller: Caller, requestId: string, checksTypes: boolean, request: Request) => Context;
  /** Whether an error says that the database cannot be reached. */
  readonly isUnavailable: (cause: unknown) => boolean;
  readonly logger: Logger;
  readonly corsOrigins: readonly string[];
  readonly bodyLimit: number;
  readonly keepRefused?: CallOptions['keepRefused'];
  /** Where the answers of named writes are kept; without it, names are ignored. */
  readonly idempotency?: IdempotencyKeys;
  /** Executes what it can faster than the executor; undefined for the rest. */
  readonly executeFast?: (args: ExecutionArgs) => Promise<ExecutionResult | undefined> | undefined;
  /** Whether nothing stays of what an operation writes. */
  readonly isDryRun?: (args: ExecutionArgs) => boolean;
  /** Plugins that see every request, and answer none. */
  readonly observers?: readonly Plugin[];
  /** Further Yoga plugins, for example limits on queries. They are asked once the pages are, before anything is executed. */
  readonly plugins?: readonly Plugin[];
}

const yogaLogger = (logger: Logger): YogaLogger => ({
  debug: () => undefined,
  info: () => undefined,
  warn: (...args) => logger.warn({ args }, 'yoga'),
  error: () => undefined, // errors are logged once, with the request's id, where the answer is made
});

/** Whatever is not executed by the first is executed by graphql-js: Yoga's own executor answers fields as they become ready. */
const executeFirst = (first: GatewayOptions['executeFast']): Plugin => ({
  onExecute({ setExecuteFn }) {
    setExecuteFn(async (args: ExecutionArgs) => (await first?.(args)) ?? execute(args));
  },
});

type Yoga = YogaServerInstance<Record<string, unknown>, Context>;

/** Documents of the REST API run through the same plugins as those of GraphQL clients. */
const executorOf = (yoga: () => Yoga, schema: GraphQLSchema): Execute => {
  return async (document, variableValues, contextValue) => {
    const { execute } = yoga().getEnveloped({ ...contextValue });
    return execute({ schema, document, variableValues: { ...variableValues }, contextValue });
  };
};

/** GraphQL, REST and the pages beside them on one server without a port: `fetch` answers a request, and a Node server can serve it. */
export function createGateway(options: GatewayOptions) {
  const { schema, logger, isUnavailable, authenticate, contextOf } = options;
  const rest = restApi({ ...options, execute: executorOf(() => yoga, schema) });
  const yoga: Yoga = createYoga<Record<string, unknown>, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    healthCheckEndpoint: '/health/live',
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    extraParamNames: ['documentId'],
    parserAndValidationCache: documentCaches(),
    maxRequestBodySize: false, // where the body is read; Yoga would send it through another stream
    logging: yogaLogger(logger),
    maskedErrors: { maskError: (error) => wireError(error, isUnavailable) },
    context: ({ request }) => {
      const { caller, requestId } = exchangeOf(request);
      if (!caller) throw new Error('a request without a caller was executed');
      return contextOf(caller, requestId, true, request);
    },
    plugins: [
      ...(options.observers ?? []),
      errorPages(),
      manners(options),
      servePages(options.pages),
      ...(options.plugins ?? []),
      rest,
      unknownAddresses(),
      guardGraphQL({ authenticate, isUnavailable, logger }),
      exactGraphQL(options),
      refusingRequests(),
      idempotentGraphQL(options),
      liveStreams(options),
      executeFirst(options.executeFast),
      validatedOnce(),
      compressed(),
    ],
  });
  return yoga;
}
