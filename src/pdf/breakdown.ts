import { dec } from '../billing/money/decimal.ts';
import type { Format } from './format.ts';
import type { AmountRange, PrintedDetails, PrintedFee } from './invoice-document.ts';
import type { Labels } from './labels/word.ts';
import { isolated } from './text/text-layout.ts';

type Words = { labels: Labels; format: Format };

const isZero = (value: string | undefined) => value === undefined || dec(value).isZero();

/** What stands under a line's name: description, filter, groups, how the amount came about. One text a line. */
export function detailLines(fee: PrintedFee, words: Words): string[] {
  return [
    ...(fee.description ? [fee.description] : []),
    ...filterLine(fee),
    ...pairs(fee.groupedBy),
    ...(fee.amountDetails ? breakdown(fee.amountDetails, words) : []),
    ...pricingUnit(fee, words),
    ...(fee.presentationBreakdowns ?? []).map(
      (part) => `${pairs(part.by).join(', ')}: ${words.format.number(part.units)}`,
    ),
  ];
}

function filterLine(fee: PrintedFee): string[] {
  if (fee.filterName) return [fee.filterName];
  const values = Object.entries(fee.filters ?? {}).map(
    ([key, list]) => `${isolated(key)}: ${list.map(isolated).join(', ')}`,
  );
  return values.length > 0 ? [values.join(' · ')] : [];
}

const pairs = (members: Readonly<Record<string, string | null>> | null | undefined): string[] =>
  Object.entries(members ?? {}).flatMap(([key, value]) =>
    value === null ? [] : [`${isolated(key)}: ${isolated(value)}`],
  );

/** The price models by the members they leave behind, in words a customer can check: "0 – 10: 10 × €1.00 = €10.00". */
function breakdown(details: PrintedDetails, words: Words): string[] {
  if (details.graduatedRanges) {
    return details.graduatedRanges.map((range) => rangeLine(range, words.format.amount(range.perUnitAmount), words));
  }
  if (details.graduatedPercentageRanges) {
    return details.graduatedPercentageRanges.map((range) => rangeLine(range, words.format.percent(range.rate), words));
  }
  if (details.perPackageSize !== undefined) return packageLines(details, words);
  if (details.rate !== undefined) return percentageLines(details, words);
  return details.perUnitAmount === undefined ? [] : volumeLines(details, words);
}

function rangeLine(range: AmountRange, price: string, { format, labels }: Words): string {
  const from = format.number(String(range.fromValue));
  const bounds = range.toValue === null ? `${from} +` : `${from} – ${format.number(String(range.toValue))}`;
  const flat = isZero(range.flatUnitAmount) ? '' : ` + ${format.amount(range.flatUnitAmount)} (${labels.flatFee})`;
  return `${bounds}: ${format.number(range.units)} × ${price}${flat} = ${format.amount(range.totalWithFlatAmount)}`;
}

function volumeLines(details: PrintedDetails, { format, labels }: Words): string[] {
  if (isZero(details.flatUnitAmount)) return [];
  const total = format.amount(details.perUnitTotalAmount ?? '0');
  return [`${total} + ${format.amount(details.flatUnitAmount ?? '0')} (${labels.flatFee})`];
}

function packageLines(details: PrintedDetails, { format, labels }: Words): string[] {
  const size = dec(details.perPackageSize ?? 0);
  const packages = size.isZero()
    ? size
    : dec(details.paidUnits ?? '0')
        .div(size)
        .ceil();
  const price = details.perPackageUnitAmount ?? '0';
  const name = labels.packagesOf.replace('{size}', format.number(size.toFixed()));
  return [
    ...(isZero(details.freeUnits)
      ? []
      : [`${labels.freeUnits}${labels.colon}${format.number(details.freeUnits ?? '0')}`]),
    ...(packages.isZero()
      ? []
      : [
          `${name}${labels.colon}${format.number(packages.toFixed())} × ${format.amount(price)} = ${format.amount(packages.times(price).toFixed())}`,
        ]),
  ];
}

function percentageLines(details: PrintedDetails, { format, labels }: Words): string[] {
  const { freeUnits, freeEvents, paidUnits, rate, perUnitTotalAmount } = details;
  const events = freeEvents ? ` (${format.number(String(freeEvents))} ${labels.freeEvents})` : '';
  const free =
    isZero(freeUnits) && !freeEvents
      ? []
      : [`${labels.freeUnits}${labels.colon}${format.number(freeUnits ?? '0')}${events}`];
  const part = `${format.number(paidUnits ?? '0')} × ${format.percent(rate ?? '0')} = ${format.amount(perUnitTotalAmount ?? '0')}`;
  const fixed = isZero(details.fixedFeeTotalAmount)
    ? []
    : [
        `${labels.fixedFee}${labels.colon}${format.number(String(details.paidEvents ?? 0))} × ${format.amount(details.fixedFeeUnitAmount ?? '0')} = ${format.amount(details.fixedFeeTotalAmount ?? '0')}`,
      ];
  const adjustment = isZero(details.minMaxAdjustmentTotalAmount)
    ? []
    : [`${labels.minMax}${labels.colon}${format.amount(details.minMaxAdjustmentTotalAmount ?? '0')}`];
  return [...free, ...(isZero(paidUnits) ? [] : [part]), ...fixed, ...adjustment];
}

function pricingUnit(fee: PrintedFee, { format }: Words): string[] {
  if (!fee.pricingUnit) return [];
  const { shortName, preciseAmount, conversionRate } = fee.pricingUnit;
  const name = isolated(shortName);
  return [`${format.number(preciseAmount)} ${name} · 1 ${name} = ${format.amount(conversionRate)}`];
}
