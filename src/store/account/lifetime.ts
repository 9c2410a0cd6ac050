import type { UsageThresholdInput } from '../../billing/catalogue/plan.ts';
import type { ReachedThreshold } from '../../billing/subscription/lifetime-threshold.ts';
import { familyOf } from '../../billing/subscription/lifetime-usage.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import type { UsedSubscription } from './used-subscription.ts';

/** What is stored of the usage of all periods of a subscription. */
export interface StoredLifetime {
  /** Charge fees on its invoices, and on none, in minor units. */
  readonly invoicedCents: bigint;
  readonly thresholds: readonly UsageThresholdInput[];
  readonly reached: readonly ReachedThreshold[];
}

const BILLED = ['draft', 'finalized', 'failed', 'pending'] as const;

const familyIds = ({ account, subscription }: UsedSubscription) => familyOf(account.subscriptions, subscription);

/** Charge fees by their subscriptions: on subscription invoices, on those that gather paid fees, and on none. */
async function invoicedBy(tx: TenantTransaction, ids: readonly string[]): Promise<Map<string | null, bigint>> {
  const status = { in: [...BILLED] };
  const rows = await tx.fee.groupBy({
    by: ['subscriptionId'],
    where: {
      ...{ subscriptionId: { in: [...ids] }, feeType: 'charge', deletedAt: null },
      OR: [{ invoiceId: null }, { invoice: { invoiceType: { in: ['subscription', 'advance_charges'] }, status } }],
    },
    _sum: { amountCents: true },
  });
  return new Map(rows.map(({ subscriptionId, _sum }) => [subscriptionId, _sum.amountCents ?? 0n]));
}

async function reachedBy(tx: TenantTransaction, ids: readonly string[]) {
  const rows = await tx.appliedUsageThreshold.findMany({
    where: { invoice: { status: { in: [...BILLED] }, billingPeriods: { some: { subscriptionId: { in: [...ids] } } } } },
    select: {
      ...{ usageThresholdId: true, lifetimeUsageAmountCents: true, createdAt: true },
      invoice: { select: { billingPeriods: { select: { subscriptionId: true } } } },
    },
  });
  return rows.map((row) => ({
    subscriptionIds: row.invoice.billingPeriods.map(({ subscriptionId }) => subscriptionId),
    reached: {
      thresholdId: row.usageThresholdId,
      ...{ usageCents: row.lifetimeUsageAmountCents, at: row.createdAt.getTime() },
    },
  }));
}

/** What is stored for each of these subscriptions, in their order, by two statements. */
export async function readLifetimes(
  tx: TenantTransaction,
  used: readonly UsedSubscription[],
): Promise<StoredLifetime[]> {
  const ids = used.flatMap(familyIds);
  const invoiced = await invoicedBy(tx, ids);
  const reached = await reachedBy(tx, ids);
  return used.map((one) => {
    const family = familyIds(one);
    return {
      invoicedCents: family.reduce((sum, id) => sum + (invoiced.get(id) ?? 0n), 0n),
      thresholds: one.subscription.plan.usageThresholds,
      reached: reached
        .filter(({ subscriptionIds }) => subscriptionIds.some((id) => family.includes(id)))
        .map((row) => row.reached),
    };
  });
}
