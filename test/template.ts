import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../src/store/database/database.ts';
import { scriptsOn } from '../src/store/database/embedded/embedded.ts';
import { migrate, readMigrations } from '../src/store/database/migration.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A dump of a migrated, empty embedded database. */
    templateFile: string;
    /** A migrated, empty database on the server of DATABASE_URL; empty without one. */
    templateDatabase: string;
    /** A folder of the run, which is removed with it. */
    runFolder: string;
  }
}

// Kept from run to run for as long as the migrations are the same: making it takes ten seconds.
export async function embeddedTemplate(): Promise<string> {
  const migrations = JSON.stringify(await readMigrations());
  const folder = fileURLToPath(new URL('../node_modules/.cache/billing-gateway', import.meta.url));
  const file = join(folder, `${createHash('sha256').update(migrations).digest('hex').slice(0, 16)}.tar`);
  if (await stat(file).catch(() => undefined)) return file;
  const server = await PGlite.create();
  await migrate(scriptsOn(server));
  // Each test file opens a copy: without a log to go through and without compression it opens in less than half the time.
  await server.query('CHECKPOINT');
  const dump = await server.dumpDataDir('none');
  await server.close();
  await mkdir(folder, { recursive: true });
  await writeFile(`${file}.${process.pid}`, Buffer.from(await dump.arrayBuffer()));
  await rename(`${file}.${process.pid}`, file);
  return file;
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Drops a template and the copies named after it. */
async function dropFamily(url: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sql = 'SELECT datname FROM pg_database WHERE starts_with(datname, $1)';
  const { rows } = await client.query<{ datname: string }>(sql, [template]);
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  await client.end();
}

async function serverTemplate(url: string): Promise<string> {
  const name = `billing_template_${process.pid}_${randomBytes(4).toString('hex')}`;
  await administer(url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const own = new URL(url);
  own.pathname = name;
  try {
    await (await openDatabase({ url: own.href })).close();
  } catch (error) {
    await administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    throw error;
  }
  return name;
}

/** Once a run: the migrated databases that every test file gets a copy of. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.DATABASE_URL;
  const database = url ? await serverTemplate(url) : '';
  project.provide('templateFile', url ? '' : await embeddedTemplate());
  project.provide('templateDatabase', database);
  const folder = await mkdtemp(join(tmpdir(), 'billing-run-'));
  project.provide('runFolder', folder);
  return async () => {
    await rm(folder, { recursive: true, force: true });
    if (url) await dropFamily(url, database);
  };
}
