import type { AggregationType } from '../catalogue/metric.ts';
import type { FeeStep, FeeStepKind } from '../fee/step.ts';
import { minorUnits } from '../money/currency.ts';
import { type Decimal, decimalText, ZERO } from '../money/decimal.ts';
import type { FeeExplanation } from './explain.ts';

const MOST_DIGITS = 6;

/** A number as it is read: without zeros at its end, and cut, with a mark that it is, after six digits. */
export function numberText(value: Decimal): string {
  const short = value.toDecimalPlaces(MOST_DIGITS, 1);
  const text = decimalText(short).replace(/\.0$/, '');
  return short.eq(value) ? text : `${text}…`;
}

const COUNTED: Readonly<Record<AggregationType, string>> = {
  count: 'counted',
  sum: 'added up',
  max: 'the highest value',
  latest: 'the last value',
  unique_count: 'different values counted',
  weighted_sum: 'added up, weighted by the time that they stood',
  custom: 'as the metric reckons them',
};

/** What steps are about. */
export interface Told {
  readonly usage: FeeExplanation['usage'];
  readonly currency: string;
  /** What the price is in: the currency, or a unit of its own. */
  readonly unit: string;
}

const numberOf = (value: Decimal | undefined) => (value ? numberText(value) : 'some');
const counted = (value: Decimal | undefined, noun: string) => `${numberOf(value)} ${value?.eq(1) ? noun : `${noun}s`}`;

const rangeText = ({ from, to }: FeeStep) => {
  if (from === undefined) return '';
  return to == null ? ` (tier from ${from})` : ` (tier ${from} to ${to})`;
};

function usageText({ events, units }: FeeStep, { usage }: Told): string {
  const how = usage && events !== undefined ? `, ${COUNTED[usage.aggregation]}` : '';
  const what = events === undefined ? 'Usage' : counted(events, 'event');
  return `${what}${usage ? ` of ${usage.code}` : ''}${how}: ${counted(units, 'unit')}`;
}

type Text = (step: FeeStep, told: Told) => string;

const TEXTS: Readonly<Record<FeeStepKind, Text>> = {
  usage: usageText,
  prorated_units: ({ units, whole }) =>
    `${numberOf(units)} of ${counted(whole, 'unit')} count: for the days on which they were there`,
  free_units: ({ units }) => `${counted(units, 'unit')} free`,
  free_events: ({ units }) => `${counted(units, 'event')} free of the amount for each`,
  units: (step, { unit }) => `${counted(step.units, 'unit')} at ${numberOf(step.unitAmount)} ${unit}${rangeText(step)}`,
  packages: ({ units, size, unitAmount }, { unit }) =>
    `${counted(units, 'package')} of ${counted(size, 'unit')}, started ones too, at ${numberOf(unitAmount)} ${unit}`,
  rate: (step) => `${numberOf(step.rate)} % of ${numberOf(step.units)}${rangeText(step)}`,
  transactions: ({ units, unitAmount }, { unit }) => `${counted(units, 'event')} at ${numberOf(unitAmount)} ${unit}`,
  flat: (step) => `Flat amount${rangeText(step)}`,
  bounds: () => 'What the least and the most for one event change',
  event_amounts: () => 'What the events say that they cost',
  moved_units: ({ units }) => `${counted(units, 'unit')} for their days, each in the tier that it came into`,
  before_event: () => 'Less what the usage before this event costs',
  below_zero: () => 'Nothing is given back: below 0 it is 0',
  by_hand: ({ units }) => `By hand: ${counted(units, 'unit')}`,
  plan: () => 'The plan for a whole period',
  days: ({ times, per }) => `${numberOf(times)} of ${counted(per, 'day')}`,
  minimum: () => 'The minimum for a whole period',
  covered: () => 'Less what the fees that count towards it come to',
  paid_before: () => 'Less what was paid for these days already',
  unit_rounding: () => 'Rounded to two decimals of the unit of the price',
  conversion: ({ rate }, { currency }) => `At ${numberOf(rate)} ${currency} for one unit of the price`,
  commitment_rounding: () => 'Rounded to the smallest unit of the currency',
  rounded_fees: () => 'The fees that count towards it are billed rounded',
  stored: () => 'As it is stored',
  rounding: () => 'Rounded to the smallest unit of the currency',
  progressive_credit: ({ name }) => `Billed already, on ${name ?? 'an earlier invoice'}`,
  coupon: ({ name }) => (name === undefined ? 'Share of what was credited' : `Share of the coupon ${name}`),
  tax: ({ name, rate, units = ZERO }, { currency }) =>
    `${name ?? 'Tax'}: ${numberOf(rate)} % of ${numberText(units.div(minorUnits(currency)))} ${currency}`,
  tax_rounding: () => 'Taxes rounded together',
};

/** A step in words, with its numbers. */
export const stepText = (step: FeeStep, told: Told): string => TEXTS[step.kind](step, told);

const GAPS: Readonly<Record<NonNullable<FeeExplanation['unasked']>, string>> = {
  units_paid_before: 'By how much the units grew is taken from the fee: what it depends on has changed since.',
  event_gone: 'The event that it bills is not stored any more.',
  price_gone: 'The price that it was made with is not stored any more.',
  renewed: 'It renews usage that was there at a moment which nothing tells.',
  sold_elsewhere: 'It was sold: what was said then is all there is.',
  changed: 'From the usage and prices that are stored now it would come to other figures, or would not be made.',
};

/** What an explanation rests on, in a sentence. */
export function basisText({ basis, unasked }: FeeExplanation): string {
  const gap = unasked ? ` ${GAPS[unasked]}` : '';
  return basis === 'computed'
    ? `Computed again from what is stored, and the same.${gap}`
    : `Told from what the fee says of itself.${gap}`;
}
