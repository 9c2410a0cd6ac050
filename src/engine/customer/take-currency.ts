import { keptHints } from '../../billing/catalogue/ignored.ts';
import { type BillingError, invalid } from '../../billing/errors.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { isBilled } from '../../store/customer/customer-lock.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import type { Changed } from '../changed.ts';

/** What becomes of the currency of a customer to whom something in a currency is given. */
interface Taking {
  readonly refusal: BillingError | undefined;
  /** Gives the currency to a customer who had none; says what that changed. */
  save(): Promise<Changed>;
}

const NOTHING: Taking = { refusal: undefined, save: async () => ({}) };

/**
 * Whether a customer, whose row is locked, can have something in a currency: in its own, or in any where it has none and nothing was
 * billed yet. The one place that decides so. Source: engine-catalogue 4.2.
 */
export async function takingCurrency(
  tx: TenantTransaction,
  actor: Actor,
  customerId: string,
  currency: string | null,
): Promise<Taking> {
  const where = { id: customerId };
  const before = await tx.customer.findUniqueOrThrow({ where, select: { currency: true } });
  if (currency === null || before.currency === currency) return NOTHING;
  if (before.currency !== null || (await isBilled(tx, actor, customerId))) {
    const refusal = invalid({ currency: ['currencies_does_not_match'] }, keptHints({ currency: [] }, before));
    return { ...NOTHING, refusal };
  }
  return {
    refusal: undefined,
    save: async () => {
      await tx.customer.update({ where, data: { currency, updatedAt: actor.now }, select: { id: true } });
      const entry = await recordAudit(tx, {
        ...{ actor, action: 'customer.updated', objectType: 'customer', objectId: customerId },
        ...{ before, after: { currency } },
      });
      return { customers: [customerId], auditLogs: [entry] };
    },
  };
}
