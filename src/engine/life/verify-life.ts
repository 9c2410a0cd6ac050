import type { Difference } from '../../billing/timeline/difference.ts';
import type { TimelineState } from '../../billing/timeline/timeline-type.ts';
import { verifyInvoice } from '../../billing/timeline/verify.ts';
import type { Actor } from '../../store/access/audit.ts';
import { loadLife } from '../../store/account/load-account.ts';
import { loadUsedCoupons } from '../../store/account/used-coupon.ts';
import { type TenantClient, type TenantTransaction, transactionOf } from '../../store/database/tenant.ts';
import type { BilledLife } from '../../store/subscription/billed-life.ts';
import { usageReader } from '../../store/usage/read-usage.ts';
import { answerUsage, storedReading, UNASKED_USAGE } from '../../store/usage/stored-usage.ts';

/** A difference, with the number of its invoice; empty where it has none. */
export interface FoundDifference extends Difference {
  readonly number: string;
}

/**
 * Computes stored invoices of a customer again, from what is stored of it and of its usage, and tells every figure that is not what comes out.
 * Nothing is written.
 */
export function verifyLife(db: TenantClient, actor: Actor, life: BilledLife): Promise<FoundDifference[]> {
  const { externalIds, customerId, invoiceIds } = life;
  return transactionOf(
    db,
    async (tx: TenantTransaction) => {
      const stored = await loadLife(tx, life, externalIds, actor.now, invoiceIds);
      if (!stored) return [];
      const coupons = await loadUsedCoupons(tx, customerId);
      const state: TimelineState = {
        ...{ ...stored, coupons, plans: [], events: [], changes: [], usage: UNASKED_USAGE },
        ranks: { forCustomer: 0, forEntity: 0 },
      };
      const known = state.invoices.filter(({ id }) => invoiceIds.includes(id));
      const found: FoundDifference[] = [];
      await answerUsage(storedReading(usageReader(db, tx, externalIds), actor.organizationId), externalIds, (usage) => {
        found.length = 0;
        for (const { id, number } of known) {
          found.push(...verifyInvoice({ ...state, usage }, id).map((one) => ({ ...one, number })));
        }
      });
      return found;
    },
    { reads: true },
  );
}
