import { Decimal } from '../money/decimal.ts';
import { MOST_RANGES } from './work-limit.ts';

const DECIMAL_TEXT = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/;
/** Bound: beyond it an amount would need more digits than anything stores; it also keeps "1e999" from growing. */
const MAX_EXPONENT = 60;

/** What is wrong with a member of properties, and where it is. */
export interface PropertyFault {
  readonly code: string;
  readonly below: readonly (string | number)[];
  readonly limit?: string | undefined;
}

/** Faults by inner field, in the order the fields first went wrong. */
export interface PropertyErrors {
  /** `below` is the field itself unless it is said. */
  add(field: string, code: string, more?: Partial<PropertyFault>): void;
  faults(): PropertyFault[];
}

/** An empty collection of faults. */
export function propertyErrorList(): PropertyErrors {
  const byField = new Map<string, PropertyFault[]>();
  return {
    add: (field, code, more) => {
      const faults = byField.get(field) ?? [];
      faults.push({ code, below: [field], ...more });
      byField.set(field, faults);
    },
    faults: () => [...byField.values()].flat(),
  };
}

/** A JSON string that holds a finite decimal not below 0; a JSON number is none. Source: behaviour 3.2. */
export function isAmount(value: unknown): value is string {
  if (typeof value !== 'string' || !DECIMAL_TEXT.test(value)) return false;
  const amount = new Decimal(value.trim());
  return (amount.isZero() || !amount.isNegative()) && (amount.isZero() || Math.abs(amount.e) <= MAX_EXPONENT);
}

interface RangeKind {
  readonly name: string;
  readonly price: 'per_unit_amount' | 'rate';
  readonly priceCode: string;
  /** How far above the end of the range before a range may begin. */
  readonly steps: readonly number[];
}

type RangeJson = Readonly<Record<string, unknown>>;

/** Bounds are JSON numbers; compared as decimals, so that 0.1 + 1 is 1.1. */
function boundOf(value: unknown): Decimal | null {
  return typeof value === 'number' && Number.isFinite(value) ? new Decimal(String(value)) : null;
}

function validBounds(
  range: RangeJson,
  previous: RangeJson | undefined,
  isLast: boolean,
  steps: readonly number[],
): boolean {
  const from = boundOf(range.from_value);
  if (from === null) return false;
  const ends = previous === undefined ? null : boundOf(previous.to_value);
  const starts =
    previous === undefined
      ? [0, 1].some((first) => from.eq(first))
      : ends !== null && steps.some((step) => from.eq(ends.plus(step)));
  if (!starts) return false;
  if (isLast) return range.to_value === null || range.to_value === undefined;
  const to = boundOf(range.to_value);
  return to?.gt(from) === true;
}

/**
 * Checks a list of ranges: both amounts of each, and the bounds: the first begins at 0 or 1, each next one `steps` above
 * the end of the one before, each end lies above its start, and only the last is open. More than 500 are `value_is_too_long` and not
 * looked at. Source: behaviour 3.2.
 */
export function rangeErrors(ranges: unknown, kind: RangeKind, errors: PropertyErrors): void {
  if (!Array.isArray(ranges) || ranges.length === 0) {
    errors.add(kind.name, `missing_${kind.name}`);
    return;
  }
  if (ranges.length > MOST_RANGES) {
    errors.add(kind.name, 'value_is_too_long', { limit: `at most ${MOST_RANGES} ranges` });
    return;
  }
  const list: readonly RangeJson[] = ranges.map((range) => (typeof range === 'object' && range !== null ? range : {}));
  for (const [at, range] of list.entries()) {
    const below = (name: string) => ({ below: [kind.name, at, name] });
    if (!isAmount(range[kind.price])) errors.add(kind.price, kind.priceCode, below(kind.price));
    if (!isAmount(range.flat_amount)) errors.add('flat_amount', 'invalid_amount', below('flat_amount'));
    const valid = validBounds(range, list[at - 1], at === list.length - 1, kind.steps);
    if (!valid) errors.add(kind.name, `invalid_${kind.name}`, { below: [kind.name, at] });
  }
}
