import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { pino } from 'pino';
import { expect, inject } from 'vitest';
import { type App, type AppOptions, createApp } from '../src/app.ts';
import { routes } from '../src/rest/index.ts';
import { createKey, type NewKey } from '../src/store/access/api-key.ts';
import { openClickHouse } from '../src/store/clickhouse/clickhouse-events.ts';
import { type Database, openDatabase } from '../src/store/database/database.ts';
import { keepEventsIn } from '../src/store/usage/kept-events.ts';
import { answerFaults, operationOf as contractOf } from './contract/operations.ts';
import { demoOnce, importDemo } from './demo-template.ts';

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** An empty, migrated database on the server of DATABASE_URL, with the address of it. `drop` removes it. */
export async function createServerDatabase(template = inject('templateDatabase')) {
  // Named after the run, whose end removes what a failing test leaves behind.
  const name = `${inject('templateDatabase')}_${randomBytes(4).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(process.env.DATABASE_URL ?? '');
  url.pathname = name;
  return { url: url.href, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function openServerCopy(template?: string): Promise<Database> {
  const { url, drop } = await createServerDatabase(template);
  const db = await openDatabase({ url, poolSize: 5 });
  const close = async () => {
    await db.close();
    await drop();
  };
  return { ...db, close };
}

const loadEmbedded = async (template: string) =>
  PGlite.create({ loadDataDir: new Blob([new Uint8Array(await readFile(template))]) });

async function openEmbeddedCopy(template = inject('templateFile')): Promise<Database> {
  const embedded = await loadEmbedded(template);
  const db = await openDatabase({ embedded });
  const close = async () => {
    await db.close();
    await embedded.close();
  };
  return { ...db, close };
}

/** Has the events of a database kept in the ClickHouse of EVENTS_URL. */
async function keepingEventsApart(db: Database): Promise<Database> {
  const url = process.env.EVENTS_URL;
  if (!url) return db;
  const store = await openClickHouse(url);
  keepEventsIn(db.prisma, store);
  const close = async () => {
    await store.close();
    await db.close();
  };
  return { ...db, close };
}

/**
 * A database of its own for a test file, migrated and empty: embedded, or on the server of DATABASE_URL; with events in the
 * ClickHouse of EVENTS_URL. Close it.
 */
export const openTestDatabase = async (): Promise<Database> =>
  keepingEventsApart(await (process.env.DATABASE_URL ? openServerCopy() : openEmbeddedCopy()));

async function makeDemoOnServer(): Promise<string> {
  const { url } = await createServerDatabase();
  const db = await openDatabase({ url });
  await importDemo(db);
  await db.close();
  return new URL(url).pathname.slice(1);
}

async function makeEmbeddedDemo(): Promise<Uint8Array> {
  const embedded = await loadEmbedded(inject('templateFile'));
  const db = await openDatabase({ embedded });
  await importDemo(db);
  await embedded.query('CHECKPOINT');
  const dump = await embedded.dumpDataDir('none');
  await db.close();
  await embedded.close();
  return new Uint8Array(await dump.arrayBuffer());
}

async function openDemoCopy(): Promise<Database> {
  if (!process.env.DATABASE_URL) return openEmbeddedCopy(await demoOnce(makeEmbeddedDemo));
  return openServerCopy(await readFile(await demoOnce(makeDemoOnServer), 'utf8'));
}

async function openImportedDemo(): Promise<Database> {
  const db = await openTestDatabase();
  await importDemo(db);
  return db;
}

/** A database of its own with the demo in it, and the identifiers of the demo's organizations. */
export async function openDemoDatabase() {
  // Events that are kept apart are imported for each.
  const db = await (process.env.EVENTS_URL ? openImportedDemo() : openDemoCopy());
  const rows = await db.prisma.organization.findMany({ orderBy: { name: 'desc' } });
  return { db, organizations: rows.map(({ id }) => id) };
}

const statements = new WeakMap<Database, string[]>();

/** The SQL statements that `run` causes, without transactions' brackets and the bookkeeping of keys. */
export async function statementsOf(db: Database, run: () => Promise<unknown>): Promise<string[]> {
  const seen = statements.get(db) ?? [];
  if (!statements.has(db)) db.onStatement(({ sql }) => seen.push(sql));
  statements.set(db, seen);
  seen.length = 0;
  await run();
  await new Promise((resolve) => setTimeout(resolve, 5)); // the client tells of its statements a little later
  return seen.filter((sql) => !/^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)|"api_keys"/i.test(sql));
}

/** How many SQL statements `run` causes. */
export const countStatements = async (db: Database, run: () => Promise<unknown>): Promise<number> =>
  (await statementsOf(db, run)).length;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any;
}

export interface Sending {
  /** Another key; null for none. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  /** The body as text, sent as it is. */
  readonly raw?: string;
}

export interface GraphQLAnswer extends Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly data: any;
  readonly errors:
    | { message: string; path?: unknown[]; locations?: unknown[]; extensions?: Record<string, unknown> }[]
    | undefined;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

function operationOf(method: string, path: string): string | undefined {
  const [plain = ''] = path.split('?');
  const matches = (pattern: string) => new RegExp(`^${pattern.replace(/\{[^}]*\}/g, '[^/]+')}$`).test(plain);
  const weight = (pattern: string) => pattern.split('{').length;
  const found = routes.filter((route) => route.method === method && matches(route.path));
  return found.sort((one, other) => weight(one.path) - weight(other.path))[0]?.operation;
}

/** Every answer of an operation is held against the contract; other statuses against the shape of an error. */
function expectContract(operation: string | undefined, { status, body, headers, text }: Answer): void {
  const known = operation === undefined ? undefined : contractOf(operation);
  if (known && operation && (known.success.includes(status) || String(status) in known.errors)) {
    expect(answerFaults(operation, status, body), `${operation} ${status}`).toEqual([]);
  } else {
    expect(body, `${operation} ${status}`).toMatchObject({ status, error: expect.any(String) });
  }
  if (text !== '') expect(headers.get('content-type')).toMatch(/^application\/json/);
}

const authorization = (key: string | null): Record<string, string> =>
  key === null ? {} : { Authorization: `Bearer ${key}` };

function restClient(app: App, defaultKey: string) {
  return async (method: string, path: string, body?: unknown, sending: Sending = {}): Promise<Answer> => {
    const text = sending.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const contentType: Record<string, string> = text === undefined ? {} : { 'Content-Type': 'application/json' };
    const key = sending.key === undefined ? defaultKey : sending.key;
    const headers = { ...contentType, ...authorization(key), ...sending.headers };
    const request = new Request(`http://gateway.test/api/v1${path}`, { method, headers, body: text });
    const answer = await answerOf(await app.fetch(request));
    if (method !== 'HEAD' && method !== 'OPTIONS') expectContract(operationOf(method, path), answer);
    return answer;
  };
}

function graphqlClient(app: App, defaultKey: string) {
  return async (query: string, variables?: object, key: string | null = defaultKey): Promise<GraphQLAnswer> => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json', ...authorization(key) };
    const body = JSON.stringify({ query, variables });
    const answer = await answerOf(
      await app.fetch(new Request('http://gateway.test/graphql', { method: 'POST', headers, body })),
    );
    return { ...answer, data: answer.body?.data, errors: answer.body?.errors };
  };
}

export interface TestApp {
  readonly app: App;
  readonly db: Database;
  readonly organizationId: string;
  /** A secret key of the organization that may do everything. */
  readonly key: string;
  readonly rest: ReturnType<typeof restClient>;
  readonly graphql: ReturnType<typeof graphqlClient>;
  /** Makes another key; of the same organization unless one is named. */
  makeKey(wanted?: Partial<NewKey>): Promise<string>;
  close(): Promise<void>;
}

/** The gateway over a database of its own, with an organization and its key. */
export async function createTestApp(options: Partial<AppOptions> = {}): Promise<TestApp> {
  const db = options.db ?? (await openTestDatabase());
  const { id } = await db.prisma.organization.create({ data: { name: `Quillo ${randomBytes(3).toString('hex')}` } });
  const makeKey = async (wanted: Partial<NewKey> = {}) =>
    (await createKey(db.prisma, { organizationId: id, kind: 'secret', ...wanted })).key;
  const key = await makeKey();
  const app = createApp({
    logger: pino({ level: 'silent' }),
    fastPath: process.env.FAST_PATH !== 'off',
    ...options,
    db,
  });
  const close = async () => {
    await app.close();
    if (!options.db) await db.close();
  };
  const rest = restClient(app, key);
  return { app, db, organizationId: id, key, rest, graphql: graphqlClient(app, key), makeKey, close };
}

/** Numbers that look random and are the same in every run. */
export function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}
export type Roll = ReturnType<typeof dice>;
