import { advanceFold } from '../aggregate/advance.ts';
import { bucketOfEvent } from '../aggregate/advance-usage.ts';
import { groupOf } from '../aggregate/group.ts';
import { hasValue } from '../aggregate/has-value.ts';
import { roundUnits } from '../aggregate/rounding.ts';
import type { MetricInput } from '../catalogue/metric.ts';
import type { PlanChargeInput } from '../catalogue/plan.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import { invalid } from '../errors.ts';
import { estimateEvent } from '../fee/advance-fee.ts';
import { draftFee } from '../fee/draft-fee.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { chargeInvoiceFee } from '../fee/owned-fee.ts';
import { roundFee } from '../fee/rounding.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import { taxFee } from '../invoice/tax.ts';
import { ONE, ZERO } from '../money/decimal.ts';
import { perUnit } from '../price/price-type.ts';
import type { UsageEvent } from '../usage/usage.ts';
import { eventRequest } from './invoice-request.ts';

const NEEDS_NUMBER = new Set(['sum', 'max', 'latest']);

const instantCharges = ({ plan }: SubscriptionInput, code: string): PlanChargeInput[] =>
  plan.charges.filter((charge) => charge.payInAdvance && charge.metric.code === code);

/** Throws `properties: ['value_is_not_valid_number']` for an event that gives its metric something else than a number. */
export function checkNumber(metric: Pick<MetricInput, 'aggregation' | 'fieldName'>, event: UsageEvent): void {
  const isGiven = event.properties[metric.fieldName ?? ''] != null;
  if (NEEDS_NUMBER.has(metric.aggregation) && isGiven && !hasValue(metric, event)) {
    throw invalid({ properties: ['value_is_not_valid_number'] }, { properties: { limit: 'a number of the metric' } });
  }
}

/** Throws `code: ['does_not_match_an_instant_charge']` unless events of the code are billed at once. */
export function checkInstant(subscription: SubscriptionInput, code: string): void {
  if (instantCharges(subscription, code).length === 0) throw invalid({ code: ['does_not_match_an_instant_charge'] });
}

/**
 * What an event that is not stored would be billed for at once, on top of what is: one fee for each charge in advance that measures
 * it, with taxes. The figures are those of `eventRequest`, without the details of the price. An event before the start is billed by nobody.
 * Source: engine-catalogue 14.7, pricing 9.
 */
export function estimatedFees(
  account: CustomerAccount,
  subscription: SubscriptionInput,
  code: string,
  event: UsageEvent,
): InvoiceFee[] {
  if (event.timestamp < (subscription.startedAt ?? subscription.subscriptionAt)) return [];
  return instantCharges(subscription, code).flatMap((charge) => {
    const { fees = [] } = eventRequest(account, subscription, charge, event) ?? {};
    return fees.map((fee) => taxFee({ ...fee, amountDetails: {} }));
  });
}

/** The units of an event alone, as its metric rounds them; none where they are negative. */
function unitsAlone({ metric }: PlanChargeInput, event: UsageEvent) {
  const { timestamp: at } = event;
  const { own } = advanceFold(metric, { from: at, to: at, durationDays: 1, timezone: 'UTC' }, false).add(event);
  const units = roundUnits(own, metric.rounding);
  return units.lt(0) ? ZERO : units;
}

function feeAlone(subscription: SubscriptionInput, charge: PlanChargeInput, event: UsageEvent): InvoiceFee {
  const { currency } = subscription.plan;
  const { filter, properties, keys } = bucketOfEvent({ charge, event });
  const units = unitsAlone(charge, event);
  const { amount } = estimateEvent({ model: charge.model, properties }, units.toFixed(), currency);
  const fee = draftFee({
    key: `event:${charge.id}:${event.transactionId}`,
    type: 'charge',
    chargeId: charge.id,
    filterId: filter?.id ?? null,
    groupedBy: groupOf(event.properties, keys),
    units,
    ...roundFee(amount, perUnit(amount, units), { currency, pricingUnit: charge.pricingUnit }),
    eventsCount: ONE,
    payInAdvance: true,
    invoiceable: charge.invoiceable !== false,
    eventTransactionId: event.transactionId ?? null,
  });
  const nobody = { taxes: [] };
  return chargeInvoiceFee(fee, charge, { subscription, customer: nobody, billingEntity: nobody });
}

/**
 * What an event costs by itself, whatever else was used: of standard and percentage charges in advance only, without free units
 * and taxes. Throws what `checkNumber` throws. Source: engine-catalogue 14.7.
 */
export function instantFees(subscription: SubscriptionInput, code: string, event: UsageEvent): InvoiceFee[] {
  return instantCharges(subscription, code)
    .filter(({ model }) => model === 'standard' || model === 'percentage')
    .map((charge) => {
      checkNumber(charge.metric, event);
      return { ...feeAlone(subscription, charge, event), taxes: [] };
    });
}
