import type { Database } from './database.ts';
import { readMigrations } from './migration.ts';
import { isWriteRefused } from './unavailable.ts';

// So long a write that was refused is taken to be refused still: on a full disk small writes go through between large ones.
const REFUSAL = 3000;
// Whoever asks needs no key: however often it is asked, a row is written once in so long.
const KEPT = 1000;
const PROBE = 'ready';

/** The database can be read and not written. */
export class WritesRefusedError extends Error {
  override readonly name = 'WritesRefusedError';
}

async function checkMigrations({ prisma }: Database): Promise<void> {
  const rows = await prisma.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const applied = new Set(rows.map(({ name }) => name));
  const missing = (await readMigrations()).filter(({ name }) => !applied.has(name));
  if (missing.length > 0) throw new Error(`not migrated: ${missing.map(({ name }) => name).join(', ')}`);
}

/** Whether no write has been refused of late. */
const isWritten = ({ sinceWriteRefused }: Database) => (sinceWriteRefused() ?? REFUSAL) >= REFUSAL;

/** Writes a row that means nothing, and tells what kept it from being written. */
async function checkWrites(db: Database): Promise<void> {
  try {
    await db.prisma.$executeRaw`
      INSERT INTO rate_limits (key, points, ends_at) VALUES (${PROBE}, 0, now())
      ON CONFLICT (key) DO UPDATE SET ends_at = EXCLUDED.ends_at`;
  } catch (cause) {
    throw isWriteRefused(cause) ? new WritesRefusedError('the database takes no writes', { cause }) : cause;
  }
  if (!isWritten(db)) throw new WritesRefusedError('the database refused a write just now');
}

/**
 * Asks whether the database answers, has had every migration of this program and takes writes. What it answers throws where one
 * of them is not so: WritesRefusedError where only the last is not.
 */
export function readiness(db: Database): () => Promise<void> {
  let writtenUntil = 0;
  let writing: Promise<void> | undefined;
  const write = async () => {
    await checkWrites(db);
    writtenUntil = performance.now() + KEPT;
  };
  return async () => {
    await checkMigrations(db);
    if (writtenUntil > performance.now() && isWritten(db)) return;
    writing ??= write().finally(() => {
      writing = undefined;
    });
    await writing;
  };
}
