import type { PGlite } from '@electric-sql/pglite';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { PrismaClient } from '../generated/prisma/client.ts';
import { repeated, withRepetition } from './attempt.ts';
import { ConnectionShare, within, withShare } from './connection-share.ts';
import { openEmbedded, scriptsOn } from './embedded/embedded.ts';
import { afterTurn, withTurns } from './embedded/fair-turn.ts';
import { withExactJson } from './exact-json.ts';
import { type StatementListener, tellingFailures } from './failed-statement.ts';
import { migrate, type Step } from './migration.ts';
import { type Listener, listenOnServer, type Stop } from './notification.ts';
import { type ExecuteSql, executeOn, executeOnPool } from './script.ts';
import { observed, type Send, sendPast } from './sender.ts';
import { noteEmbedded } from './server-kind.ts';
import { rememberingNames } from './statement-name.ts';
import { isWriteRefused } from './unavailable.ts';

/** An open database. `prisma` sees every organization: only keys, import and operation may use it; requests use `forOrganization`. */
export interface Database {
  readonly prisma: PrismaClient;
  readonly kind: 'embedded' | 'server';
  /** Called with every SQL statement, also with those that fail; for tests and for the slow-query log. */
  onStatement(listener: StatementListener): void;
  /** Runs SQL that a library has written, past Prisma and in no organization's share: a statement with values, or a script without. */
  readonly executeSql: ExecuteSql;
  /** Receives what is told on a channel of the server, by any process. */
  listen(channel: string, listener: Listener): Promise<Stop>;
  /** Milliseconds since the database last refused to write, as a full disk makes it; undefined where it never did. */
  sinceWriteRefused(): number | undefined;
  /** The pool's connections at the moment; undefined for the embedded server, which has one. */
  connections(): { readonly total: number; readonly idle: number; readonly waiting: number } | undefined;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** A PostgreSQL address, or undefined for the embedded server. */
  readonly url?: string | undefined;
  readonly dataDir?: string;
  /** Connections of the pool. The embedded server has one, whatever is asked for. */
  readonly poolSize?: number;
  /** Milliseconds after which the server cancels a statement; none by default. */
  readonly statementTimeout?: number | undefined;
  /** Milliseconds that a statement waits for a lock of a row or a table; as long as it may run by default. */
  readonly lockTimeout?: number | undefined;
  /** Connections of the pool that one organization holds at most; by default two thirds. */
  readonly tenantConnections?: number | undefined;
  /** Is told of what takes a while, and runs it. */
  readonly step?: Step | undefined;
  /** An embedded server that is already open, for tests. */
  readonly embedded?: PGlite;
}

/** The address given does not lead to a usable PostgreSQL; the message is one line for the operator. */
export class DatabaseUrlError extends Error {
  override readonly name = 'DatabaseUrlError';
}

// 'bill' in ASCII: any constant that no other program on the same server is likely to lock.
const MIGRATION_LOCK = 0x62696c6c;

// Prisma takes every moment that PostgreSQL writes for UTC and in ISO 8601, whatever zone and style a database has.
// Compiling a statement takes longer than any of the gateway's.
const onConnect = async (client: pg.ClientBase) =>
  void (await client.query("SET TIME ZONE 'UTC'; SET datestyle = 'ISO, MDY'; SET jit = off"));

async function migrateServer(url: string, step?: Step): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    if (Number(rows[0]?.server_version_num) < 150_000) throw new Error('PostgreSQL 15 or newer is needed');
  } catch (error) {
    await client.end().catch(() => undefined);
    const reason = error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error);
    throw new DatabaseUrlError(`DATABASE_URL does not lead to a usable PostgreSQL: ${reason}`);
  }
  try {
    // By the connection that makes them: a script that outlives its process keeps the lock until it has ended.
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(async (sql) => (await client.query<object>(sql)).rows ?? [], undefined, step);
  } finally {
    await client.end();
  }
}

function checkUrl(url: string): void {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') {
    throw new DatabaseUrlError('DATABASE_URL must begin with postgresql:// or postgres://');
  }
}

// How long a statement waits for a connection: of the pool, or of its organization's share.
const PATIENCE = 10_000;

const limitsOf = ({ poolSize = 10, statementTimeout, lockTimeout }: DatabaseOptions) => ({
  ...{ max: poolSize, connectionTimeoutMillis: PATIENCE },
  ...{ statement_timeout: statementTimeout, lock_timeout: lockTimeout },
});

const shareOf = ({ poolSize = 10, tenantConnections }: DatabaseOptions) =>
  new ConnectionShare({ most: tenantConnections ?? Math.max(Math.floor((poolSize * 2) / 3), 1), patience: PATIENCE });

async function openServer(url: string, options: DatabaseOptions) {
  checkUrl(url);
  const limits = limitsOf(options);
  const share = shareOf(options);
  const pool = new pg.Pool({ connectionString: url, ...limits, onConnect });
  pool.on('error', () => undefined); // a connection that breaks while idle is replaced by the pool
  // One that breaks while a transaction has it tells its queries; without a listener of its own it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const nameOf = rememberingNames();
  const pooled = new PrismaPg(pool, { statementNameGenerator: nameOf, disposeExternalPool: true });
  const adapter = withShare(pooled, share);
  const send: Send = async (text, values, isKept = true) => {
    const query = { name: isKept ? nameOf({ sql: text }) : '', text, values: [...values], rowMode: 'array' as const };
    return (await within(share, text, () => pool.query(query))).rows;
  };
  try {
    await migrateServer(url, options.step);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    adapter,
    send,
    executeSql: executeOnPool(pool),
    listen: (channel: string, listener: Listener) => listenOnServer(url, channel, listener),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => undefined,
  };
}

const listenEmbedded = (server: PGlite) => (channel: string, listener: Listener) =>
  server.listen(channel, (payload) => listener.onMessage(payload)) as Promise<Stop>;

async function openEmbeddedServer(options: DatabaseOptions) {
  const { embedded } = options;
  const { server, close } = embedded
    ? { server: embedded, close: async () => undefined }
    : await openEmbedded(options.dataDir ?? '.data', options.step);
  const adapter = withTurns(new PrismaPGlite(server));
  if (!embedded) await migrate(scriptsOn(server), undefined, options.step);
  const sendNow: Send = async (sql, args) => (await server.query<unknown[]>(sql, [...args], { rowMode: 'array' })).rows;
  const executeSql = executeOn(server);
  return {
    adapter,
    send: afterTurn(sendNow),
    executeSql,
    listen: listenEmbedded(server),
    connections: () => undefined,
    close,
  };
}

// Plans of Prisma's own, a thousand by default: clients choose how large each is, and how many there are.
const MOST_PLANS = 200;

/** Opens the database, migrated to the newest schema. Throws DatabaseUrlError or DataDirectoryError with one clear line. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { adapter, send, executeSql, listen, connections, close } = options.url
    ? await openServer(options.url, options)
    : await openEmbeddedServer(options);
  let refusedAt: number | undefined;
  const told = (error: unknown) => {
    if (isWriteRefused(error)) refusedAt = performance.now();
  };
  const listeners: StatementListener[] = [];
  const prisma = new PrismaClient({
    // Told of within the repetition: each time that a statement was sent.
    adapter: withExactJson(withRepetition(tellingFailures(adapter, listeners), told)),
    log: [{ emit: 'event', level: 'query' }],
    queryPlanCacheMaxSize: MOST_PLANS,
    transactionOptions: { maxWait: 10_000, timeout: 30_000 },
  });
  if (!options.url) noteEmbedded(prisma);
  const sendOnce = observed(send, listeners);
  sendPast(prisma, (sql, args, isKept) => repeated(() => sendOnce(sql, args, isKept)));
  return {
    prisma,
    kind: options.url ? 'server' : 'embedded',
    onStatement: (listener) => {
      listeners.push(listener);
      prisma.$on('query', (event) => listener({ sql: event.query, milliseconds: event.duration }));
    },
    sinceWriteRefused: () => (refusedAt === undefined ? undefined : performance.now() - refusedAt),
    executeSql,
    listen,
    connections,
    close: async () => {
      await prisma.$disconnect();
      await close();
    },
  };
}
