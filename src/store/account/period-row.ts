import { isTimeZone } from '../../billing/period/calendar.ts';
import type { BillingTime, Interval, PeriodTerms } from '../../billing/period/terms.ts';
import { periodTerms, zoneOf } from '../../billing/subscription/billed-subscription.ts';

/** The columns of a customer that its time zone follows from. */
export const ZONE_COLUMNS = { timezone: true, billingEntity: { select: { timezone: true } } } as const;

interface ZoneRow {
  readonly timezone: string | null;
  readonly billingEntity: { readonly timezone: string };
}

/** The same as the database reads them: it is the first of these that is not null. */
export const ZONE_PATHS = ['timezone', 'billingEntity.timezone'] as const;

/** The time zone of a stored customer. */
export const storedZone = (customer: ZoneRow): string => zoneOf(customer, customer.billingEntity);

/** The time zone in which days of a stored customer are shown: UTC where nobody knows the stored one, so that reads never fail. */
export function shownZone(customer: ZoneRow): string {
  const zone = storedZone(customer);
  return isTimeZone(zone) ? zone : 'UTC';
}

/** The columns that the periods of a subscription follow from. */
export const PERIOD_COLUMNS = {
  billingTime: true,
  subscriptionAt: true,
  startedAt: true,
  plan: {
    select: {
      interval: true,
      payInAdvance: true,
      billChargesMonthly: true,
      billFixedChargesMonthly: true,
      amountCents: true,
    },
  },
  customer: { select: ZONE_COLUMNS },
} as const;

interface PeriodRow {
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
  readonly customer: ZoneRow;
}

/** The periods of a stored subscription that runs: nothing has ended or replaced it. */
export function runningTerms({ plan, billingTime, subscriptionAt, startedAt, customer }: PeriodRow): PeriodTerms {
  const subscription = {
    ...{ id: '', status: 'active' as const, terminatedAt: null, plan, billingTime },
    subscriptionAt: subscriptionAt.getTime(),
    startedAt: startedAt?.getTime() ?? null,
  };
  return periodTerms(subscription, shownZone(customer), null);
}
