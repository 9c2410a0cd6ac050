import { snakeCase } from '../../billing/name-case.ts';
import type { AmountRange, PrintedDetails } from '../../pdf/invoice-document.ts';

type Json = Readonly<Record<string, unknown>>;

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const AMOUNTS = [
  'units',
  'freeUnits',
  'paidUnits',
  'perPackageUnitAmount',
  'perUnitAmount',
  'perUnitTotalAmount',
  'flatUnitAmount',
  'rate',
  'fixedFeeUnitAmount',
  'fixedFeeTotalAmount',
  'minMaxAdjustmentTotalAmount',
] as const;
const COUNTS = ['perPackageSize', 'freeEvents', 'paidEvents'] as const;
const RANGE = ['units', 'perUnitTotalAmount', 'flatUnitAmount', 'totalWithFlatAmount'] as const;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

// Stored details came from a rule or from an import; what is no number is left out, so that the invoice is still printed.
function numberText(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return NUMBER.test(text) ? text : undefined;
}

function texts<Name extends string>(json: Json, names: readonly Name[]): { [N in Name]?: string } {
  const found = names.map((name) => [name, numberText(json[snakeCase(name)])] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as { [N in Name]?: string };
}

type RangePrice = 'perUnitAmount' | 'rate';

function ranges<Price extends RangePrice>(value: unknown, price: Price): (AmountRange & Record<Price, string>)[] {
  const rows = Array.isArray(value) ? value.filter(isObject) : [];
  const read = rows.map((row) => ({
    ...texts(row, [...RANGE, price]),
    fromValue: Number(row.from_value),
    toValue: row.to_value === null || row.to_value === undefined ? null : Number(row.to_value),
  }));
  const isWhole = (range: object): range is AmountRange & Record<Price, string> =>
    Object.keys(range).length === RANGE.length + 3;
  return read.every(isWhole) ? read : [];
}

/** Stored amount details, which have the member names of the specification, as the renderer reads them. */
export function readAmountDetails(json: unknown): PrintedDetails | null {
  if (!isObject(json)) return null;
  const graduatedRanges = ranges(json.graduated_ranges, 'perUnitAmount');
  const graduatedPercentageRanges = ranges(json.graduated_percentage_ranges, 'rate');
  const counts = Object.entries(texts(json, COUNTS)).map(([name, value]) => [name, Number(value)]);
  return {
    ...texts(json, AMOUNTS),
    ...Object.fromEntries(counts),
    ...(graduatedRanges.length > 0 && { graduatedRanges }),
    ...(graduatedPercentageRanges.length > 0 && { graduatedPercentageRanges }),
  };
}
