import { dec } from '../billing/money/decimal.ts';
import { detailLines, type Step, stepsOf } from './breakdown.ts';
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

type Line = { fee: PrintedFee; steps: readonly Step[] };
type Digits = { units: number; price: number };

/** More digits than these are a line's own, and would make those of the others hard to read. */
const MOST_SHARED = 6;
const MOST_STEP_DIGITS = 6;

/** The rows of each group. A column has one number of digits. */
export function rowsOf(groups: readonly LineGroup[], words: Words): Row[][] {
  const lines = groups.map(({ fees }) => fees.map((fee): Line => ({ fee, steps: stepsOf(fee, words) })));
  const digits = digitsOf(lines.flat(), words.format);
  return groups.map(({ periods }, at) => (lines[at] ?? []).map((line) => rowOf(line, periods, digits, words)));
}

function digitsOf(lines: readonly Line[], format: Format): Digits {
  const units = lines.flatMap(({ fee, steps }) => [fee.units, ...steps.map((step) => step.units ?? '0')]);
  const prices = lines.flatMap(({ fee, steps }) => {
    if (fee.pricingUnit) return [];
    if (steps.length === 0) return [format.priceDigits(fee.preciseUnitAmount, fee.units)];
    return steps.flatMap((step) =>
      step.price === undefined ? [] : [format.priceDigits(step.price, step.units ?? '1')],
    );
  });
  const shared = (all: readonly number[]) => Math.max(0, ...all.filter((one) => one <= MOST_SHARED));
  return { units: shared(units.map((value) => dec(value).decimalPlaces())), price: shared(prices) };
}

function rowOf({ fee, steps }: Line, periods: readonly InvoicePeriod[], digits: Digits, words: Words): Row {
  const { labels, format } = words;
  const period = feePeriod(fee, periods, format);
  const price = fee.pricingUnit?.preciseUnitAmount ?? fee.preciseUnitAmount;
  return {
    name: nameOf(fee, labels),
    details: [...(period ? [period] : []), ...detailLines(fee, words)],
    figures: [
      format.number(fee.units, digits.units),
      steps.length > 0 ? '' : priceText(fee, price, fee.units, digits, format),
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
  const shown = price === undefined ? '' : priceText(fee, price, units ?? '1', digits, format);
  const value = amount.toDecimalPlaces(MOST_STEP_DIGITS).toFixed();
  return [
    units === undefined ? '' : format.number(units, digits.units),
    rate === undefined ? shown : format.percent(rate),
    '',
    fee.pricingUnit ? inUnit(value, fee.pricingUnit.shortName, format) : format.amount(value),
  ];
}

const inUnit = (value: string, name: string, format: Format) => `${format.number(value)} ${isolated(name)}`;

/** In the charge's own unit where it has one: converted to the currency, such a price is cut to cents and often 0. */
function priceText(fee: PrintedFee, price: string, units: string, digits: Digits, format: Format): string {
  return fee.pricingUnit ? inUnit(price, fee.pricingUnit.shortName, format) : format.price(price, units, digits.price);
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
