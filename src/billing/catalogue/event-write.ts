import { type BillingError, type ErrorHints, invalid, withCodes } from '../errors.ts';
import { decimalOf, isMembers, textOf } from '../usage/value.ts';
import { isInRange, numberRange, rangeCodes, rangeText } from './number-range.ts';

/** A usage event as an application sends it. Null is as absent. */
export interface SentEvent {
  /** Names the event within its subscription, in the sender's words. */
  readonly transactionId?: string | null;
  /** Code of a metric, known or not. */
  readonly code?: string | null;
  /** External identifier of a subscription, known or not. */
  readonly externalSubscriptionId?: string | null;
  /** When the usage happened; the moment of receipt by default. */
  readonly timestamp?: Date | null;
  /** An object. */
  readonly properties?: unknown;
  /** Minor units as decimal text, for dynamic prices. */
  readonly preciseTotalAmountCents?: string | null;
}

/** An event that may be stored. Without a subscription it has that of no name. */
export interface ReadEvent {
  readonly transactionId: string;
  readonly code: string;
  readonly externalSubscriptionId: string;
  readonly timestamp: Date;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly preciseTotalAmountCents: string | null;
}

const YEAR_MS = 366 * 86_400_000;

const isBlank = (text: string | null | undefined) => text == null || text.trim() === '';

/** What is wrong with the amount of an event: none, or `value_is_out_of_range`. */
export const amountCodes = (amount: string | null | undefined): string[] =>
  rangeCodes('event', 'precise_total_amount_cents', amount);

/** What may be given for the amount of an event. */
export const amountHint = () => ({
  precise_total_amount_cents: { limit: rangeText('event', 'precise_total_amount_cents') },
});

const HINTS: ErrorHints = {
  ...amountHint(),
  timestamp: { limit: 'at most a year from now' },
  properties: { limit: 'an object' },
};

/**
 * Why an event is refused, with all that is wrong in one `validation_errors`: what is missing (`value_is_mandatory`), a time of more than a
 * year ahead, which milliseconds taken for seconds are. Its metric and its subscription need not exist. Nothing where it is not refused.
 */
export function eventRefusal(sent: SentEvent, now: Date): BillingError | undefined {
  const { transactionId, code, timestamp, properties, preciseTotalAmountCents } = sent;
  const isAhead = timestamp != null && timestamp.getTime() > now.getTime() + YEAR_MS;
  const faults = withCodes({
    timestamp: isAhead ? ['value_is_out_of_range'] : [],
    transaction_id: isBlank(transactionId) ? ['value_is_mandatory'] : [],
    code: isBlank(code) ? ['value_is_mandatory'] : [],
    properties: properties == null || isMembers(properties) ? [] : ['value_is_invalid'],
    precise_total_amount_cents: amountCodes(preciseTotalAmountCents),
  });
  return Object.keys(faults).length > 0 ? invalid(faults, HINTS) : undefined;
}

/** An event as it is read, whatever is wrong with it. */
export function readEvent(sent: SentEvent, now: Date): ReadEvent {
  const { transactionId, code, externalSubscriptionId, timestamp, properties, preciseTotalAmountCents } = sent;
  return {
    transactionId: transactionId ?? '',
    code: code ?? '',
    externalSubscriptionId: externalSubscriptionId ?? '',
    timestamp: timestamp ?? now,
    properties: isMembers(properties) ? properties : {},
    preciseTotalAmountCents: preciseTotalAmountCents ?? null,
  };
}

const COMPUTED_FROM = ['timestamp', 'code', 'properties'];

/** Whether an expression can be computed of an event that is refused: whatever it lacks, no expression reads it. */
export const isComputable = (refusal: BillingError | undefined): boolean =>
  !COMPUTED_FROM.some((member) => refusal?.details?.[member]);

/** Aggregations that read a property as a number. */
export const NUMERIC_AGGREGATIONS = ['sum_agg', 'max_agg', 'latest_agg', 'weighted_sum_agg'] as const;

// No shorter text is out of the range.
const SHORTEST = 36;

const RANGE = numberRange('fee', 'units');

/** Whether a value is a number of units that no fee could have. */
export const isBeyondUnits = (value: unknown): boolean => {
  if ((textOf(value)?.length ?? 0) < SHORTEST) return false;
  const number = decimalOf(value);
  return number !== null && !isInRange(RANGE, number);
};
