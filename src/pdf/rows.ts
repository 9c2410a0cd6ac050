import { dec } from '../billing/money/decimal.ts';
import { detailLines, rateOf, type Step, stepsOf } from './breakdown.ts';
import type { Format } from './format.ts';
import type { InvoicePeriod, PrintedFee } from './invoice-document.ts';
import { en } from './labels/en.ts';
import type { Labels } from './labels/word.ts';
import type { LineGroup } from './lines.ts';
import { isolated } from './text/text-layout.ts';

type Words = { labels: Labels; format: Format };

/** One for each column of figures; on invoices units, unit price, tax rate, amount. */
type Figures = readonly string[];
export type Row = {
  name: string;
  details: readonly string[];
  figures: Figures;
  /** How the amount came about, in the same columns. */
  steps: readonly { label: string; figures: Figures }[];
  /** Points below the row that stay with it. */
  keep: number;
};

/**
 * `units` and `price` are what is printed of them; a price in a unit of the charge's own is not one of the currency. A line
 * that is a percentage has its `rate` in place of a price.
 */
type Line = { fee: PrintedFee; steps: readonly Step[]; units: string; price: string; rate?: string };
type Digits = { units: number; price: number; step: number };

/** More digits than these are a line's own, and would make those of the others hard to read. */
const MOST_SHARED = 6;
const MOST_STEP_DIGITS = 6;

/** The rows of each group. A column has one number of digits, and so have the amounts of all steps. */
export function rowsOf(groups: readonly LineGroup[], words: Words): Row[][] {
  const lines = groups.map(({ fees }) => fees.map((fee) => lineOf(fee, words)));
  const digits = digitsOf(lines.flat(), words.format);
  return groups.map(({ periods }, at) => (lines[at] ?? []).map((line) => rowOf(line, periods, digits, words)));
}

function lineOf(fee: PrintedFee, words: Words): Line {
  const { format } = words;
  const steps = stepsOf(fee, words).map((step) => shortStep(step, format));
  const price = priceOf(fee, format);
  if (fee.pricingUnit) return { fee, steps, price, units: format.shortUnits(fee.units, price) };
  if (steps.length > 0) return { fee, steps, price, units: format.shortUnits(fee.units, '1') };
  const amount = format.amountOf(fee.amountCents);
  const rate = rateOf(fee, words);
  if (rate !== undefined) {
    const units = format.shortUnits(fee.units, dec(rate).div(100).toFixed(), amount);
    return { fee, steps, units, price: '', rate };
  }
  const units = format.shortUnits(fee.units, price, amount);
  return { fee, steps, units, price: format.shortPrice(price, units, amount) };
}

/** What one unit costs. What completes a minimum is one unit, whose amount was rounded with those that it completes. */
function priceOf({ type, pricingUnit, preciseUnitAmount, units, ...fee }: PrintedFee, format: Format): string {
  if (pricingUnit) return pricingUnit.preciseUnitAmount;
  const isRest = type === 'commitment' || Boolean(fee.trueUpParentFeeId);
  return isRest && dec(units).eq(1) ? format.amountOf(fee.amountCents) : preciseUnitAmount;
}

function shortStep(step: Step, format: Format): Step {
  const { units, price, rate } = step;
  const amount = step.amount.toDecimalPlaces(MOST_STEP_DIGITS);
  if (units === undefined) return { ...step, amount };
  const factor = rate === undefined ? (price ?? '1') : dec(rate).div(100).toFixed();
  const short = format.shortUnits(units, factor);
  return { ...step, amount, units: short, ...(price !== undefined && { price: format.shortPrice(price, short) }) };
}

function digitsOf(lines: readonly Line[], format: Format): Digits {
  const ofCurrency = lines.filter(({ fee }) => !fee.pricingUnit);
  const units = lines.flatMap((line) => [line.units, ...line.steps.map((step) => step.units ?? '0')]);
  const prices = ofCurrency.flatMap(({ steps, price, rate }) =>
    steps.length === 0
      ? rate === undefined
        ? [price]
        : []
      : steps.flatMap((step) => (step.price === undefined ? [] : [step.price])),
  );
  const amounts = ofCurrency.flatMap(({ steps }) => steps.map(({ amount }) => amount.toFixed()));
  const shared = (all: readonly number[]) => Math.max(0, ...all.filter((one) => one <= MOST_SHARED));
  return {
    units: shared(units.map((value) => dec(value).decimalPlaces())),
    price: shared(prices.map(format.amountDigits)),
    step: shared(amounts.map(format.amountDigits)),
  };
}

function rowOf(
  { fee, steps, units, price, rate }: Line,
  periods: readonly InvoicePeriod[],
  digits: Digits,
  words: Words,
): Row {
  const { labels, format } = words;
  const ofUnit = rate === undefined ? priceText(fee, price, digits, format) : format.percent(rate);
  const period = feePeriod(fee, periods, format);
  return {
    name: nameOf(fee, labels),
    details: [...(period ? [period] : []), ...detailLines(fee, words)],
    figures: [
      format.number(units, digits.units),
      steps.length > 0 ? '' : ofUnit,
      format.percent(fee.taxesRate),
      format.cents(fee.amountCents),
    ],
    steps: steps.map((step) => ({ label: step.label, figures: stepFigures(fee, step, digits, format) })),
    keep: 0,
  };
}

function nameOf({ type, name, trueUpParentFeeId }: PrintedFee, labels: Labels): string {
  if (trueUpParentFeeId) return `${isolated(name)} – ${labels.trueUp}`;
  // A name that nobody gave is in the language of the document.
  if (type === 'commitment' && name === en.commitment) return labels.commitment;
  return type === 'credit' && name === en.prepaid ? labels.prepaid : name;
}

function stepFigures(fee: PrintedFee, { units, price, rate, amount }: Step, digits: Digits, format: Format): Figures {
  const shown = price === undefined ? '' : priceText(fee, price, digits, format);
  const value = amount.toFixed();
  return [
    units === undefined ? '' : format.number(units, digits.units),
    rate === undefined ? shown : format.percent(rate),
    '',
    fee.pricingUnit ? inUnit(value, fee.pricingUnit.shortName, format) : format.amount(value, digits.step),
  ];
}

const inUnit = (value: string, name: string, format: Format) => `${format.number(value)} ${isolated(name)}`;

/** In the charge's own unit where it has one: converted to the currency, such a price is cut to cents and often 0. */
function priceText(fee: PrintedFee, price: string, digits: Digits, format: Format): string {
  return fee.pricingUnit ? inUnit(price, fee.pricingUnit.shortName, format) : format.amount(price, digits.price);
}

/** A line tells its own period when it is not that of its subscription, which stands above. */
function feePeriod(fee: PrintedFee, periods: readonly InvoicePeriod[], format: Format): string | null {
  const charges =
    fee.type === 'charge' ? periods.find((period) => period.chargesFromDate && period.chargesToDate) : null;
  const from = fee.fromDate ?? charges?.chargesFromDate;
  const to = fee.toDate ?? charges?.chargesToDate;
  if (!from || !to || periods.some((period) => period.fromDate === from && period.toDate === to)) return null;
  return format.period(from, to);
}
