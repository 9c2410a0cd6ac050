import type { Logger } from 'pino';
import type { Caller, Context } from './graphql/context.ts';
import { schema } from './graphql/schema.ts';
import { createGateway } from './http/gateway.ts';
import { graphiqlPage } from './http/graphiql.ts';
import { healthPage, readyPage } from './http/health.ts';
import { nodeListener } from './http/listener.ts';
import { routes } from './rest/index.ts';
import { KeyRing, type PublishableAccess } from './store/api-key.ts';
import type { Database } from './store/database.ts';
import { IdempotencyStore } from './store/idempotency.ts';
import { readMigrations } from './store/migration.ts';
import { forOrganization } from './store/tenant.ts';
import { isDatabaseUnavailable } from './store/unavailable.ts';

export interface AppOptions {
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
  /** Operations that GraphiQL opens with. */
  readonly examples?: readonly string[];
}

/** The gateway without a port. */
export type App = ReturnType<typeof createApp>;

const EXAMPLES = [
  '# What can be asked is in the documentation, behind the first icon on the left.\n{\n  __typename\n}\n',
];

/** Throws unless the database answers and has had every migration of this program. */
async function checkReady({ prisma }: Database): Promise<void> {
  const { migrationDirectories } = await readMigrations();
  const rows = await prisma.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const applied = new Set(rows.map(({ name }) => name));
  const missing = migrationDirectories.filter(({ path }) => !applied.has(path));
  if (missing.length > 0) throw new Error(`not migrated: ${missing.map(({ path }) => path).join(', ')}`);
}

/** Joins the layers. `fetch` answers a request; `close` waits for what is still written, and leaves the database open. */
export function createApp(options: AppOptions) {
  const { db, logger } = options;
  const now = options.now ?? (() => new Date());
  const keys = new KeyRing(db.prisma, options.publishableKeyAccess ?? 'strict', now);
  const contextOf = (caller: Caller, requestId: string, checksTypes: boolean): Context => ({
    caller,
    db: forOrganization(db.prisma, caller.organizationId),
    requestId,
    now: now(),
    checksTypes,
  });
  const gateway = createGateway({
    schema,
    routes,
    contextOf,
    logger,
    authenticate: (key) => keys.holderOf(key),
    idempotency: new IdempotencyStore(db.prisma, now),
    isUnavailable: isDatabaseUnavailable,
    pages: [
      healthPage,
      readyPage(() => checkReady(db), logger),
      graphiqlPage({ demoKey: options.demoKey, examples: options.examples ?? EXAMPLES }),
    ],
    corsOrigins: options.corsOrigins ?? [],
    bodyLimit: options.bodyLimit ?? 1024 ** 2,
  });
  return {
    fetch: async (request: Request): Promise<Response> => gateway.fetch(request),
    /** For node:http. */
    listener: nodeListener(gateway),
    close: () => keys.close(),
  };
}
