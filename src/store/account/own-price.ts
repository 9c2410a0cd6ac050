import type { InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import type { SubscriptionRow } from './subscription-input.ts';

const FILTERS = { select: { id: true, canonicalValues: true } } as const;

/** What stands on overrides for the prices and filters of their plans: pairs of identifiers by the overrides. */
async function copiesOf(tx: TenantTransaction, planIds: readonly string[]) {
  const where = { planId: { in: [...planIds] }, parentId: { not: null }, deletedAt: null };
  const charges = await tx.charge.findMany({
    where,
    select: {
      ...{ id: true, planId: true, parentId: true, parent: { select: { filters: FILTERS } } },
      filters: { where: { deletedAt: null }, ...FILTERS },
    },
  });
  const fixed = await tx.fixedCharge.findMany({ where, select: { id: true, planId: true, parentId: true } });
  const prices = [...charges, ...fixed].map(({ planId, parentId, id }) => ({ planId, from: parentId ?? id, to: id }));
  const filters = charges.flatMap(({ planId, parent, filters: own }) => {
    const copies = new Map(own.map(({ id, canonicalValues }) => [canonicalValues, id]));
    return (parent?.filters ?? []).flatMap(({ id: from, canonicalValues }) => {
      const to = copies.get(canonicalValues);
      return to === undefined ? [] : [{ planId, from, to }];
    });
  });
  return [...prices, ...filters];
}

/**
 * How fees that were billed before a subscription got its override read on: by the prices that the override has for those of its plan, so
 * that what is billed is compared with what was. Two statements, and none where no subscription has an override.
 */
export async function ownPrices(
  tx: TenantTransaction,
  rows: readonly SubscriptionRow[],
): Promise<(fee: InvoiceFee) => InvoiceFee> {
  const overridden = new Map(rows.flatMap(({ id, plan }) => (plan.parentId === null ? [] : [[id, plan.id]])));
  if (overridden.size === 0) return (fee) => fee;
  const ofPlan = new Map<string, Map<string, string>>();
  for (const { planId, from, to } of await copiesOf(tx, [...new Set(overridden.values())])) {
    const known = ofPlan.get(planId) ?? new Map<string, string>();
    ofPlan.set(planId, known.set(from, to));
  }
  return (fee) => {
    const own = ofPlan.get(overridden.get(fee.subscriptionId ?? '') ?? '');
    if (!own) return fee;
    const named = (id: string | null) => (id === null ? null : (own.get(id) ?? id));
    return {
      ...fee,
      ...{ chargeId: named(fee.chargeId), fixedChargeId: named(fee.fixedChargeId), filterId: named(fee.filterId) },
    };
  };
}
