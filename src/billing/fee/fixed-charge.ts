import type { FixedChargeInput } from '../catalogue/charge.ts';
import type { UnitEvent } from '../customer/subscription.ts';
import { Decimal, dec, ONE, sum, ZERO } from '../money/decimal.ts';
import { addDays, daysBetween, type Instant, laterDate, localDate } from '../period/calendar.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import { shareFold } from '../price/graduated-prorated.ts';
import { priceFunction } from '../price/price.ts';
import { NO_RUNNING_TOTALS, type Price } from '../price/price-type.ts';
import { type DraftFee, draftFee } from './draft-fee.ts';
import { roundFee } from './rounding.ts';
import { amountSteps, beforeRounding, scales, type Trace, tells } from './step.ts';

/** What a fixed charge bills for a period: the units it ends with, and their share of the period. */
export interface FixedUnits {
  readonly units: Decimal;
  /** Equal to the units when the charge is not prorated. */
  readonly proratedUnits: Decimal;
}

/** In the order of recording; entries recorded at once in the order of the list. */
function byRecording(history: readonly UnitEvent[]): UnitEvent[] {
  return [...history].sort((a, b) => a.createdAt - b.createdAt);
}

/** Entries effective in [from, to) plus the one recorded last of those effective before it. */
function relevantEntries(history: readonly UnitEvent[], period: ChargePeriod): UnitEvent[] {
  const recorded = byRecording(history);
  const before = recorded.filter(({ timestamp }) => timestamp < period.from).at(-1);
  return recorded.filter(
    (entry) => entry === before || (entry.timestamp >= period.from && entry.timestamp < period.to),
  );
}

/** An entry is void when one recorded later takes effect earlier. */
function validEntries(recorded: readonly UnitEvent[]): readonly UnitEvent[] {
  return recorded.filter((entry, at) => !recorded.slice(at + 1).some((later) => later.timestamp < entry.timestamp));
}

/** Each entry weighs the days until the next one, or to the end, whose day an upgrade leaves to the next plan; each stretch is rounded at 6 decimals. */
function proratedUnits(entries: readonly UnitEvent[], period: ChargePeriod): Decimal {
  const { timezone, endedByUpgrade } = period;
  const first = localDate(period.from, timezone);
  const end = addDays(localDate(period.to, timezone), endedByUpgrade ? 0 : 1);
  const stretches = entries.map((entry, at) => {
    const next = entries[at + 1];
    const from = laterDate(localDate(entry.timestamp, timezone), first);
    const days = Math.max(daysBetween(from, next === undefined ? end : localDate(next.timestamp, timezone)), 0);
    return entry.units.times(days).div(period.durationDays).toDecimalPlaces(6, Decimal.ROUND_HALF_UP);
  });
  return sum(stretches);
}

/**
 * Units of a fixed charge from their history. Not prorated: the entry recorded last; none: 0. Prorated: each entry for
 * the days it stood. 10 units from the 29th of a March are 10 × 3/31 = 0.967742. Source: pricing 11, invoicing 2.1.
 */
export function fixedChargeUnits(history: readonly UnitEvent[], period: ChargePeriod, prorated: boolean): FixedUnits {
  const entries = validEntries(relevantEntries(history, period));
  const units = entries.at(-1)?.units ?? ZERO;
  return { units, proratedUnits: prorated ? proratedUnits(entries, period) : units };
}

/** Units of a subscription that is not stored: the plan's, for the days of the window over the full length, at most all. */
export function proposedFixedUnits(units: Decimal, period: ChargePeriod, prorated: boolean): FixedUnits {
  const days = daysBetween(localDate(period.from, 'UTC'), localDate(period.to, 'UTC')) + 1;
  const ratio = Decimal.min(dec(Math.max(days, 0)).div(period.durationDays), ONE);
  return { units, proratedUnits: prorated ? units.times(ratio) : units };
}

function priceFixedUnits(
  charge: FixedChargeInput,
  { units, proratedUnits: priced }: FixedUnits,
  currency: string,
): Price {
  const { model, properties } = charge;
  // Without units at the end the earlier ones are priced where none are: in the first range.
  const ranges = units.isZero() ? properties.graduated_ranges?.slice(0, 1) : properties.graduated_ranges;
  const open = units.isZero() ? ranges?.map((range) => ({ ...range, to_value: null })) : ranges;
  const priceProperties = charge.prorated ? { ...properties, graduated_ranges: open } : properties;
  const shares = shareFold(priceProperties);
  shares.add({ full: units.isZero() ? priced : units, prorated: priced });
  return priceFunction(model, charge.prorated)(priceProperties, {
    units: priced,
    fullUnits: charge.prorated ? units : null,
    eventsCount: ZERO,
    runningTotals: NO_RUNNING_TOTALS,
    shares: shares.totals(),
    preciseTotalAmountCents: ZERO,
    currency,
  });
}

interface FixedFeeInput {
  readonly charge: FixedChargeInput;
  readonly currency: string;
  readonly period: ChargePeriod;
  readonly trace?: Trace | undefined;
}

const fixedKey = ({ id }: FixedChargeInput) => `fixed_charge:${id}`;

function fixedFee(input: FixedFeeInput, units: Decimal, price: Omit<Price, 'steps'>): DraftFee {
  const { charge, currency, period } = input;
  const roundUnitAmount = charge.payInAdvance;
  return draftFee({
    key: fixedKey(charge),
    type: 'fixed_charge',
    fixedChargeId: charge.id,
    units,
    ...roundFee(price.amount, price.unitAmount, { currency, roundUnitAmount }),
    totalAggregatedUnits: units,
    amountDetails: price.amountDetails,
    period,
    payInAdvance: charge.payInAdvance,
  });
}

/**
 * The fee of a fixed charge for a period: standard units × amount; graduated and volume choose the range by the full
 * units and price the prorated ones. It shows the full units. 0.967742 of 10 units at 310 are 30000 cents.
 * Source: pricing 11, invoicing 6.
 */
export function fixedChargeFee(input: FixedFeeInput, units: FixedUnits): DraftFee {
  const price = priceFixedUnits(input.charge, units, input.currency);
  const fee = fixedFee(input, units.units, price);
  const part = { units: units.proratedUnits, whole: units.units };
  const prorated = units.units.eq(units.proratedUnits) ? [] : [tells('prorated_units', part)];
  input.trace?.(fee.key, [...prorated, ...amountSteps(price.steps(), input)]);
  return fee;
}

/**
 * The fee of a change of units paid in advance: what the new units exceed those already paid in the period by, times the
 * rest of the period when prorated. A decrease is a fee of 0: nothing is refunded.
 * 10 to 15 units at 10 on 20 March are 5 × 10 × 12/31 = 1935 cents. Source: pricing 11.
 */
export function fixedChargeIncreaseFee(
  input: FixedFeeInput,
  change: { readonly newUnits: Decimal; readonly paidUnits: Decimal; readonly at: Instant },
): DraftFee {
  const { charge, currency, period } = input;
  const increase = Decimal.max(change.newUnits.minus(change.paidUnits), ZERO);
  const key = fixedKey(charge);
  if (increase.isZero()) {
    input.trace?.(key, amountSteps([], input));
    return fixedFee(input, ZERO, { amount: ZERO, unitAmount: ZERO, amountDetails: {} });
  }
  const whole = priceFixedUnits({ ...charge, prorated: false }, { units: increase, proratedUnits: increase }, currency);
  const steps = amountSteps(whole.steps(), input);
  if (!charge.prorated) {
    input.trace?.(key, steps);
    return fixedFee(input, increase, whole);
  }
  const { timezone } = period;
  const days = daysBetween(localDate(change.at, timezone), localDate(period.to, timezone)) + 1;
  const counted = Math.max(days, 0);
  const part = (amount: Decimal) => amount.times(counted).div(period.durationDays);
  const amount = part(whole.amount);
  input.trace?.(key, beforeRounding(steps, scales('days', dec(counted), dec(period.durationDays))));
  return fixedFee(input, increase, { amount, unitAmount: part(whole.unitAmount), amountDetails: whole.amountDetails });
}
