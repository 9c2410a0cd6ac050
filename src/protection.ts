import type { GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { type Config, ConfigError } from './config.ts';
import { DEFAULT_FIRST, DEFAULT_PER_PAGE, MOST_FIRST, MOST_PER_PAGE } from './graphql/list/page.ts';
import { PersistedOperationsError, persistedOperations, readPersistedOperations } from './http/graphql/persisted.ts';
import { limitInputLengths } from './http/limit/input.ts';
import { type IntrospectionAccess, limitIntrospection } from './http/limit/introspection.ts';
import { type Limits, limitOperations } from './http/limit/limit.ts';
import { rateLimit, secondsUntil } from './http/limit/rate-limit.ts';
import type { Authenticate } from './http/wire/authentication.ts';
import { RateLimiter } from './store/access/rate-limit.ts';
import type { Database } from './store/database/database.ts';

/** What keeps one client from taking the gateway away from the others. */
export interface ProtectionOptions {
  /** Most depth, aliases, tokens, directives and cost of a GraphQL operation. */
  readonly limits?: Partial<Omit<Limits, 'pageSizes'>>;
  /** Which keys may ask for the schema; secret ones by default. */
  readonly introspection?: IntrospectionAccess;
  /** Points of a key in a minute; without it requests are not counted. */
  readonly rateLimit?: { readonly limit: number; readonly redisUrl?: string | undefined } | undefined;
  /** The file of persisted operations, and whether no others are executed. */
  readonly persisted?: { readonly file: string; readonly only: boolean } | undefined;
}

const PAGE_SIZES = {
  first: DEFAULT_FIRST,
  mostFirst: MOST_FIRST,
  perPage: DEFAULT_PER_PAGE,
  mostPerPage: MOST_PER_PAGE,
};
const LIMITS: Limits = {
  depth: 12,
  aliases: 30,
  tokens: 2000,
  directives: 50,
  cost: 20_000,
  pageSizes: PAGE_SIZES,
};

const POINTS_A_DOCUMENT = 10;

/** What the configuration says. The schema of a demo is for everybody, unless another rule is asked for. */
export function protectionOf(config: Config, isDemo: boolean): ProtectionOptions {
  const { MAX_DEPTH, MAX_ALIASES, MAX_TOKENS, MAX_COST, INTROSPECTION, RATE_LIMIT, REDIS_URL } = config;
  const { PERSISTED_OPERATIONS: file, PERSISTED_ONLY } = config;
  return {
    limits: { depth: MAX_DEPTH, aliases: MAX_ALIASES, tokens: MAX_TOKENS, cost: MAX_COST },
    introspection: INTROSPECTION ?? (isDemo ? 'always' : 'keys'),
    rateLimit: RATE_LIMIT === 'off' ? undefined : { limit: RATE_LIMIT, redisUrl: REDIS_URL },
    persisted: file === undefined ? undefined : { file, only: PERSISTED_ONLY === 'true' },
  };
}

export interface Protected {
  readonly db: Database;
  readonly schema: GraphQLSchema;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
}

function limiterOf({ rateLimit: wanted }: ProtectionOptions, { db, logger }: Protected): RateLimiter | undefined {
  if (!wanted) return undefined;
  const prisma = db.kind === 'server' ? db.prisma : undefined;
  const onDown = (err: unknown) => logger.warn({ err }, 'requests are counted by this process alone for now');
  return new RateLimiter({ ...wanted, prisma, onDown });
}

function persistedOf({ persisted }: ProtectionOptions, { schema }: Protected): Plugin[] {
  if (!persisted) return [];
  const { file, only } = persisted;
  try {
    return [persistedOperations({ operations: readPersistedOperations(file, schema), only })];
  } catch (error) {
    throw error instanceof PersistedOperationsError ? new ConfigError(error.message) : error;
  }
}

/** Plugins of the gateway, in their order: who may ask, for what, and how much of it. Throws a ConfigError when the persisted operations cannot be used. */
export function protect(options: ProtectionOptions, parts: Protected) {
  const persisted = persistedOf(options, parts);
  const limiter = limiterOf(options, parts);
  const { introspection = 'keys' } = options;
  const limits = limitOperations({ ...LIMITS, ...options.limits });
  const plugins: Plugin[] = [limitIntrospection(introspection), limits, limitInputLengths()];
  if (limiter) {
    const { authenticate } = parts;
    plugins.push(rateLimit({ authenticate, spend: (key, points) => limiter.spend(key, points) }));
  }
  // A document takes a process of its own for a tenth of a second: as much as ten requests.
  const spendDocument = async (organizationId: string) => {
    const standing = await limiter?.spend(`${organizationId}:files`, POINTS_A_DOCUMENT);
    return standing && !standing.isAllowed ? secondsUntil(standing) : undefined;
  };
  return { plugins: [...plugins, ...persisted], introspection, spendDocument, close: async () => limiter?.close() };
}
