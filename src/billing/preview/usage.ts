import { amountCodes, amountHint } from '../catalogue/event-write.ts';
import { rangeCodes, rangeText } from '../catalogue/number-range.ts';
import type { PlanChargeInput, PlanInput } from '../catalogue/plan.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import { invalid, within } from '../errors.ts';
import { type Decimal, decimalText } from '../money/decimal.ts';
import type { BilledSubscription } from '../subscription/billed-subscription.ts';
import type { SubscriptionEvent } from '../usage/usage.ts';
import type { SupposedEvent, SupposedUsage } from './supposed-usage.ts';
import { checkSupposedWork } from './work.ts';

// What a number of units is read from, where it stands for many events at once.
const UNITS = 'units';

/** A number of units cannot tell single events apart: metrics that count events are added up instead. */
function unitCharge(charge: PlanChargeInput): PlanChargeInput {
  const { metric } = charge;
  const keepsField = metric.aggregation === 'sum' || metric.aggregation === 'max' || metric.aggregation === 'latest';
  const aggregation = keepsField ? metric.aggregation : 'sum';
  return { ...charge, metric: { ...metric, aggregation, fieldName: UNITS } };
}

function supposedPlan(plan: PlanInput, usage: readonly SupposedUsage[]): PlanInput {
  const byUnits = new Set(usage.filter(({ units }) => units != null).map(({ metricCode }) => metricCode));
  const charges = plan.charges.map((charge) => ({
    ...(byUnits.has(charge.metric.code) ? unitCharge(charge) : charge),
    payInAdvance: false,
  }));
  return { ...plan, charges };
}

function checkEvent({ preciseTotalAmountCents }: SupposedEvent): void {
  const wrong = amountCodes(preciseTotalAmountCents);
  if (wrong.length > 0) throw invalid({ precise_total_amount_cents: wrong }, amountHint());
}

function checkOne(codes: ReadonlySet<string>, { metricCode, units, events }: SupposedUsage): void {
  if (!codes.has(metricCode)) {
    throw invalid({ metric_code: ['value_is_invalid'] }, { metric_code: { limit: 'a metric that the plan prices' } });
  }
  if ((units == null) === (events == null)) throw invalid({ usage: ['units_or_events_must_be_given'] });
  const wrong = rangeCodes('supposed_usage', 'units', units);
  if (wrong.length > 0) throw invalid({ units: wrong }, { units: { limit: rangeText('supposed_usage', 'units') } });
  for (const [index, event] of (events ?? []).entries()) within(['events', index], () => checkEvent(event));
}

function check(plan: PlanInput, usage: readonly SupposedUsage[]): void {
  const codes = new Set(plan.charges.map((charge) => charge.metric.code));
  for (const [index, one] of usage.entries()) within(['usage', index], () => checkOne(codes, one));
}

/**
 * A subscription as it is billed with supposed usage: charges in advance are priced at the end of the period like the others,
 * which costs the same. Throws `validation_errors` for a metric that the plan does not price, and for more than one preview computes.
 */
export function withSupposedUsage(subscription: SubscriptionInput, usage: readonly SupposedUsage[]): SubscriptionInput {
  if (usage.length === 0) return subscription;
  check(subscription.plan, usage);
  checkSupposedWork(subscription.plan, usage);
  return { ...subscription, plan: supposedPlan(subscription.plan, usage) };
}

/** Supposed usage as events of the billed usage period. */
export function supposedEvents(billed: BilledSubscription, usage: readonly SupposedUsage[]): SubscriptionEvent[] {
  const { subscription, dates } = billed;
  const start = dates.chargesFrom ?? dates.from;
  return usage.flatMap(({ metricCode, units, events }) => {
    const supposed = events ?? [{ properties: { [UNITS]: units ? plainText(units) : '0' } }];
    return supposed.map((event: SupposedEvent) => ({
      externalSubscriptionId: subscription.externalId,
      metricCode,
      timestamp: event.timestamp ?? start,
      properties: event.properties,
      preciseTotalAmountCents: event.preciseTotalAmountCents ?? null,
    }));
  });
}

const plainText = (units: Decimal) => decimalText(units).replace(/\.0$/, '');
