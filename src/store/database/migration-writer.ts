import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { migrationsFolder, prismaFolder, readMigrations } from './migration.ts';
import { diffToSchema } from './schema-engine.ts';

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
