import type { TerminationCredit } from '../../billing/customer/subscription.ts';
import { invalid } from '../../billing/errors.ts';
import { creditNoteMode } from '../../billing/subscription/subscription-write.ts';
import type { Actor } from '../../store/access/audit.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { lockChangeable } from '../../store/subscription/subscription-lock.ts';
import type { Written } from '../changed.ts';
import { live } from '../life/live.ts';
import { inTransaction } from '../transaction.ts';

/** Which subscription ends, and how; what is absent is what the subscription says, else `credit` and `generate`. */
export interface Termination {
  readonly externalId: string;
  /** `pending`: one that waits for its date, or to follow another, is given up. */
  readonly status?: 'active' | 'pending' | 'incomplete' | null | undefined;
  readonly creditNote?: TerminationCredit | null | undefined;
  readonly invoice?: 'generate' | 'skip' | null | undefined;
}

/** Refuses to end what goes on until the one that is to follow it is paid. */
async function refuseFollowed(tx: TenantTransaction, id: string): Promise<void> {
  const next = await tx.subscription.findFirst({
    where: { previousSubscriptionId: id, status: 'incomplete' },
    select: { id: true },
  });
  if (next) throw invalid({ base: ['next_subscription_incomplete'] });
}

/**
 * Ends a subscription now: what it paid in advance for days to come is given back, its last usage is billed, and one that waits to follow it
 * is given up. Throws `object_not_found`, a validation error while one that is to follow is to be paid, and `method_not_allowed` while what it gives back is of an invoice that waits for its taxes.
 */
export function terminateSubscription(db: TenantClient, actor: Actor, termination: Termination): Promise<Written> {
  const { externalId, status, creditNote, invoice } = termination;
  return inTransaction(db, actor, async (tx) => {
    const row = await lockChangeable(tx, actor, { externalId, status: status ?? 'active' });
    const { id, customerId, customer, plan } = row;
    await refuseFollowed(tx, id);
    const billingEntityId = row.billingEntityId ?? customer.billingEntityId;
    const how = { invoice: invoice ?? undefined, creditNote: creditNoteMode(plan, creditNote) ?? undefined };
    const at = actor.now.getTime();
    const life = { customerId, billingEntityId, externalIds: [externalId] };
    const steps = [{ at, do: 'terminate' as const, subscriptionId: id, ...how, refusesWaiting: true }];
    return { id, changed: await live({ db, tx, actor }, life, { steps }) };
  });
}
