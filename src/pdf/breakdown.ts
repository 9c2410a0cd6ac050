import { ALL_FILTER_VALUES } from '../billing/catalogue/filter.ts';
import { Decimal, dec } from '../billing/money/decimal.ts';
import type { Format } from './format.ts';
import type { AmountRange, PrintedDetails, PrintedFee } from './invoice-document.ts';
import type { Labels } from './labels/word.ts';
import { isolated } from './text/text-layout.ts';

type Words = { labels: Labels; format: Format };

/** Digits of amounts in a charge's own unit. */
const PRICING_UNIT_DIGITS = 2;

const isZero = (value: string | undefined) => value === undefined || dec(value).isZero();

/** What stands under a line's name: description, filter, groups. One text a line. */
export function detailLines(fee: PrintedFee, words: Words): string[] {
  return [
    ...(fee.description ? [fee.description] : []),
    ...filterLine(fee),
    ...pairs(fee.groupedBy),
    ...pricingUnit(fee, words),
    ...(fee.presentationBreakdowns ?? []).map(
      (part) => `${pairs(part.by).join(', ')}: ${words.format.number(words.format.shortUnits(part.units, '1'))}`,
    ),
  ];
}

function filterLine(fee: PrintedFee): string[] {
  if (fee.filterName) return [fee.filterName];
  const values = Object.entries(fee.filters ?? {}).map(([key, list]) =>
    list.includes(ALL_FILTER_VALUES) ? isolated(key) : `${isolated(key)}: ${list.map(isolated).join(', ')}`,
  );
  return values.length > 0 ? [values.join(' · ')] : [];
}

const pairs = (members: Readonly<Record<string, string | null>> | null | undefined): string[] =>
  Object.entries(members ?? {}).flatMap(([key, value]) =>
    value === null ? [] : [`${isolated(key)}: ${isolated(value)}`],
  );

/** One step of a calculation, with figures for the columns of the table; what has no figure there is empty. */
export type Step = { label: string; units?: string; price?: string; rate?: string; amount: Decimal };

/**
 * How an amount came about, by the members that the price models leave behind: tiers, packages, free units, minimums. None
 * when units times price say all of it, or when the steps would not add up to the amount of the line.
 */
export function stepsOf(fee: PrintedFee, words: Words): Step[] {
  const steps = fee.amountDetails ? modelSteps(fee, fee.amountDetails, words) : [];
  if (isWhole(fee, steps)) return [];
  const sum = steps.reduce((total, { amount }) => total.plus(amount), dec(0));
  const whole = fee.pricingUnit ? dec(fee.pricingUnit.preciseAmount) : dec(words.format.amountOf(fee.amountCents));
  return sum.minus(whole).abs().lte(words.format.minorUnit) ? steps : [];
}

/** The rate, in percent, of a line that is a percentage of its units and nothing else. */
export function rateOf(fee: PrintedFee, words: Words): string | undefined {
  const steps = fee.amountDetails && !fee.pricingUnit ? modelSteps(fee, fee.amountDetails, words) : [];
  const [{ rate } = {}] = isWhole(fee, steps) ? steps : [];
  if (rate === undefined) return undefined;
  const whole = dec(words.format.amountOf(fee.amountCents));
  const product = dec(fee.units).times(rate).div(100);
  return product.toDecimalPlaces(dec(words.format.minorUnit).decimalPlaces()).eq(whole) ? rate : undefined;
}

/** Whether one step has all units of the line. */
const isWhole = (fee: PrintedFee, [step, ...others]: readonly Pick<Step, 'units' | 'rate'>[]) =>
  others.length === 0 && step?.units !== undefined && dec(step.units).eq(fee.units);

function modelSteps(fee: PrintedFee, details: PrintedDetails, words: Words): Step[] {
  const { graduatedRanges, graduatedPercentageRanges } = details;
  if (graduatedRanges)
    return graduatedRanges.flatMap((range) => rangeSteps(range, { price: range.perUnitAmount }, words));
  if (graduatedPercentageRanges)
    return graduatedPercentageRanges.flatMap((range) => rangeSteps(range, { rate: range.rate }, words));
  if (details.perPackageSize !== undefined) return packageSteps(fee, details, words);
  if (details.rate !== undefined) return percentageSteps(fee, details, words);
  return details.perUnitAmount === undefined ? [] : volumeSteps(fee, details, words);
}

function rangeSteps(range: AmountRange, price: Pick<Step, 'price' | 'rate'>, { format, labels }: Words): Step[] {
  const from = format.number(String(range.fromValue));
  const label = range.toValue === null ? `${from} +` : `${from} – ${format.number(String(range.toValue))}`;
  const flat = { label: `${label}, ${labels.flatFee}`, amount: dec(range.flatUnitAmount) };
  const units = { label, units: range.units, ...price, amount: dec(range.perUnitTotalAmount) };
  return [...(isZero(range.units) ? [] : [units]), ...(isZero(range.flatUnitAmount) ? [] : [flat])];
}

function volumeSteps(fee: PrintedFee, details: PrintedDetails, words: Words): Step[] {
  const { units } = fee;
  if (isZero(details.flatUnitAmount)) return [];
  const price = details.perUnitAmount ?? '0';
  return [
    { label: words.labels.units, units, price, amount: dec(details.perUnitTotalAmount ?? '0') },
    { label: capital(words.labels.flatFee), amount: dec(details.flatUnitAmount ?? '0') },
  ];
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Of an allowance, what was used. */
const freeUnits = (fee: PrintedFee, { freeUnits: free }: PrintedDetails) => Decimal.min(free ?? 0, fee.units).toFixed();

function packageSteps(fee: PrintedFee, details: PrintedDetails, words: Words): Step[] {
  const { format, labels } = words;
  const size = dec(details.perPackageSize ?? 0);
  const paid = dec(details.paidUnits ?? '0');
  const packages = size.isZero() ? size : paid.div(size).ceil();
  const price = details.perPackageUnitAmount ?? '0';
  const free = freeUnits(fee, details);
  const units = packages.toFixed();
  const label = labels.packagesOf.replace('{size}', format.number(size.toFixed()));
  return [
    ...(isZero(free) ? [] : [{ label: labels.freeUnits, units: free, amount: dec(0) }]),
    ...(packages.isZero() ? [] : [{ label, units, price, amount: packages.times(price) }]),
  ];
}

function percentageSteps(fee: PrintedFee, details: PrintedDetails, words: Words): Step[] {
  const { format, labels } = words;
  const { freeEvents, paidUnits, rate, perUnitTotalAmount } = details;
  const units = freeUnits(fee, details);
  const events = freeEvents ? ` (${format.number(String(freeEvents))} ${labels.freeEvents})` : '';
  const free = { label: `${labels.freeUnits}${events}`, units, amount: dec(0) };
  const paid = {
    label: labels.units,
    units: paidUnits ?? '0',
    rate: rate ?? '0',
    amount: dec(perUnitTotalAmount ?? '0'),
  };
  const fixed = {
    label: labels.fixedFee,
    units: String(details.paidEvents ?? 0),
    price: details.fixedFeeUnitAmount ?? '0',
    amount: dec(details.fixedFeeTotalAmount ?? '0'),
  };
  const adjustment = { label: labels.minMax, amount: dec(details.minMaxAdjustmentTotalAmount ?? '0') };
  return [
    ...(isZero(units) && !freeEvents ? [] : [free]),
    ...(isZero(paidUnits) ? [] : [paid]),
    ...(fixed.amount.isZero() ? [] : [fixed]),
    ...(adjustment.amount.isZero() ? [] : [adjustment]),
  ];
}

function pricingUnit(fee: PrintedFee, { format }: Words): string[] {
  if (!fee.pricingUnit) return [];
  const { shortName, preciseAmount, conversionRate } = fee.pricingUnit;
  const name = isolated(shortName);
  // It is rounded in its own unit before it is converted.
  const amount = dec(preciseAmount).toDecimalPlaces(PRICING_UNIT_DIGITS).toFixed();
  return [`${format.number(amount)} ${name} · 1 ${name} = ${format.amount(conversionRate)}`];
}
