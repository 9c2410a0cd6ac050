import type { TimelineState } from '../../billing/timeline/timeline-type.ts';
import type { Actor } from '../../store/access/audit.ts';
import { loadBilledEvents } from '../../store/account/billed-event.ts';
import { loadLife } from '../../store/account/load-lives.ts';
import { loadFinalNotes } from '../../store/account/made-note.ts';
import { loadUsedCoupons } from '../../store/account/used-coupon.ts';
import { type TenantClient, type TenantTransaction, transactionOf } from '../../store/database/tenant.ts';
import type { BilledLife } from '../../store/subscription/billed-life.ts';
import { usageReader } from '../../store/usage/read-usage.ts';
import { askStored, NO_USAGE, storedReading, UNASKED_USAGE } from '../../store/usage/stored-usage.ts';

/** A customer's life as it is stored, without the usage that rules ask about. */
async function storedState(tx: TenantTransaction, { now }: Actor, life: BilledLife): Promise<TimelineState | null> {
  const { externalIds, customerId, invoiceIds } = life;
  const stored = await loadLife(tx, { ...life, named: invoiceIds }, now);
  if (!stored) return null;
  const coupons = await loadUsedCoupons(tx, customerId);
  const named = new Set(invoiceIds);
  const fees = [
    ...stored.invoices.filter(({ id }) => named.has(id)).flatMap((invoice) => invoice.fees),
    ...stored.fees.map(({ fee }) => fee),
  ];
  const events = await loadBilledEvents(
    tx,
    externalIds,
    fees.flatMap(({ eventTransactionId }) => eventTransactionId ?? []),
  );
  return {
    ...{
      ...stored,
      coupons,
      events,
      madeNotes: await loadFinalNotes(tx, invoiceIds),
      plans: [],
      changes: [],
      usage: UNASKED_USAGE,
    },
    ranks: { forCustomer: 0, forEntity: 0 },
  };
}

/**
 * Computes something of a customer's life as it is stored, usage included, and writes nothing. `compute` is asked more than once, with more usage
 * each time, and must change nothing. Undefined without the customer.
 */
export function readLife<T>(
  db: TenantClient,
  actor: Actor,
  life: BilledLife,
  compute: (state: TimelineState) => T,
): Promise<T | undefined> {
  const { externalIds } = life;
  return transactionOf(
    db,
    async (tx) => {
      const state = await storedState(tx, actor, life);
      if (!state) return undefined;
      const reading = storedReading(usageReader(db, tx, externalIds), actor.organizationId);
      const known = { ...NO_USAGE, externalSubscriptionIds: externalIds };
      return askStored(reading, known, (usage) => compute({ ...state, usage }));
    },
    { reads: true },
  );
}
