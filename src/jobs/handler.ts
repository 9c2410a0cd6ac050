import type { VatChecker } from '../engine/customer/vat-check.ts';
import { checkVatNumber } from '../engine/customer/vat-check.ts';
import { recordDailyUsage } from '../engine/job/daily-usage.ts';
import { verifyChanged } from '../engine/job/verify-changed.ts';
import { refreshDrafts } from '../engine/life/refresh-drafts.ts';
import { reasonOf, type Trouble } from '../engine/life/trouble.ts';
import { billUsage } from '../engine/subscription/bill-events.ts';
import { runCustomers } from '../engine/subscription/run-due.ts';
import type { SystemActor } from '../store/access/audit.ts';
import type { TenantClient } from '../store/database/tenant.ts';
import type { JobTask } from '../store/job/job.ts';

/** What a job does its work with. */
export interface Work {
  readonly db: TenantClient;
  readonly actor: SystemActor;
  readonly customerIds: readonly string[];
  /** When the job was made. */
  readonly createdAt: Date;
  /** Whether the job is to end soon: the process stops, or it has had its time. What is left is done by another. */
  readonly isOver: () => boolean;
  /** Absent: there is no register of VAT numbers to ask. */
  readonly checkVat?: VatChecker | undefined;
}

/** Why a job fails for good at once. */
export class FinalFailure extends Error {
  override readonly name = 'FinalFailure';
}

/** Throws an error that names every customer with whom there was trouble; the others are done. */
function tell(troubles: readonly Trouble[]): void {
  if (troubles.length === 0) return;
  throw new Error(troubles.map(({ customerId, error }) => `customer ${customerId}: ${reasonOf(error)}`).join('\n'));
}

/** Lets happen what is due. */
async function bill({ db, actor, customerIds, isOver }: Work): Promise<void> {
  tell(await runCustomers(db, actor, customerIds, isOver));
}

/** Bills what usage asks for. What is left once it is over, the next look at usage takes up. */
async function billUsed({ db, actor, customerIds, isOver }: Work): Promise<void> {
  tell((await billUsage(db, actor, { customerIds, thresholds: true }, isOver)).troubles);
}

/** Computes drafts anew. What is left once it is over keeps its mark. */
async function refresh({ db, actor, customerIds, isOver }: Work): Promise<void> {
  const troubles: Trouble[] = [];
  for (const [place, customerId] of customerIds.entries()) {
    if (place > 0 && isOver()) break;
    await refreshDrafts(db, actor, customerId).catch((error: unknown) => troubles.push({ customerId, error }));
  }
  tell(troubles);
}

async function checkVatNumbers({ db, actor, customerIds, isOver, checkVat }: Work): Promise<void> {
  for (const id of customerIds) if (checkVat && !isOver()) await checkVatNumber(db, actor, id, checkVat);
}

/** What is found is there until somebody has looked at it: to try again at once finds the same. */
async function verify({ db, actor, customerIds, createdAt, isOver }: Work): Promise<void> {
  const found = await verifyChanged(db, actor, { customerIds, createdAt }, isOver);
  if (found.length > 0) throw new FinalFailure(found.join('\n'));
}

/** Records what was used. What is left once it is over, the next look at it takes up. */
async function recordUsage({ db, actor, customerIds, isOver }: Work): Promise<void> {
  tell(await recordDailyUsage(db, actor, { customerIds }, isOver));
}

/** What each task of job does. Done again, it does what is left. */
export const HANDLERS: Readonly<Record<JobTask, (work: Work) => Promise<void>>> = {
  billing: bill,
  vat_check: checkVatNumbers,
  usage: billUsed,
  draft_refresh: refresh,
  verify,
  daily_usage: recordUsage,
};
