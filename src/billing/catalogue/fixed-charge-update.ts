import { type ErrorDetails, type ErrorHints, withCodes } from '../errors.ts';
import { Decimal, dec } from '../money/decimal.ts';
import { fixedChargeErrors } from './charge-check.ts';
import type { ChargeProperties } from './charge-type.ts';
import { introduced, isBlank, MOST_CODE_LENGTH, wantedProperties } from './charge-update.ts';
import { ignoredMembers, keptHints } from './ignored.ts';
import { rangeText } from './number-range.ts';
import { type WrittenProperties, writtenProperties } from './property-write.ts';

/** Digits of units as they are stored, after the point. */
const UNITS_DECIMALS = 10;

/** A fixed charge as it is stored, without its taxes. */
export interface FixedChargeState {
  readonly code: string;
  readonly model: 'standard' | 'graduated' | 'volume';
  readonly invoiceDisplayName: string | null;
  readonly payInAdvance: boolean;
  readonly prorated: boolean;
  readonly units: Decimal;
  readonly properties: ChargeProperties;
}

/** What a caller sends: absent members leave the value, null clears the display name and is absent elsewhere. */
export interface FixedChargePatch {
  readonly code?: string | null;
  readonly chargeModel?: FixedChargeState['model'] | null;
  readonly invoiceDisplayName?: string | null;
  /** Decimal text. */
  readonly units?: string | null;
  readonly properties?: unknown;
  /** These never change. */
  readonly payInAdvance?: boolean | null;
  readonly prorated?: boolean | null;
}

export interface UpdatedFixedCharge {
  readonly charge: FixedChargeState;
  readonly errors: ErrorDetails;
  /** What was asked for and stays as it is. */
  readonly ignored: ErrorDetails;
  /** What is known of both beyond the codes. */
  readonly hints: ErrorHints;
}

export const FIXED_CHARGE_LIMITS: ErrorHints = {
  charge_model: { limit: 'standard, graduated or volume' },
  code: { limit: `at most ${MOST_CODE_LENGTH} characters` },
  units: { limit: rangeText('fixed_charge', 'units') },
};

export const unitsOf = (sent: string) => dec(sent).toDecimalPlaces(UNITS_DECIMALS, Decimal.ROUND_HALF_UP);

/** Code and model are structure: they stay once the plan has had a subscription. */
function changed(charge: FixedChargeState, input: FixedChargePatch, attached: boolean): FixedChargeState {
  const { code, chargeModel, invoiceDisplayName, units } = input;
  return {
    ...charge,
    code: attached || isBlank(code) ? charge.code : (code ?? charge.code),
    model: attached ? charge.model : (chargeModel ?? charge.model),
    invoiceDisplayName: invoiceDisplayName === undefined ? charge.invoiceDisplayName : invoiceDisplayName,
    units: units == null ? charge.units : unitsOf(units),
  };
}

/**
 * What an update makes of a fixed charge. Pay in advance, proration and add-on never change; attached, nor do code and model.
 * Absent members keep their values. Taxes, the code's uniqueness and the units history are the caller's. `{units: "6"}` on 5
 * units at 10 is 6 units at 10. Source: behaviour 2.8, design 11.
 */
export function updatedFixedCharge(
  charge: FixedChargeState,
  input: FixedChargePatch,
  attached: boolean,
): UpdatedFixedCharge {
  const next = changed(charge, input, attached);
  const wanted = wantedProperties(input.properties, charge, next.model, input.chargeModel != null);
  const { properties, errors, faults }: WrittenProperties =
    wanted === charge.properties
      ? { properties: charge.properties, errors: [] }
      : writtenProperties(wanted, { model: next.model, owner: 'fixed_charge', aggregation: null });
  const { code, model } = changed(charge, input, false);
  const kept = { ...charge, chargeModel: charge.model };
  const { payInAdvance, prorated } = input;
  const asked = { payInAdvance: payInAdvance ?? undefined, prorated: prorated ?? undefined };
  const ignored = ignoredMembers({ ...asked, ...(attached && { code, chargeModel: model }) }, kept);
  return {
    charge: { ...next, properties },
    ignored,
    hints: { ...FIXED_CHARGE_LIMITS, properties: { each: faults ?? [] }, ...keptHints(ignored, kept) },
    errors: {
      ...introduced(fixedChargeErrors(charge), fixedChargeErrors(next)),
      ...withCodes({
        properties: errors,
        code: next.code.length > MOST_CODE_LENGTH ? ['value_is_too_long'] : [],
      }),
    },
  };
}
