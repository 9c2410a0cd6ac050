import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationDirectory, MigrationList } from '@prisma/schema-engine-wasm';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { applyMigrations, diffToSchema } from './schema-engine.ts';

const prismaFolder = fileURLToPath(new URL('../../../prisma', import.meta.url));
const migrationsFolder = join(prismaFolder, 'migrations');

/** The migration folders in order of their names, which begin with the time they were made. */
export async function readMigrations(folder = migrationsFolder): Promise<MigrationList> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrationDirectories: MigrationDirectory[] = await Promise.all(
    names.sort().map(async (path) => ({
      path,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(join(folder, path, 'migration.sql'), 'utf8') },
      },
    })),
  );
  const content = await readFile(join(folder, 'migration_lock.toml'), 'utf8').catch(() => null);
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content },
    shadowDbInitScript: '',
    migrationDirectories,
  };
}

/** Brings the database up to date. The caller holds the lock that keeps other processes from doing the same. */
export async function migrate(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<string[]> {
  return applyMigrations(adapter, await readMigrations());
}

/** SQL that the schema needs beyond the migrations, computed on a database in memory; null when there is none. */
export async function pendingSql(): Promise<string | null> {
  const schema = await readFile(join(prismaFolder, 'schema.prisma'), 'utf8');
  const shadow = await PGlite.create();
  try {
    return await diffToSchema(new PrismaPGlite(shadow), await readMigrations(), schema);
  } finally {
    await shadow.close();
  }
}

/** Writes the next migration folder and returns its name; null when the schema needs none. */
export async function writeMigration(name: string, now: Date): Promise<string | null> {
  if (!/^[a-z0-9_]+$/.test(name))
    throw new Error('a migration name has lower-case letters, digits and underscores only');
  const sql = await pendingSql();
  if (sql === null) return null;
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = `${stamp}_${name}`;
  await mkdir(join(migrationsFolder, folder), { recursive: true });
  await writeFile(join(migrationsFolder, folder, 'migration.sql'), sql);
  await writeFile(join(migrationsFolder, 'migration_lock.toml'), 'provider = "postgresql"\n');
  return folder;
}
