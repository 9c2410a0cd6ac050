import type { ChargeInput } from '../catalogue/charge.ts';
import { minorUnits } from '../money/currency.ts';
import { Decimal, dec, HUNDRED, ONE, sum, ZERO } from '../money/decimal.ts';
import { dayCount } from '../period/calendar.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import { type DraftFee, draftFee } from './draft-fee.ts';
import { roundFee } from './rounding.ts';
import { adds, conversionSteps, type FeeStep, ROUNDING, scales, type Trace } from './step.ts';

interface TrueUpInput {
  readonly charge: ChargeInput;
  readonly currency: string;
  readonly period: ChargePeriod;
  readonly trace?: Trace | undefined;
}

/** Days of a window that count. */
const countedDays = (period: ChargePeriod): number =>
  Math.max(dayCount(period.from, period.to, period.timezone) - (period.endedByUpgrade ? 1 : 0), 0);

/** The spending minimum for the days of a window, exact; 1000 for 17 of 31 days is 548.387... minor units. */
const minimumFor = (minAmountCents: bigint, period: ChargePeriod): Decimal =>
  dec(minAmountCents).times(countedDays(period)).div(period.durationDays);

/** From the minimum to the amount: in a currency the exact one starts from exact fees, in a unit of its own from rounded ones. */
function trueUpSteps({ charge, currency, period }: TrueUpInput, used: Decimal, usedPrecise: Decimal): FeeStep[] {
  const { pricingUnit, minAmountCents = 0n } = charge;
  const minimum = [
    adds('minimum', dec(minAmountCents)),
    scales('days', dec(countedDays(period)), dec(period.durationDays)),
  ];
  if (pricingUnit) {
    return [...minimum, adds('covered', used.neg()), ...conversionSteps(pricingUnit, currency), ROUNDING];
  }
  const cents = usedPrecise.minus(used);
  const rounded = cents.isZero() ? [] : [adds('rounded_fees', cents, { stage: 'rounded' })];
  return [...minimum, adds('covered', usedPrecise.neg()), ...rounded, ROUNDING];
}

/**
 * The fee that tops a charge up to its spending minimum, or null: 1 unit, minimum less what all its fees come to, rounded
 * half up. Minimum and use are in the pricing unit where there is one. Not together with pay in advance.
 * Minimum 1000, 700 used: a fee of 300. Source: pricing 8.4.
 */
export function trueUpFee(input: TrueUpInput, fees: readonly DraftFee[], parent: DraftFee): DraftFee | null {
  const { charge, currency, period } = input;
  const minAmountCents = charge.minAmountCents ?? 0n;
  if (minAmountCents <= 0n || charge.payInAdvance) return null;
  const minimum = minimumFor(minAmountCents, period);
  const used = sum(fees.map((fee) => dec(fee.pricingUnit?.amountCents ?? fee.amountCents)));
  if (used.gte(minimum)) return null;
  const usedPrecise = sum(fees.map((fee) => fee.pricingUnit?.preciseAmountCents ?? fee.preciseAmountCents));
  const key = `${parent.key}:true-up`;
  input.trace?.(key, trueUpSteps(input, used, usedPrecise));
  return draftFee({
    key,
    type: 'charge',
    chargeId: charge.id,
    units: ONE,
    ...trueUpAmounts(minimum.minus(used), minimum.minus(usedPrecise), charge, currency),
    eventsCount: ZERO,
    totalAggregatedUnits: ONE,
    trueUpParentKey: parent.key,
    period,
    invoiceable: charge.invoiceable !== false,
  });
}

/** The whole amount comes from the rounded use, the precise fields from the precise use. */
function trueUpAmounts(missing: Decimal, missingPrecise: Decimal, charge: ChargeInput, currency: string) {
  const units = charge.pricingUnit ? HUNDRED : minorUnits(currency);
  const options = { currency, pricingUnit: charge.pricingUnit };
  const whole = missing.toDecimalPlaces(0, Decimal.ROUND_HALF_UP).div(units);
  const amounts = roundFee(whole, whole, options);
  const preciseUnits = missingPrecise.div(units);
  if (amounts.pricingUnit === null) {
    return { ...amounts, preciseAmountCents: missingPrecise, preciseUnitAmount: preciseUnits };
  }
  const detail = { ...amounts.pricingUnit, preciseAmountCents: missingPrecise, preciseUnitAmount: preciseUnits };
  return { ...amounts, pricingUnit: detail };
}
