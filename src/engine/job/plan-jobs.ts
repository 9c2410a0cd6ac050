import type { SystemActor } from '../../store/access/audit.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import { notLeftToJob } from '../../store/customer/left-to-job.ts';
import { dueVatNumbers } from '../../store/customer/vat-due.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { staleCustomers } from '../../store/invoice/stale-draft.ts';
import { takeDueCustomers } from '../../store/job/due-customer.ts';
import { addJobs, isAwaited } from '../../store/job/job.ts';
import type { Trouble } from '../life/trouble.ts';
import { inTransaction } from '../transaction.ts';

/** Customers of one job unless said otherwise: enough for the queue to cost little, few enough for several processes to share a run. */
const CUSTOMERS_OF_JOB = 100;
const MOST_TAKEN = 5000;
const DAY_MS = 86_400_000;

/** Lists of some identifiers each. */
export const parted = (ids: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, part) => ids.slice(part * size, (part + 1) * size));

/**
 * Makes jobs of all customers of an organization of whom something is due: each is taken, in the transaction that makes its job, for longer than a
 * job is tried. Says how many there were.
 */
export async function planBilling(db: TenantClient, actor: SystemActor, size = CUSTOMERS_OF_JOB): Promise<number> {
  const until = new Date(actor.now.getTime() + DAY_MS);
  let planned = 0;
  for (let taken = MOST_TAKEN; taken === MOST_TAKEN; planned += taken) {
    taken = await inTransaction(db, actor, async (tx) => {
      const ids = await takeDueCustomers(tx, actor, until, MOST_TAKEN);
      await addJobs(tx, actor, 'billing', parted(ids, size));
      return ids.length;
    });
  }
  return planned;
}

/** Makes jobs of the customers whose VAT numbers wait for an answer that it is time to ask for, unless there are jobs that ask. */
export async function planVatChecks(db: TenantClient, actor: SystemActor): Promise<number> {
  return inTransaction(db, actor, async (tx) => {
    if (await isAwaited(tx, 'vat_check')) return 0;
    const ids = await dueVatNumbers(tx, actor.now, MOST_TAKEN);
    await addJobs(tx, actor, 'vat_check', parted(ids, CUSTOMERS_OF_JOB));
    return ids.length;
  });
}

/**
 * Makes a job of each customer whose usage could not be billed, unless there is one: what it fails of is its reason, and it can be tried again by
 * itself. Two who looked at the same time, in any process, make one.
 */
export async function planUsage(db: TenantClient, actor: SystemActor, troubles: readonly Trouble[]): Promise<void> {
  const ids = [...new Set(troubles.map(({ customerId }) => customerId))];
  if (ids.length === 0) return;
  await inTransaction(db, actor, async (tx) => {
    await lockCustomers(tx, actor, ids);
    await addJobs(tx, actor, 'usage', parted(await notLeftToJob(tx, actor, 'usage', ids), 1));
  });
}

/** Makes jobs of the customers with drafts that are to be computed anew, unless there are jobs that do. Says how many there were. */
export async function planDraftRefresh(db: TenantClient, actor: SystemActor): Promise<number> {
  return inTransaction(db, actor, async (tx) => {
    if (await isAwaited(tx, 'draft_refresh')) return 0;
    const ids = await staleCustomers(tx, actor, MOST_TAKEN);
    await addJobs(tx, actor, 'draft_refresh', parted(ids, CUSTOMERS_OF_JOB));
    return ids.length;
  });
}
