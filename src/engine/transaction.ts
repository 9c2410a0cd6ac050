import type { Actor } from '../store/access/audit.ts';
import { recordWritten } from '../store/access/idempotency.ts';
import { repeated } from '../store/database/attempt.ts';
import { type TenantClient, type TenantTransaction, transactionOf } from '../store/database/tenant.ts';

/** Runs a write in a transaction, with which its named request is done; again, as a whole, where others were in its way. */
export function inTransaction<T>(
  db: TenantClient,
  actor: Actor,
  write: (tx: TenantTransaction) => Promise<T>,
): Promise<T> {
  return repeated(() =>
    transactionOf(db, async (tx) => {
      const result = await write(tx);
      await recordWritten(tx, actor);
      return result;
    }),
  );
}
