import type { ChargeProperties } from '../catalogue/charge-type.ts';
import { Decimal, decimalText, HUNDRED, ZERO } from '../money/decimal.ts';
import { type FreeAllowance, freeAllowance, hasTransactionBounds } from './allowance.ts';
import { type Price, type PricedUsage, perUnit, type RunningTotals } from './price-type.ts';
import { decimalProperty } from './property.ts';
import { percentageSteps } from './step.ts';

/** Units that pay no percentage. */
function freeUnits(allowance: FreeAllowance, totals: RunningTotals): Decimal {
  if (totals.last.isZero()) return ZERO;
  if (allowance.events > 0 && totals.length > allowance.events) return totals.afterFreeEvents ?? ZERO;
  return allowance.amount.isZero() ? totals.last : Decimal.min(totals.last, allowance.amount);
}

/** Events that pay no fixed amount: the smaller non-zero limit. A zero limit limits nothing, as existing amounts have it. */
function freeEvents(allowance: FreeAllowance, totals: RunningTotals): number {
  const limits = [allowance.events, totals.belowFreeAmount].filter((limit) => limit > 0);
  return limits.length === 0 ? 0 : Math.min(...limits);
}

/** Percentage part and fixed part before bounds per transaction, with the counts shown beside them. */
function plainPrice(properties: ChargeProperties, usage: PricedUsage) {
  const allowance = freeAllowance(properties);
  const free = freeUnits(allowance, usage.runningTotals);
  const paid = Decimal.max(usage.units.minus(free), ZERO);
  const percentagePart = paid.times(decimalProperty(properties.rate)).div(HUNDRED);
  const freeCount = Decimal.min(freeEvents(allowance, usage.runningTotals), usage.eventsCount);
  const paidCount = usage.eventsCount.minus(freeCount);
  const fixedAmount = decimalProperty(properties.fixed_amount);
  const fixedPart = usage.units.isZero() ? ZERO : paidCount.times(fixedAmount);
  return { free, paid, percentagePart, freeCount, paidCount, fixedAmount, fixedPart };
}

/**
 * A rate in percent of the units beyond the free ones plus a fixed amount for each event beyond the free ones; with a
 * minimum or maximum per transaction, event by event. In currency units.
 * 800 units in 4 events, 250 free, at 1.3 % and 2.0 an event are 7.15 + 2 × 2 = 11.15. Source: pricing 3.7.
 */
export function pricePercentage(properties: ChargeProperties, usage: PricedUsage): Price {
  const plain = plainPrice(properties, usage);
  const plainAmount = plain.percentagePart.plus(plain.fixedPart);
  const bounded = (usage.withoutEvent ? usage.transactions?.amountBefore : usage.transactions?.amount) ?? ZERO;
  const amount = hasTransactionBounds(properties) ? bounded : plainAmount;
  const amountDetails = {
    units: decimalText(usage.units),
    free_units: decimalText(plain.free),
    paid_units: decimalText(plain.paid),
    free_events: plain.freeCount.toNumber(),
    paid_events: plain.paidCount.toNumber(),
    rate: decimalText(decimalProperty(properties.rate)),
    per_unit_total_amount: decimalText(plain.percentagePart),
    fixed_fee_unit_amount: decimalText(plain.paidCount.gt(0) ? plain.fixedAmount : ZERO),
    fixed_fee_total_amount: decimalText(plain.fixedPart),
    min_max_adjustment_total_amount: decimalText(amount.minus(plainAmount)),
  };
  const unitAmount = perUnit(amount, usage.fullUnits ?? usage.units);
  return { amount, unitAmount, amountDetails, steps: () => percentageSteps(amountDetails) };
}
