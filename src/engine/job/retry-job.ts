import { notAllowed, notFound } from '../../billing/errors.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { isUuid } from '../../store/database/uuid.ts';
import type { Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';

/** Has a job that failed for good tried again: it is handed to the queue a moment later. Throws `object_not_found`, and `method_not_allowed` where it has not failed. */
export async function retryJob(db: TenantClient, actor: Actor, id: string): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const job = isUuid(id) ? await tx.job.findUnique({ where: { id }, select: { id: true } }) : null;
    if (!job) throw notFound('job');
    const { count } = await tx.job.updateMany({
      where: { id, status: 'failed' },
      data: { status: 'waiting', finishedAt: null, queuedAt: null },
    });
    if (count === 0) throw notAllowed('job_has_not_failed');
    const told = { action: 'job.retried', objectType: 'job', objectId: id.toLowerCase() };
    const entry = await recordAudit(tx, { actor, ...told, before: { status: 'failed' }, after: { status: 'waiting' } });
    return { id, changed: { auditLogs: [entry] } };
  });
}
