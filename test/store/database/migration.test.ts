import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scriptsOn } from '../../../src/store/database/embedded/embedded.ts';
import { type Migration, MigrationError, migrate, readMigrations } from '../../../src/store/database/migration.ts';
import { withSchemaEngine } from '../../../src/store/database/schema-engine.ts';
import { embeddedTemplate } from '../../template.ts';

let server: PGlite;

beforeAll(async () => {
  server = await PGlite.create({ loadDataDir: new Blob([new Uint8Array(await readFile(await embeddedTemplate()))]) });
}, 120_000);
afterAll(() => server?.close());

const rows = async (sql: string) => (await server.query<Record<string, unknown>>(sql)).rows;
const empty = () => server.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
const records = () =>
  rows(`SELECT migration_name AS name, finished_at IS NOT NULL AS done, rolled_back_at IS NOT NULL AS "givenUp"
    FROM _prisma_migrations ORDER BY migration_name, finished_at NULLS FIRST`);

const FIRST: Migration = { name: '1_first', sql: 'CREATE TABLE one (id integer); -- without a semicolon' };
const SECOND: Migration = {
  name: '2_second',
  sql: "CREATE TABLE two (id integer);\nDO $$ BEGIN PERFORM 'a;b'; END $$",
};
const BROKEN: Migration = { ...SECOND, sql: `${SECOND.sql};\nSELECT 1 / 0` };

it("Prisma's own engine takes what was made for done", async () => {
  const migrations = await readMigrations();
  const applied = await withSchemaEngine(new PrismaPGlite(server), undefined, (engine) =>
    engine.applyMigrations({
      migrationsList: {
        baseDir: '.',
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"' },
        shadowDbInitScript: '',
        migrationDirectories: migrations.map(({ name, sql }) => ({
          path: name,
          migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
        })),
      },
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  expect(applied.appliedMigrationNames).toEqual([]);
  expect(migrations.length).toBeGreaterThan(5);
  const [init] = await rows(
    'SELECT checksum, applied_steps_count AS steps FROM _prisma_migrations ORDER BY started_at LIMIT 1',
  );
  // What Prisma's engine wrote for the same script.
  const checksum = '3c3d3e427d2dc4503bd4ce3483db525ccc04076da78fecbaf866a2557b485b61';
  expect(init).toEqual({ checksum, steps: 1 });
});

it('a migration is made once, whatever its script looks like', async () => {
  await empty();
  expect(await migrate(scriptsOn(server), [FIRST])).toEqual(['1_first']);
  expect(await migrate(scriptsOn(server), [FIRST, SECOND])).toEqual(['2_second']);
  expect(await migrate(scriptsOn(server), [FIRST, SECOND])).toEqual([]);
  expect(await records()).toEqual([
    { name: '1_first', done: true, givenUp: false },
    { name: '2_second', done: true, givenUp: false },
  ]);
});

it('of one that fails nothing is kept; it says which and why, and is made when its cause is gone', async () => {
  await empty();
  const failed = migrate(scriptsOn(server), [FIRST, BROKEN]);
  await expect(failed).rejects.toThrow(new MigrationError('migration 2_second cannot be made: division by zero'));
  expect(await rows("SELECT to_regclass('one') IS NOT NULL AS one, to_regclass('two') IS NOT NULL AS two")).toEqual([
    { one: true, two: false },
  ]);
  expect(await records()).toEqual([{ name: '1_first', done: true, givenUp: false }]);
  expect(await migrate(scriptsOn(server), [FIRST, SECOND])).toEqual(['2_second']);
});

it('what an earlier release began and did not end is made again', async () => {
  await empty();
  await migrate(scriptsOn(server), [FIRST]);
  await server.exec(`INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'y', '2_second')`);
  expect(await migrate(scriptsOn(server), [FIRST, SECOND])).toEqual(['2_second']);
  expect(await records()).toEqual([
    { name: '1_first', done: true, givenUp: false },
    { name: '2_second', done: false, givenUp: true },
    { name: '2_second', done: true, givenUp: false },
  ]);
});

it("a database with somebody else's tables is left alone", async () => {
  await empty();
  await server.exec('CREATE TABLE theirs (id integer)');
  await expect(migrate(scriptsOn(server), [FIRST])).rejects.toThrow(
    "the database has tables that are not the gateway's, such as theirs: it needs one of its own",
  );
  expect(await rows("SELECT to_regclass('one') AS one")).toEqual([{ one: null }]);
});
