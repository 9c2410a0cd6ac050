import { Decimal, dec, decimalText } from '../../billing/money/decimal.ts';
import { builder } from './builder.ts';
import { KeyValue, keyValues } from './key-value.ts';

type Json = Readonly<Record<string, unknown>>;

const COUNTS: ReadonlySet<string> = new Set([
  ...['from_value', 'to_value', 'per_package_size', 'free_events', 'paid_events'],
]);
const AMOUNT = 'plan_amount_cents';
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i;
const WHOLE = /^-?\d+$/;

const isMembers = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The digits of a decimal however it is held: by a rule, as the text or the number that an import gave. */
function digitsOf(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return String(value);
  const { toFixed } = (value ?? {}) as { toFixed?: unknown };
  return typeof toFixed === 'function' ? String(toFixed.call(value)) : undefined;
}

/** A decimal of a JSON member as every other one is shown; what is none stays as it is. */
function shownDecimal(value: unknown): unknown {
  if (value instanceof Decimal && value.isFinite()) return decimalText(value);
  const digits = digitsOf(value);
  return digits !== undefined && NUMBER.test(digits) ? decimalText(dec(digits)) : value;
}

const isWhole = (value: unknown) =>
  (typeof value === 'string' && WHOLE.test(value)) || (typeof value === 'number' && Number.isSafeInteger(value));

/** An amount in minor units is a bigint whatever its size, so that each door writes all of them in one way. */
const shownAmount = (value: unknown): unknown => (isWhole(value) ? BigInt(value as string | number) : value);

function shownCount(value: unknown): unknown {
  if (!isWhole(value)) return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value as string);
}

/**
 * Amount details as they are shown: decimals by the one writer of decimals, counts and amounts in minor units as integers.
 * Rules, older rules and imports have stored them in more than one way.
 */
export function shownDetails(details: unknown): unknown {
  if (Array.isArray(details)) return details.map(shownDetails);
  if (!isMembers(details)) return details;
  const members = Object.entries(details).map(([name, value]) => {
    if (name === AMOUNT) return [name, shownAmount(value)];
    if (COUNTS.has(name)) return [name, shownCount(value)];
    return [
      name,
      typeof value === 'object' && digitsOf(value) === undefined ? shownDetails(value) : shownDecimal(value),
    ];
  });
  return Object.fromEntries(members);
}

/** Usage by what it is presented by, with its units as every other decimal. */
export function shownBreakdowns(breakdowns: unknown): unknown {
  if (!Array.isArray(breakdowns)) return [];
  return breakdowns.map((part) => (isMembers(part) ? { ...part, units: shownDecimal(part.units) } : part));
}

interface Presented {
  readonly by: unknown;
  readonly units: string;
}

export const PresentedUnits = builder.objectRef<Presented>('PresentedUnits').implement({
  description: 'A part of the units by what it is presented by.',
  fields: (t) => ({
    presentationBy: t.field({
      type: [KeyValue],
      description: 'The properties of events and their values.',
      resolve: ({ by }) => keyValues(by),
    }),
    units: t.field({ type: 'Decimal', description: 'Units of these values.', resolve: ({ units }) => units }),
  }),
});

/** Usage by what it is presented by, typed. */
export const presentedUnits = (breakdowns: unknown): Presented[] =>
  (Array.isArray(breakdowns) ? breakdowns : [])
    .filter(isMembers)
    .map(({ presentation_by, units }) => ({ by: presentation_by, units: digitsOf(units) ?? '0' }));
