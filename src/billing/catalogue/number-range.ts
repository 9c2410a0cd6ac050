import { type BillingError, invalid } from '../errors.ts';
import { Decimal } from '../money/decimal.ts';

/** Bounds of a number as decimal text: `least` and `most` are allowed themselves, `above` and `below` are not. */
export interface NumberRange {
  readonly least?: string;
  readonly above?: string;
  readonly most?: string;
  readonly below?: string;
}

// What a column of minor units, of whole numbers, and of exact numbers holds.
const MOST_CENTS = '9223372036854775807';
const LEAST_CENTS = '-9223372036854775808';
const MOST_INTEGER = '2147483647';
const BEYOND_DECIMAL = '1e35';

const CENTS: NumberRange = { least: '0', most: MOST_CENTS };
const PRICE_CENTS: NumberRange = { least: '1', most: MOST_CENTS };
const SIGNED_CENTS: NumberRange = { least: LEAST_CENTS, most: MOST_CENTS };
const AMOUNT: NumberRange = { least: '0', below: BEYOND_DECIMAL };
const SIGNED: NumberRange = { above: '-1e35', below: BEYOND_DECIMAL };
const COUNT: NumberRange = { least: '0', most: MOST_INTEGER };
const RANK: NumberRange = { least: '1', most: MOST_INTEGER };
/** Taxes of more than the price exist; beyond ten times the price it is a slip. */
const PERCENT: NumberRange = { least: '0', most: '1000' };
/** Units of what is sold: 15 digits before the point. */
const UNITS: NumberRange = { least: '0', below: '1e15' };
/** A conversion rate: 25 digits before the point, and never worth nothing. */
const RATE: NumberRange = { above: '0', below: '1e25' };
/** Ten years of days to pay, or to correct a draft. */
const TERM: NumberRange = { least: '0', most: '3650' };
const PRIORITY: NumberRange = { least: '1', most: '50' };

const same = (range: NumberRange, ...columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [column, range]));
const cents = (range: NumberRange, ...names: readonly string[]) =>
  same(range, ...names.map((name) => `${name}_amount_cents`));

const TAX_LINE = { tax_rate: PERCENT, amount_cents: CENTS };

/** Every number that is stored, by resource and column. Sums of what was billed are never below 0; balances that run ahead are. */
export const NUMBER_RANGES: Readonly<Record<string, Readonly<Record<string, NumberRange>>>> = {
  tax: { rate: PERCENT },
  billing_entity: same(TERM, 'invoice_grace_period', 'net_payment_term'),
  billable_metric: { rounding_precision: { least: '-30', most: '30' } },
  add_on: { amount_cents: CENTS },
  plan: { amount_cents: CENTS, trial_period: { least: '0', most: '36500' } },
  charge: { min_amount_cents: CENTS, conversion_rate: RATE },
  charge_filter: { position: COUNT },
  feature_privilege: { position: COUNT },
  fixed_charge: { units: UNITS },
  minimum_commitment: { amount_cents: PRICE_CENTS },
  usage_threshold: { amount_cents: PRICE_CENTS },
  customer: { sequential_id: RANK, vat_unanswered: COUNT, ...same(TERM, 'invoice_grace_period', 'net_payment_term') },
  subscription: { external_historical_usage_amount_cents: CENTS },
  activation_rule: { timeout_hours: COUNT },
  alert: { previous_value: SIGNED },
  alert_threshold: { value: SIGNED },
  fixed_charge_units_event: { units: UNITS },
  coupon: { amount_cents: CENTS, percentage_rate: PERCENT, frequency_duration: RANK },
  applied_coupon: {
    ...{ amount_cents: CENTS, percentage_rate: PERCENT, frequency_duration: RANK },
    frequency_duration_remaining: COUNT,
  },
  wallet: {
    ...{ rate_amount: RATE, credits_balance: AMOUNT, consumed_credits: AMOUNT, balance_cents: CENTS },
    ...same(SIGNED, 'credits_ongoing_balance', 'credits_ongoing_usage_balance'),
    ...same(SIGNED_CENTS, 'ongoing_balance_cents', 'ongoing_usage_balance_cents'),
    ...cents(PRICE_CENTS, 'paid_top_up_min', 'paid_top_up_max'),
    priority: PRIORITY,
  },
  recurring_transaction_rule: {
    ...same(AMOUNT, 'threshold_credits', 'paid_credits', 'granted_credits', 'target_ongoing_balance'),
  },
  wallet_transaction: {
    ...{ amount: AMOUNT, credit_amount: AMOUNT, remaining_amount_cents: CENTS, priority: PRIORITY },
  },
  invoice: {
    ...{ sequential_id: RANK, billing_entity_sequential_id: RANK, net_payment_term: TERM, version_number: COUNT },
    ...cents(CENTS, 'fees', 'coupons', 'credit_notes', 'progressive_billing_credit', 'taxes', 'total', 'total_paid'),
    ...cents(CENTS, 'sub_total_excluding_taxes', 'sub_total_including_taxes'),
    ...cents(CENTS, 'prepaid_credit', 'prepaid_granted_credit', 'prepaid_purchased_credit'),
    taxes_rate: PERCENT,
  },
  invoice_applied_tax: { ...TAX_LINE, fees_amount_cents: CENTS },
  applied_usage_threshold: { lifetime_usage_amount_cents: CENTS },
  fee: {
    ...{ amount_cents: CENTS, taxes_amount_cents: CENTS, taxes_rate: PERCENT, units: SIGNED, events_count: COUNT },
    ...same(AMOUNT, 'precise_amount_cents', 'taxes_precise_amount_cents', 'precise_coupons_amount_cents'),
    ...{ total_aggregated_units: SIGNED, precise_unit_amount: SIGNED },
    ...same(UNITS, 'adjusted_units', 'adjusted_precise_unit_amount'),
  },
  fee_applied_tax: TAX_LINE,
  pricing_unit_usage: {
    ...{ amount_cents: CENTS, precise_amount_cents: AMOUNT, unit_amount_cents: SIGNED_CENTS },
    ...{ precise_unit_amount: SIGNED, conversion_rate: RATE },
  },
  credit: { amount_cents: CENTS },
  credit_note: {
    ...cents(CENTS, 'total', 'credit', 'balance', 'refund', 'offset', 'sub_total_excluding_taxes', 'taxes'),
    ...{ sequential_id: RANK, coupons_adjustment_amount_cents: CENTS, taxes_rate: PERCENT },
  },
  credit_note_item: { amount_cents: CENTS, precise_amount_cents: AMOUNT },
  payment_request: { amount_cents: CENTS },
  payment: { amount_cents: CENTS },
  event: { precise_total_amount_cents: SIGNED },
  daily_usage: same(SIGNED_CENTS, 'amount_cents', 'added_amount_cents'),
  // Of a preview: usage that is supposed, and the number of coupons that are described.
  supposed_usage: { units: UNITS },
};

/** The range of a number; every number has one. */
export function numberRange(resource: string, column: string): NumberRange {
  const range = NUMBER_RANGES[resource]?.[column];
  if (!range) throw new Error(`${resource}.${column} has no range`);
  return range;
}

/**
 * Whether a number may be written, whichever way it comes in: a mutation, an import, a preview. Units of -2 may not, 0 may;
 * a wallet's rate of 0 may not.
 */
export function isInRange(
  { least, above, most, below }: NumberRange,
  value: Decimal | bigint | number | string,
): boolean {
  const number = new Decimal(typeof value === 'bigint' ? value.toString() : value);
  return (
    (least === undefined || number.gte(least)) &&
    (above === undefined || number.gt(above)) &&
    (most === undefined || number.lte(most)) &&
    (below === undefined || number.lt(below))
  );
}

/** A range in words: `at least 0, below 1e15`. */
export function rangeText(resource: string, column: string): string {
  const { least, above, most, below } = numberRange(resource, column);
  const bounds = [least && `at least ${least}`, above && `above ${above}`, most && `at most ${most}`];
  return [...bounds, below && `below ${below}`].filter(Boolean).join(', ');
}

/** What is wrong with a number, as codes: none, or `value_is_out_of_range`. Null and undefined are no numbers. */
export function rangeCodes(
  resource: string,
  column: string,
  value: Decimal | bigint | number | string | null | undefined,
): string[] {
  return value == null || isInRange(numberRange(resource, column), value) ? [] : ['value_is_out_of_range'];
}

/** What is wrong with numbers by themselves, by their names; undefined where nothing is. Null and what is absent is nothing. */
export function rangeRefusal(
  resource: string,
  numbers: Readonly<Record<string, bigint | string | null | undefined>>,
): BillingError | undefined {
  const wrong = Object.entries(numbers).filter(
    ([column, value]) => value != null && rangeCodes(resource, column, value).length > 0,
  );
  if (wrong.length === 0) return undefined;
  const each = <T>(told: (column: string) => T) => Object.fromEntries(wrong.map(([column]) => [column, told(column)]));
  return invalid(
    each(() => ['value_is_out_of_range']),
    each((column) => ({ limit: rangeText(resource, column) })),
  );
}
