import type { AppliedPricingUnit } from '../catalogue/charge.ts';
import { minorUnits } from '../money/currency.ts';
import { type Decimal, dec, HUNDRED, roundToInteger, ZERO } from '../money/decimal.ts';
import type { PriceStep, PriceStepKind } from '../price/price-type.ts';

/** What a step of a fee is about. */
export type FeeStepKind =
  | PriceStepKind
  | 'usage'
  | 'prorated_units'
  | 'by_hand'
  | 'plan'
  | 'days'
  | 'minimum'
  | 'covered'
  | 'paid_before'
  | 'unit_rounding'
  | 'conversion'
  | 'commitment_rounding'
  | 'rounded_fees'
  | 'stored'
  | 'rounding'
  | 'progressive_credit'
  | 'coupon'
  | 'tax'
  | 'tax_rounding';

/**
 * One step from nothing to what a fee comes to, in minor units. `add` adds `amountCents`, `scale` multiplies by `times` and divides by `per`,
 * `round` rounds half away from zero to a whole number, `none` only tells something. The exact amount stands before the first step that is
 * `rounded`, the amount after the last of these; steps `on_invoice` go on to what the invoice makes of it.
 */
export interface FeeStep extends Omit<PriceStep, 'kind' | 'amount'> {
  readonly kind: FeeStepKind;
  readonly effect: 'none' | 'add' | 'scale' | 'round';
  readonly stage: 'exact' | 'rounded' | 'on_invoice';
  readonly amountCents?: Decimal;
  readonly times?: Decimal;
  readonly per?: Decimal;
  /** Events that were counted. */
  readonly events?: Decimal;
  /** Units that are there for the whole period, of which others are a part. */
  readonly whole?: Decimal;
  /** Of a coupon, a tax or a progressive invoice. */
  readonly code?: string;
  readonly name?: string;
}

/** Is told how the fee with a key came about; told again, the last time counts. */
export type Trace = (key: string, steps: readonly FeeStep[]) => void;

/** A step that adds to the exact amount, or takes from it. */
export const adds = (kind: FeeStepKind, amountCents: Decimal, more: Partial<FeeStep> = {}): FeeStep => ({
  ...{ kind, effect: 'add', stage: 'exact', amountCents },
  ...more,
});

/** A step that takes a part of what there is. */
export const scales = (kind: FeeStepKind, times: Decimal, per: Decimal, more: Partial<FeeStep> = {}): FeeStep => ({
  ...{ kind, effect: 'scale', stage: 'exact', times, per },
  ...more,
});

/** A step that only tells something. */
export const tells = (kind: FeeStepKind, more: Partial<FeeStep> = {}): FeeStep => ({
  ...{ kind, effect: 'none', stage: 'exact' },
  ...more,
});

/** A step that rounds the exact amount on the way. */
export const rounds = (kind: FeeStepKind): FeeStep => ({ kind, effect: 'round', stage: 'exact' });

/** The one rounding of a fee. */
export const ROUNDING: FeeStep = { kind: 'rounding', effect: 'round', stage: 'rounded' };

/** What there is after a step, in minor units. */
export function afterStep(total: Decimal, { effect, amountCents = ZERO, times, per }: FeeStep): Decimal {
  if (effect === 'add') return total.plus(amountCents);
  if (effect === 'scale' && times && per) return total.times(times).div(per);
  return effect === 'round' ? dec(roundToInteger(total)) : total;
}

/** What steps come to, stage by stage: the exact amount, the amount, and what is left of it and its taxes on the invoice. */
export function outcomeOf(steps: readonly FeeStep[]) {
  const until = (...stages: FeeStep['stage'][]) =>
    steps.filter(({ stage }) => stages.includes(stage)).reduce(afterStep, ZERO);
  return {
    preciseAmountCents: until('exact'),
    amountCents: until('exact', 'rounded'),
    onInvoice: until('exact', 'rounded', 'on_invoice'),
  };
}

/** Steps of a price in minor units, of its currency or of a unit of its own. */
export const inCents = (steps: readonly PriceStep[], minor: Decimal): FeeStep[] =>
  steps.map(({ amount, ...step }) => (amount ? adds(step.kind, amount.times(minor), step) : tells(step.kind, step)));

/** Steps from an amount in a charge's own unit to the currency of the fee: rounded there to two decimals, then converted. */
export const conversionSteps = (unit: AppliedPricingUnit, currency: string): FeeStep[] => [
  rounds('unit_rounding'),
  scales('conversion', unit.conversionRate.times(minorUnits(currency)), HUNDRED, { rate: unit.conversionRate }),
];

/** Steps from those of a price to the amount of a fee, as `roundFee` goes. */
export function amountSteps(
  steps: readonly PriceStep[],
  {
    currency,
    pricingUnit,
  }: { readonly currency: string; readonly pricingUnit?: AppliedPricingUnit | null | undefined },
): FeeStep[] {
  const minor = pricingUnit ? HUNDRED : dec(minorUnits(currency));
  return [...inCents(steps, minor), ...(pricingUnit ? conversionSteps(pricingUnit, currency) : []), ROUNDING];
}

/** Steps with another one before the amount is rounded. */
export const beforeRounding = (steps: readonly FeeStep[], step: FeeStep): FeeStep[] => [
  ...steps.filter(({ stage }) => stage === 'exact'),
  step,
  ...steps.filter(({ stage }) => stage !== 'exact'),
];
