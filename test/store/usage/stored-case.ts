import type { UsageEvent } from '../../../src/billing/usage/usage.ts';
import type { Json } from '../../billing/vectors/vector-type.ts';
import type { Window } from './window.ts';

/** One case as stored data: a customer with a plan of one charge, and its usage. */
export interface StoredCase {
  readonly id: string;
  readonly timezone: string;
  readonly window: Window;
  /** A subscription before it, since when levels of recurring metrics are made up. */
  readonly hasPrevious: boolean;
  readonly metric: Json;
  readonly charge: Json;
  readonly taxRates: readonly (number | string)[];
  readonly currency: string;
  readonly events: readonly UsageEvent[];
  /** Transactions that are billed at once, one by one; without any the period is billed. */
  readonly advance: readonly string[];
  /** When a preview is asked for. */
  readonly now: number;
}

const text = (at: number) => new Date(at).toISOString();
const YEAR_MS = 366 * 86_400_000;
const taxCode = (rate: number | string) => `tax-${rate}`;

function subscriptions({ id, window, hasPrevious }: StoredCase, index: number) {
  const { subscriptionAt, startedAt, endsAt, billingTime } = window;
  const own = { external_id: id, external_customer_id: id, plan_code: id, billing_time: billingTime };
  const current = {
    ...{ ...own, subscription_at: text(subscriptionAt), started_at: text(startedAt), created_at: text(startedAt) },
    ...(endsAt === null ? { status: 'active' } : { status: 'terminated', terminated_at: text(endsAt) }),
  };
  if (!hasPrevious) return [current];
  const previousId = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const [began, ended] = [text(startedAt - YEAR_MS), text(startedAt)];
  const before = { svc_id: previousId, status: 'terminated', terminated_at: ended, created_at: began };
  return [
    { ...own, ...before, subscription_at: began, started_at: began },
    { ...current, svc_previous_subscription_id: previousId },
  ];
}

function events({ id, events: all }: StoredCase) {
  return all.map((event, index) => ({
    ...{ transaction_id: event.transactionId ?? `event-${index}`, external_subscription_id: id, code: id },
    ...{ timestamp: text(event.timestamp), properties: event.properties },
    // Events of one time stamp count in the order in which they came in.
    created_at: text(event.createdAt ?? event.timestamp + index),
    precise_total_amount_cents: event.preciseTotalAmountCents,
  }));
}

function plan({ id, window, currency, charge, taxRates }: StoredCase) {
  const own = { code: id, billable_metric_code: id, tax_codes: taxRates.map(taxCode), ...charge };
  return { code: id, interval: window.interval, amount_cents: 0, amount_currency: currency, charges: [own] };
}

/** All cases as one import document of one organization. */
export function documentOf(cases: readonly StoredCase[]) {
  const rates = new Map(cases.flatMap(({ taxRates }) => taxRates.map((rate) => [taxCode(rate), rate])));
  return {
    billing_entities: [{ code: 'main', name: 'Main', is_default: true, timezone: 'UTC' }],
    taxes: [...rates].map(([code, rate]) => ({ code, rate: String(rate) })),
    pricing_units: [{ code: 'credits', name: 'Credits', short_name: 'CR' }],
    billable_metrics: cases.map(({ id, metric }) => ({ code: id, ...metric })),
    plans: cases.map(plan),
    customers: cases.map(({ id, timezone, currency }) => ({ external_id: id, timezone, currency })),
    subscriptions: cases.flatMap(subscriptions),
    events: cases.flatMap(events),
  };
}
