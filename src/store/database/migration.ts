import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const prismaFolder = fileURLToPath(new URL('../../../prisma', import.meta.url));
export const migrationsFolder = join(prismaFolder, 'migrations');

/** A script that leads from one schema to the next, with the name of its folder. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Runs a script of one or more statements as one transaction; the rows of one that is a single statement. */
export type RunScript = (sql: string) => Promise<readonly object[]>;

/** Runs what takes a while, within whatever is said of it. */
export type Step = <T>(what: string, run: () => Promise<T>) => Promise<T>;

export const quietly: Step = (_what, run) => run();

/** A database that cannot be brought to the newest schema; the message is one line for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** The migrations in order of their names, which begin with the time they were made. */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => ({ name, sql: await readFile(join(folder, name, 'migration.sql'), 'utf8') })),
  );
}

// Prisma's own record, so that its tools know what has been done.
const RECORD = `CREATE TABLE _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;
const TABLES = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ORDER BY relname = '_prisma_migrations' DESC`;
// Rows are written when their migration is done; those without an end were begun by an earlier release, and nothing of them was kept.
const GIVE_UP =
  'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL';
const DONE =
  'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL';

const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

const recordOf = ({ name, sql }: Migration) => `INSERT INTO _prisma_migrations
  (id, checksum, migration_name, finished_at, applied_steps_count)
  VALUES (${text(randomUUID())}, ${text(createHash('sha256').update(sql).digest('hex'))}, ${text(name)}, clock_timestamp(), 1)`;

const namesIn = (rows: readonly object[]) => rows.map((row) => (row as { name: string }).name);

/**
 * Brings the database to the newest schema; returns the names of the migrations made now. Each is one transaction with its
 * record, so that a process that dies leaves all of it or nothing. The caller holds the lock that keeps other processes from
 * doing the same. Throws MigrationError.
 */
export async function migrate(
  run: RunScript,
  migrations?: readonly Migration[],
  step: Step = quietly,
): Promise<string[]> {
  const [first] = namesIn(await run(TABLES));
  if (first === undefined) await run(RECORD);
  else if (first !== '_prisma_migrations') {
    throw new MigrationError(
      `the database has tables that are not the gateway's, such as ${first}: it needs one of its own`,
    );
  }
  await run(GIVE_UP);
  const done = new Set(namesIn(await run(DONE)));
  const missing = (migrations ?? (await readMigrations())).filter(({ name }) => !done.has(name));
  const apply = async () => {
    for (const migration of missing) {
      await run(`${migration.sql}\n;${recordOf(migration)}`).catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new MigrationError(`migration ${migration.name} cannot be made: ${reason}`, { cause });
      });
    }
  };
  if (missing.length > 0)
    await step(`Bringing the database to the newest schema (migrations: ${missing.length})`, apply);
  return missing.map(({ name }) => name);
}
