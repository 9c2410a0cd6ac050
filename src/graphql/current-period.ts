import { boundaries } from '../billing/period-boundaries.ts';
import type { BillingTime, Interval } from '../billing/period-terms.ts';
import { PERIOD_COLUMNS } from '../store/units-event.ts';

/** The columns that the current period of a subscription follows from. */
export const CURRENT_PERIOD_COLUMNS = { ...PERIOD_COLUMNS, status: true } as const;

interface PeriodRow {
  readonly status: string;
  readonly billingTime: BillingTime;
  readonly subscriptionAt: Date;
  readonly startedAt: Date | null;
  readonly plan: {
    readonly interval: Interval;
    readonly payInAdvance: boolean;
    readonly billChargesMonthly: boolean;
    readonly billFixedChargesMonthly: boolean;
    readonly amountCents: bigint;
  };
  readonly customer: { readonly timezone: string | null; readonly billingEntity: { readonly timezone: string } };
}

/** Bounds of the usage period that holds `now`, both inclusive; null unless the subscription is active. */
export function currentPeriod(row: PeriodRow, now: Date): { from: Date; to: Date } | null {
  if (row.status !== 'active' || !row.startedAt) return null;
  const terms = {
    ...row.plan,
    billingTime: row.billingTime,
    subscriptionAt: row.subscriptionAt.getTime(),
    zone: row.customer.timezone ?? row.customer.billingEntity.timezone,
    startedAt: row.startedAt.getTime(),
    terminatedAt: null,
    successor: 'none' as const,
    lastInvoice: null,
  };
  const { chargesFrom, chargesTo } = boundaries(terms, now.getTime(), 'current_usage');
  if (chargesFrom === null || chargesTo === null) return null;
  return { from: new Date(chargesFrom), to: new Date(chargesTo) };
}
