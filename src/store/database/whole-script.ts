import { DriverAdapterError } from '@prisma/driver-adapter-utils';

const UNFINISHED = 'finished_at IS NULL AND rolled_back_at IS NULL';

// With the script in one transaction: a migration is done when it says so, whatever happens to its process.
const FINISH = `;
DO $$ BEGIN
  UPDATE _prisma_migrations SET finished_at = now() WHERE ${UNFINISHED};
  IF NOT FOUND THEN RAISE EXCEPTION 'another process has given this migration up'; END IF;
END $$`;

/** Runs a script of one or more statements as one transaction; the rows of its last statement. */
export type RunScript = (sql: string) => Promise<readonly object[]>;

type Reason = Record<'code' | 'severity' | 'message', string> &
  Record<'detail' | 'column' | 'hint', string | undefined>;

interface Factory {
  connect(): Promise<{ executeScript(script: string): Promise<void> }>;
}

/** The error as the engine understands it; of any other it says nothing but that there was one. */
function told(error: unknown): DriverAdapterError {
  const {
    code = 'XX000',
    severity = 'ERROR',
    message = String(error),
    detail,
    column,
    hint,
  } = error as Partial<Reason>;
  return new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint });
}

async function isMigrating(run: RunScript): Promise<boolean> {
  const [table] = await run("SELECT 1 FROM pg_class WHERE oid = to_regclass('_prisma_migrations')");
  return table !== undefined && (await run(`SELECT 1 FROM _prisma_migrations WHERE ${UNFINISHED}`)).length > 0;
}

/**
 * An adapter whose scripts reach the database whole. Prisma's own cuts them at every semicolon, also inside of functions, and the
 * embedded database's does not wait for them; read whole, a script is one transaction, with which its migration is done.
 */
export function wholeScripts<F extends Factory>(factory: F, run: RunScript): F {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    adapter.executeScript = async (script) => {
      const whole = (await isMigrating(run)) ? `${script}${FINISH}` : script;
      await run(whole).catch((error: unknown) => {
        throw told(error);
      });
    };
    return adapter;
  };
  return factory;
}

/**
 * Gives up migrations that were begun and not done: their process has died, or their SQL failed, and nothing of them was kept.
 * The caller holds the lock of migrations. Without this they would bar every later start.
 */
export async function giveUpUnfinished(run: RunScript): Promise<void> {
  if (await isMigrating(run)) await run(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE ${UNFINISHED}`);
}
