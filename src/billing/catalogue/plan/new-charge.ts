import { type ErrorDetails, gathered, invalid, refuse, withCodes } from '../../errors.ts';
import { Decimal, dec } from '../../money/decimal.ts';
import { isMembers } from '../../usage/value.ts';
import { chargeErrors, fixedChargeErrors } from '../charge-check.ts';
import { defaultProperties, isPriceModel } from '../charge-property.ts';
import type { PriceModel } from '../charge-type.ts';
import {
  CHARGE_LIMITS,
  type ChargePatch,
  type ChargeState,
  type MetricState,
  RATE_DECIMALS,
} from '../charge-update.ts';
import { type FilterInput, type FilterState, writtenFilters } from '../filter-write.ts';
import { FIXED_CHARGE_LIMITS, type FixedChargePatch, type FixedChargeState, unitsOf } from '../fixed-charge-update.ts';
import { rangeCodes } from '../number-range.ts';
import { type PropertyTarget, type WrittenProperties, writtenProperties } from '../property-write.ts';

/** What a caller sends of a new charge; its code is the caller's of this rule. */
export interface NewChargeInput extends Omit<ChargePatch, 'metric' | 'conversionRate' | 'code'> {
  readonly filters?: readonly FilterInput[] | null;
  /** The unit that it is to be priced in: whether there is such a one, and decimal text of its rate. */
  readonly unit?: { readonly isKnown: boolean; readonly conversionRate?: string | null | undefined } | null;
}

/** A new charge with its filters, without its code and metric. */
export interface NewCharge {
  readonly charge: Omit<ChargeState, 'code' | 'metric'>;
  readonly filters: readonly FilterState[];
}

/** Prices that were sent, or those of the model that cost nothing. */
function newProperties(sent: unknown, target: PropertyTarget): WrittenProperties {
  const isAbsent = sent == null || (isMembers(sent) && Object.keys(sent).length === 0);
  return writtenProperties(isAbsent ? defaultProperties(target.model) : sent, target);
}

function unitErrors({ unit }: NewChargeInput): { rate: Decimal | null; errors: ErrorDetails } {
  if (unit == null) return { rate: null, errors: {} };
  const sent = unit.conversionRate;
  const rate = sent == null ? null : dec(sent).toDecimalPlaces(RATE_DECIMALS, Decimal.ROUND_HALF_UP);
  const codes = rate === null ? ['value_is_mandatory'] : rangeCodes('charge', 'conversion_rate', rate);
  return {
    rate,
    errors: withCodes({ pricing_unit: unit.isKnown ? [] : ['relation_must_exist'], conversion_rate: codes }),
  };
}

/** The charge that a caller means, or one validation error with all that is wrong. Source: engine-catalogue 11.1. */
export function newCharge(input: NewChargeInput, metric: MetricState): NewCharge {
  const { chargeModel = null, filters } = input;
  const members = {
    payInAdvance: input.payInAdvance ?? false,
    prorated: input.prorated ?? false,
    invoiceable: input.invoiceable ?? true,
    minAmountCents: input.minAmountCents ?? 0n,
    regroupPaidFees: input.regroupPaidFees ?? null,
    acceptsTargetWallet: input.acceptsTargetWallet ?? false,
  };
  const own = chargeErrors({ ...members, model: chargeModel, metric });
  const { rate, errors: ofUnit } = unitErrors(input);
  const hints = {
    ...CHARGE_LIMITS,
    pricing_unit: { name: 'appliedPricingUnit', limit: 'a pricing unit that is there' },
  };
  if (!isPriceModel(chargeModel)) throw invalid({ ...own, ...ofUnit }, hints);
  const model: PriceModel = chargeModel;
  const target = { model, owner: 'charge', aggregation: metric.aggregation } as const;
  const { properties, errors, faults = [] } = newProperties(input.properties, target);
  const all = { ...own, ...ofUnit, ...withCodes({ properties: errors }) };
  const [written] = gathered([
    () => writtenFilters(filters ?? [], { model, metric }),
    () => refuse(all, { ...hints, properties: { each: faults } }),
  ]);
  const invoiceDisplayName = input.invoiceDisplayName ?? null;
  return { charge: { ...members, model, invoiceDisplayName, properties, conversionRate: rate }, filters: written };
}

/** The fixed charge that a caller means, without its code, or a validation error with all that is wrong. Source: engine-catalogue 11.4. */
export function newFixedCharge(input: Omit<FixedChargePatch, 'code'>): Omit<FixedChargeState, 'code'> {
  const { chargeModel: model, invoiceDisplayName = null } = input;
  const payInAdvance = input.payInAdvance ?? false;
  const prorated = input.prorated ?? false;
  const units = input.units == null ? dec(0) : unitsOf(input.units);
  const own = fixedChargeErrors({ model, payInAdvance, prorated, units });
  if (model == null) throw invalid(own, FIXED_CHARGE_LIMITS);
  const target = { model, owner: 'fixed_charge', aggregation: null } as const;
  const { properties, errors, faults = [] } = newProperties(input.properties, target);
  refuse({ ...own, ...withCodes({ properties: errors }) }, { ...FIXED_CHARGE_LIMITS, properties: { each: faults } });
  return { model, invoiceDisplayName, payInAdvance, prorated, units, properties };
}
