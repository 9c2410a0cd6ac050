import { forbidden } from '../../../billing/errors.ts';
import type { Actor } from '../../../store/access/audit.ts';
import type { TenantClient } from '../../../store/database/tenant.ts';
import { lifeOf, lockInvoice } from '../../../store/invoice/invoice-lock.ts';
import type { Written } from '../../changed.ts';
import { live } from '../../life/live.ts';
import { inTransaction } from '../../transaction.ts';
import { checkIssued } from '../agreed.ts';

type DraftStep = 'finalize_drafts' | 'refresh_draft';

/** What happens to a draft; what is none stays as it is, whoever was first. */
function happenToDraft(
  db: TenantClient,
  actor: Actor,
  svcId: string,
  step: DraftStep,
  agreedHash?: string | null,
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const invoice = await lockInvoice(tx, actor, svcId);
    const { id, status, taxStatus } = invoice;
    if (status !== 'draft') return { id, changed: {} };
    if (step === 'finalize_drafts' && taxStatus === 'pending') throw forbidden('cannot_finalize_with_pending_taxes');
    const steps = [{ at: actor.now.getTime(), do: step, invoiceId: id }];
    const stage = { db, tx, actor };
    const changed = await live(stage, lifeOf(invoice), { steps });
    if (agreedHash != null) await checkIssued(stage, changed.invoices ?? [], agreedHash);
    return { id, changed };
  });
}

/**
 * Makes a draft final before its day: it is computed again, uses what the customer can pay with, and takes its number. `agreedHash`: names what it is
 * to be. Throws `object_not_found`, `forbidden` while its taxes are waited for, and a validation error where it is something else.
 */
export const finalizeInvoice = (
  db: TenantClient,
  actor: Actor,
  svcId: string,
  agreedHash?: string | null,
): Promise<Written> => happenToDraft(db, actor, svcId, 'finalize_drafts', agreedHash);

/** Computes a draft again with what is known now; it stays a draft. Throws `object_not_found`. */
export const refreshInvoice = (db: TenantClient, actor: Actor, svcId: string): Promise<Written> =>
  happenToDraft(db, actor, svcId, 'refresh_draft');
