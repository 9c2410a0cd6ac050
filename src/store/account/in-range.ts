import { NUMBER_RANGES, rangeCodes, rangeText } from '../../billing/catalogue/number-range.ts';
import { type ErrorDetails, type ErrorHint, invalid } from '../../billing/errors.ts';
import type { Decimal } from '../../billing/money/decimal.ts';
import { camelCase } from '../../billing/name-case.ts';

type Numbers = Readonly<Record<string, Decimal | bigint | number | null | undefined>>;

/** Of each resource its columns, with the names that rows give them. */
const COLUMNS = new Map(
  Object.entries(NUMBER_RANGES).map(([resource, ranges]) => [
    resource,
    Object.keys(ranges).map((column) => ({ column, field: camelCase(column) })),
  ]),
);

/**
 * A row whose numbers the rules can bill. One stored before numbers had ranges, or past the gateway, is refused by the names
 * of its columns instead of ending a computation in its middle. `fields`: those that the rules read, where not all.
 */
export function inRange<T extends object>(resource: string, row: T, fields?: readonly (keyof T & string)[]): T {
  const numbers = row as Numbers;
  const read: readonly string[] | undefined = fields;
  const details: ErrorDetails = {};
  const hints: Record<string, ErrorHint> = {};
  for (const { column, field } of COLUMNS.get(resource) ?? []) {
    if (read && !read.includes(field)) continue;
    const codes = rangeCodes(resource, column, numbers[field]);
    if (codes.length === 0) continue;
    details[column] = codes;
    hints[column] = { limit: `${rangeText(resource, column)}; stored: ${numbers[field]}` };
  }
  if (Object.keys(details).length > 0) throw invalid(details, hints);
  return row;
}
