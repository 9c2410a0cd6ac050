import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { Migration } from './migration.ts';

// Prisma's command line downloads a native schema engine; this is the same engine as WebAssembly, speaking through the
// driver adapter, so that nothing is downloaded. The package's own entry would print an ExperimentalWarning.
type Glue = { __wbg_set_wasm(exports: object): void; SchemaEngine: typeof SchemaEngine };

// Node has WebAssembly; its type declarations leave it to the browser's library, which the rest of the code must not see.
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<{ exports: Record<string, unknown> }>;
};

// Tables by month and by hash, and what is kept of them, are nothing that a schema of Prisma can say: their migrations are written by hand.
const BY_HAND = ['events', 'event_keys', 'kept_usage', 'usage_hours', 'usage_values'];
const FILTERS = { externalTables: BY_HAND.map((table) => `public.${table}`), externalEnums: [] };
let loading: Promise<Glue> | undefined;

// The engine bounds what it waits for by timers that it never clears: they would keep a process for ten seconds that has ended.
const withoutWaiting = (imports: object) =>
  Object.fromEntries(
    Object.entries(imports).map(([name, value]) =>
      name.startsWith('__wbg_setTimeout_')
        ? [name, (run: () => void, milliseconds: number) => setTimeout(run, milliseconds >>> 0).unref()]
        : [name, value],
    ),
  );

async function loadGlue(): Promise<Glue> {
  const path = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm')
    .replace(/schema_engine\.js$/, 'schema_engine_bg.wasm');
  const module = await WebAssembly.compile(await readFile(path));
  const instance = await WebAssembly.instantiate(module, { './schema_engine_bg.js': withoutWaiting(glue) });
  const loaded = glue as unknown as Glue; // a module without types
  loaded.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return loaded;
}

/** Runs `use` with a schema engine over the given adapter. Engine messages say what is wrong with the database or a migration. */
export async function withSchemaEngine<T>(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  schema: string | undefined,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  loading ??= loadGlue();
  const { SchemaEngine: Engine } = await loading;
  const bound = bindMigrationAwareSqlAdapterFactory(adapter);
  const datamodels = schema === undefined ? undefined : [['schema.prisma', schema] as [string, string]];
  const engine = await Engine.new({ datamodels }, () => undefined, bound);
  try {
    return await use(engine);
  } finally {
    engine.free();
  }
}

/** The SQL that leads from the migrations to the schema; null when they already agree. The shadow is an empty database to try them on. */
export async function diffToSchema(
  shadow: SqlMigrationAwareDriverAdapterFactory,
  migrations: readonly Migration[],
  schema: string,
): Promise<string | null> {
  const made: MigrationList = {
    baseDir: '.',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
  return withSchemaEngine(shadow, schema, async (engine) => {
    const diff = await engine.diff({
      from: migrations.length === 0 ? { tag: 'empty' } : { tag: 'migrations', ...made },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
      script: true,
      exitCode: true,
      filters: FILTERS,
    });
    return diff.exitCode === 2 ? diff.stdout : null;
  });
}
