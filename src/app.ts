import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { type DocumentOptions, documentsOf } from './documents.ts';
import { refuseUnfit } from './engine/usage/refuse-events.ts';
import { CompiledQueries } from './graphql/compiled/compiled.ts';
import { actorOf, type Caller, type Context } from './graphql/context.ts';
import { guideOf } from './graphql/guide.ts';
import { introspect } from './graphql/introspection.ts';
import { Previewer } from './graphql/preview/previewer.ts';
import { schema, schemaText } from './graphql/schema.ts';
import { executeDry, isDryRun } from './graphql/write/dry-run.ts';
import { createGateway } from './http/gateway.ts';
import type { IntrospectionAccess } from './http/limit/introspection.ts';
import { nodeListener } from './http/listener.ts';
import { docsPage } from './http/page/docs-page.ts';
import { type GraphiQLOptions, graphiqlPages } from './http/page/graphiql.ts';
import { healthPage, readyPage } from './http/page/health.ts';
import { textPage } from './http/page/html-page.ts';
import { landingPage } from './http/page/landing-page.ts';
import { schemaPage } from './http/page/schema-page.ts';
import type { Authenticate } from './http/wire/authentication.ts';
import { keepLocal } from './http/wire/local-key.ts';
import { patienceOf } from './http/wire/patience.ts';
import { errorBodies } from './http/wire/rest-error.ts';
import { PREFIX } from './http/wire/target.ts';
import { type ObservabilityOptions, observe } from './observability.ts';
import { type ProtectionOptions, protect } from './protection.ts';
import { routes } from './rest/index.ts';
import { type Example, openApi } from './rest/openapi/openapi.ts';
import { KeyRing, type PublishableAccess } from './store/access/api-key.ts';
import { IdempotencyStore } from './store/access/idempotency.ts';
import type { Database } from './store/database/database.ts';
import { WritesRefusedError } from './store/database/readiness.ts';
import { forOrganization } from './store/database/tenant.ts';
import { isDatabaseUnavailable } from './store/database/unavailable.ts';
import { Changes } from './store/insight/changes.ts';
import { wholeReadiness } from './store/usage/event-intake.ts';
import { isTooBusy } from './thread/pool.ts';

export interface AppOptions extends DocumentOptions, Pick<Context, 'checkVat' | 'mostBillingEntities'> {
  readonly db: Database;
  readonly logger: Logger;
  /** The clock; the only one that requests are answered by. */
  readonly now?: () => Date;
  readonly publishableKeyAccess?: PublishableAccess;
  readonly corsOrigins?: readonly string[];
  /** Most bytes of a request's body. */
  readonly bodyLimit?: number;
  /** A secret key that GraphiQL fills in for its visitors: for demos only. */
  readonly demoKey?: string | undefined;
  /** Keys that are good for clients on this machine only. */
  readonly localKeys?: readonly string[];
  /** Limits of operations and of requests; those of operations have defaults, requests are not counted by default. */
  readonly protection?: ProtectionOptions;
  readonly observability?: ObservabilityOptions;
  /** False: every query is executed by graphql-js and read by Prisma. */
  readonly fastPath?: boolean;
  /** Milliseconds after which nobody waits for an answer; 30 s by default. */
  readonly requestTimeout?: number;
  /** Operations that GraphiQL opens with; further ones have the key of an organization to try things in. */
  readonly examples?: readonly string[];
  readonly trial?: GraphiQLOptions['trial'];
}

/** The gateway without a port. */
export type App = ReturnType<typeof createApp>;

const isUnavailable = (cause: unknown) => isDatabaseUnavailable(cause) || isTooBusy(cause);
// What the demo answered; `npm run openapi:examples` asks it again.
const EXAMPLES = new URL('./rest/openapi/examples.json', import.meta.url);

/** What describes the gateway to people and tools. */
function descriptionsOf(
  { publicUrl = '', demoKey }: AppOptions,
  access: IntrospectionAccess,
  authenticate: Authenticate,
) {
  const server = `${publicUrl}${PREFIX}`;
  const read = () => JSON.parse(readFileSync(EXAMPLES, 'utf8')) as Record<string, Example>;
  const describe = () => openApi({ schema, routes, server, errors: errorBodies, examples: read() });
  const guide = guideOf(schema);
  return [
    landingPage({ schema: access, demo: demoKey === undefined ? undefined : { key: demoKey, query: guide.query } }),
    schemaPage({ access, authenticate, isUnavailable: isDatabaseUnavailable, text: schemaText }),
    docsPage({ describe, guide, demoKey, showsSchema: access !== 'never' }),
    textPage('/openapi.json', 'application/json', () => JSON.stringify(describe())),
  ];
}

/** Joins the layers. `fetch` answers a request; `close` waits for what is still written, and leaves the database open. */
export function createApp(options: AppOptions) {
  const { db, logger } = options;
  const now = options.now ?? (() => new Date());
  const keys = new KeyRing(db.prisma, options.publishableKeyAccess ?? 'strict', now);
  const changes = new Changes(db);
  const previewer = new Previewer();
  const patience = options.requestTimeout ?? 30_000;
  const contextOf = (caller: Caller, requestId: string, checksTypes: boolean, request: Request): Context => ({
    caller,
    db: forOrganization(db.prisma, caller.organizationId),
    requestId,
    mostBillingEntities: options.mostBillingEntities,
    checkVat: options.checkVat,
    now: caller.clock ?? now(),
    checksTypes,
    changes,
    signal: () => patienceOf(request, patience),
    preview: (task) => previewer.preview(task, caller.organizationId, () => patienceOf(request, patience)),
    fileUrl: (kind, id) =>
      documents.addresses.addressOf({ organizationId: caller.organizationId, kind, id }, new URL(request.url).origin),
  });
  const authenticate = (key: string) => keys.holderOf(key);
  const protection = protect(options.protection ?? {}, { db, schema, authenticate, logger });
  const documents = documentsOf({ ...options, isUnavailable }, now, protection.spendDocument);
  const observing = observe(options.observability ?? {}, { db, logger, streams: () => changes.size, now });
  const compiled = new CompiledQueries();
  const gateway = createGateway({
    executeFast: async (args) =>
      introspect(args) ?? executeDry(args) ?? (options.fastPath === false ? undefined : compiled.execute(args)),
    isDryRun,
    observers: observing.plugins,
    plugins: protection.plugins,
    schema,
    routes,
    contextOf,
    keepRefused: (context, variables, details) => refuseUnfit(context.db, actorOf(context), variables, details),
    logger,
    authenticate,
    idempotency: new IdempotencyStore(db.prisma, now),
    isUnavailable,
    pages: [
      ...observing.pages,
      healthPage,
      readyPage({ ready: wholeReadiness(db), isReadOnly: (cause) => cause instanceof WritesRefusedError, logger }),
      documents.page,
      ...descriptionsOf(options, protection.introspection, authenticate),
      ...graphiqlPages({ demoKey: options.demoKey, examples: options.examples ?? [], trial: options.trial }),
    ],
    corsOrigins: options.corsOrigins ?? [],
    bodyLimit: options.bodyLimit ?? 1024 ** 2,
  });
  return {
    fetch: async (request: Request): Promise<Response> =>
      observing.around(request.method, Object.fromEntries(request.headers), () => gateway.fetch(request)),
    /** For node:http. */
    listener: nodeListener(gateway, observing.around, keepLocal(options.localKeys ?? [], logger)),
    /** Ends the live streams, which would otherwise never end. */
    endStreams: () => changes.end(),
    close: async () => {
      for (const part of [changes, documents, previewer, protection, keys]) await part.close();
    },
  };
}
