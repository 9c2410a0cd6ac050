import { type ErrorDetails, type ErrorHints, withCodes } from '../errors.ts';
import { Decimal, dec } from '../money/decimal.ts';
import { isMembers } from '../usage/value.ts';
import { chargeErrors } from './charge-check.ts';
import { defaultProperties } from './charge-property.ts';
import type { ChargeProperties, PriceModel } from './charge-type.ts';
import { ignoredMembers, keptHints } from './ignored.ts';
import type { AggregationType, FilterKey } from './metric.ts';
import { rangeCodes, rangeText } from './number-range.ts';
import { type WrittenProperties, writtenProperties } from './property-write.ts';

/** Bound of codes: they are unique by an index. */
export const MOST_CODE_LENGTH = 255;

/** Digits of a conversion rate as it is stored, after the point. */
export const RATE_DECIMALS = 15;

export interface MetricState {
  readonly id: string;
  readonly aggregation: AggregationType;
  readonly recurring: boolean;
  readonly filters: readonly FilterKey[];
}

/** A charge as it is stored, without its filters and taxes. */
export interface ChargeState {
  readonly code: string;
  readonly model: PriceModel;
  readonly invoiceDisplayName: string | null;
  readonly payInAdvance: boolean;
  readonly prorated: boolean;
  readonly invoiceable: boolean;
  readonly minAmountCents: bigint;
  readonly regroupPaidFees: 'invoice' | null;
  /** Whether an event can name the wallet that pays for it. */
  readonly acceptsTargetWallet: boolean;
  readonly properties: ChargeProperties;
  /** Null: the charge is priced in the currency of the plan. */
  readonly conversionRate: Decimal | null;
  readonly metric: MetricState;
}

/** What a caller sends: absent members leave the value. Null clears where that means something, and is absent elsewhere. */
export interface ChargePatch {
  readonly code?: string | null;
  readonly chargeModel?: PriceModel | null;
  readonly invoiceDisplayName?: string | null;
  readonly payInAdvance?: boolean | null;
  readonly prorated?: boolean | null;
  readonly invoiceable?: boolean | null;
  /** Null is 0: no minimum. */
  readonly minAmountCents?: bigint | null;
  readonly regroupPaidFees?: 'invoice' | null;
  readonly acceptsTargetWallet?: boolean | null;
  readonly properties?: unknown;
  /** Decimal text. */
  readonly conversionRate?: string | null;
  /** The metric that was asked for; null where there is none. Absent: none was. */
  readonly metric?: MetricState | null;
}

/** A charge after an update, and what is wrong with it; it must not be stored with errors. */
export interface UpdatedCharge {
  readonly charge: ChargeState;
  readonly errors: ErrorDetails;
  /** What was asked for and stays as it is. */
  readonly ignored: ErrorDetails;
  /** What is known of both beyond the codes. */
  readonly hints: ErrorHints;
}

/** A value that was sent and says something, else the one there is. */
const or = <T>(sent: T | null | undefined, kept: T): T => sent ?? kept;
const nullable = <T>(sent: T | null | undefined, kept: T | null): T | null => (sent === undefined ? kept : sent);
export const isBlank = (text: string | null | undefined) => text == null || text.trim() === '';

/** What makes a charge what it is; once the plan has had a subscription it stays. */
function structure(charge: ChargeState, input: ChargePatch, attached: boolean): ChargeState {
  if (attached) return charge;
  return {
    ...charge,
    code: isBlank(input.code) ? charge.code : or(input.code, charge.code),
    model: or(input.chargeModel, charge.model),
    payInAdvance: or(input.payInAdvance, charge.payInAdvance),
    prorated: or(input.prorated, charge.prorated),
    invoiceable: or(input.invoiceable, charge.invoiceable),
    minAmountCents: input.minAmountCents === undefined ? charge.minAmountCents : (input.minAmountCents ?? 0n),
    regroupPaidFees: nullable(input.regroupPaidFees, charge.regroupPaidFees),
    metric: or(input.metric, charge.metric),
  };
}

/** The properties to check: those sent; the model's defaults where a model came with none or has changed; else the old ones. */
export function wantedProperties(
  sent: unknown,
  old: { readonly model: PriceModel; readonly properties: ChargeProperties },
  model: PriceModel,
  isModelSent: boolean,
): unknown {
  if (sent == null) return model === old.model ? old.properties : defaultProperties(model);
  const isEmpty = isMembers(sent) && Object.keys(sent).length === 0;
  return isEmpty && isModelSent ? defaultProperties(model) : sent;
}

/** A conversion rate is above 0 after it has been rounded to what is stored. */
function conversionRate(
  charge: ChargeState,
  sent: string | null | undefined,
): { rate: Decimal | null; codes: string[] } {
  if (sent == null || charge.conversionRate === null) return { rate: charge.conversionRate, codes: [] };
  const rate = dec(sent).toDecimalPlaces(RATE_DECIMALS, Decimal.ROUND_HALF_UP);
  return { rate, codes: rangeCodes('charge', 'conversion_rate', rate) };
}

export const CHARGE_LIMITS: ErrorHints = {
  billable_metric: { limit: 'a metric that is there' },
  charge_model: { limit: 'a charge model' },
  code: { limit: `at most ${MOST_CODE_LENGTH} characters` },
  conversion_rate: { limit: rangeText('charge', 'conversion_rate') },
  min_amount_cents: { limit: rangeText('charge', 'min_amount_cents') },
  regroup_paid_fees: { limit: '"invoice", or null' },
};

/** Codes that an update brought in: what was stored before a rule came does not stand in the way of other changes. */
export function introduced(before: ErrorDetails, after: ErrorDetails): ErrorDetails {
  return withCodes(
    Object.fromEntries(
      Object.entries(after).map(([field, codes]) => [field, codes.filter((code) => !before[field]?.includes(code))]),
    ),
  );
}

/**
 * What an update makes of a charge. Attached: the plan has or had a subscription, so that structural members are ignored.
 * Absent members keep their values, and the whole is checked. Filters, taxes and the code's uniqueness are the caller's.
 * `{min_amount_cents: 5000000000}` changes the minimum alone. Source: behaviour 2.7, design 11.
 */
export function updatedCharge(charge: ChargeState, input: ChargePatch, attached: boolean): UpdatedCharge {
  const next = structure(charge, input, attached);
  const isModelSent = input.chargeModel != null;
  const wanted = wantedProperties(input.properties, charge, next.model, isModelSent);
  const target = { model: next.model, owner: 'charge', aggregation: next.metric.aggregation } as const;
  // Stored properties are checked again only when something they depend on has changed: they may be older than a rule.
  const isKept = wanted === charge.properties && next.metric.id === charge.metric.id;
  const { properties, errors, faults }: WrittenProperties = isKept
    ? { properties: charge.properties, errors: [] }
    : writtenProperties(wanted, target);
  const { rate, codes } = conversionRate(charge, input.conversionRate);
  const invoiceDisplayName = nullable(input.invoiceDisplayName, charge.invoiceDisplayName);
  const acceptsTargetWallet = or(input.acceptsTargetWallet, charge.acceptsTargetWallet);
  const { model: chargeModel, ...asked } = structure(charge, input, false);
  const kept = { ...charge, chargeModel: charge.model };
  const ignored = ignoredMembers(attached ? { ...asked, chargeModel } : {}, kept);
  return {
    charge: { ...next, invoiceDisplayName, acceptsTargetWallet, properties, conversionRate: rate },
    ignored,
    hints: { ...CHARGE_LIMITS, properties: { each: faults ?? [] }, ...keptHints(ignored, kept) },
    errors: {
      ...introduced(chargeErrors(charge), chargeErrors(next)),
      ...withCodes({
        properties: errors,
        conversion_rate: codes,
        billable_metric: !attached && input.metric === null ? ['relation_must_exist'] : [],
        code: next.code.length > MOST_CODE_LENGTH ? ['value_is_too_long'] : [],
      }),
    },
  };
}
