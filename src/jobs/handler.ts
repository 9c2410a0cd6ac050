import type { VatChecker } from '../engine/customer/vat-check.ts';
import { checkVatNumber } from '../engine/customer/vat-check.ts';
import { runCustomers } from '../engine/subscription/run-due.ts';
import type { SystemActor } from '../store/access/audit.ts';
import type { TenantClient } from '../store/database/tenant.ts';
import type { JobTask } from '../store/job/job.ts';

/** What a job does its work with. */
export interface Work {
  readonly db: TenantClient;
  readonly actor: SystemActor;
  readonly customerIds: readonly string[];
  /** Whether the job is to end soon: the process stops, or it has had its time. What is left is done by another. */
  readonly isOver: () => boolean;
  /** Absent: there is no register of VAT numbers to ask. */
  readonly checkVat?: VatChecker | undefined;
}

const said = (error: unknown) => (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1);

/** Lets happen what is due. Throws an error that names every customer with whom there was trouble; the others are done. */
async function bill({ db, actor, customerIds, isOver }: Work): Promise<void> {
  const troubles = await runCustomers(db, actor, customerIds, isOver);
  if (troubles.length === 0) return;
  throw new Error(troubles.map(({ customerId, error }) => `customer ${customerId}: ${said(error)}`).join('\n'));
}

async function checkVatNumbers({ db, actor, customerIds, isOver, checkVat }: Work): Promise<void> {
  for (const id of customerIds) if (checkVat && !isOver()) await checkVatNumber(db, actor, id, checkVat);
}

/** What each task of job does. Done again, it does what is left. */
export const HANDLERS: Readonly<Record<JobTask, (work: Work) => Promise<void>>> = {
  billing: bill,
  vat_check: checkVatNumbers,
};
