import { usageOfEvents } from '../../../src/billing/aggregate/usage-source.ts';
import type { AppliedPricingUnit, ChargeInput, FixedChargeInput } from '../../../src/billing/catalogue/charge.ts';
import type { ChargeProperties, PriceModel } from '../../../src/billing/catalogue/charge-type.ts';
import type { FilterKey, MetricInput } from '../../../src/billing/catalogue/metric.ts';
import type { TaxInput } from '../../../src/billing/catalogue/tax.ts';
import { advanceEventFee, estimateEvent } from '../../../src/billing/fee/advance-fee.ts';
import { type DraftFee, draftFee } from '../../../src/billing/fee/draft-fee.ts';
import { editFee } from '../../../src/billing/fee/edited-fee.ts';
import { chargeFees } from '../../../src/billing/fee/fee.ts';
import { fixedChargeFee, fixedChargeIncreaseFee, fixedChargeUnits } from '../../../src/billing/fee/fixed-charge.ts';
import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import { chooseTaxes } from '../../../src/billing/fee/tax-source.ts';
import { trueUpFee } from '../../../src/billing/fee/true-up.ts';
import { taxFee } from '../../../src/billing/invoice/tax.ts';
import { minorUnits } from '../../../src/billing/money/currency.ts';
import { type Decimal, dec, sum, ZERO } from '../../../src/billing/money/decimal.ts';
import { parseInstant } from '../../instant.ts';
import { type BeforeJson, type EventJson, eventOf, periodOf, usageSince } from './aggregations.ts';
import { feeInput } from './scenario-input.ts';
import type { Json } from './vector-type.ts';

interface UnitJson {
  readonly conversion_rate: string;
}

export interface FilterJson {
  readonly name: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly properties?: ChargeProperties;
  readonly created_at?: string;
}

interface PeriodJson {
  readonly from: string;
  readonly to: string;
  readonly duration_days: number;
}

interface ChargeJson {
  readonly charge_model: PriceModel;
  readonly properties: ChargeProperties;
  readonly filters?: readonly FilterJson[];
  readonly prorated?: boolean;
  readonly pay_in_advance?: boolean;
  readonly min_amount_cents?: number;
  readonly applied_pricing_unit?: UnitJson;
}

interface MetricJson {
  readonly aggregation: MetricInput['aggregation'];
  readonly recurring: boolean;
  readonly field_name?: string;
  readonly filters: readonly FilterKey[];
  readonly rounding?: { readonly function: 'round' | 'ceil' | 'floor' | null; readonly precision?: number | null };
  readonly rounding_function?: 'round' | 'ceil' | 'floor' | null;
  readonly rounding_precision?: number | null;
}

export interface ChargeFeesJson extends BeforeJson {
  readonly currency: string;
  readonly context: 'invoice' | 'current_usage';
  readonly timezone: string;
  readonly period: PeriodJson;
  readonly metric: MetricJson;
  readonly charge: ChargeJson;
  readonly events: readonly EventJson[];
  readonly taxes?: readonly (number | string)[];
}

const pricingUnit = (json: UnitJson | undefined): AppliedPricingUnit | null =>
  json === undefined ? null : { conversionRate: dec(json.conversion_rate) };

function chargeOf(charge: ChargeJson, metric: MetricJson, payInAdvance: boolean): ChargeInput {
  const mode = metric.rounding?.function ?? metric.rounding_function;
  const precision = metric.rounding?.precision ?? metric.rounding_precision;
  return {
    id: 'charge',
    model: charge.charge_model,
    properties: charge.properties,
    metric: {
      aggregation: metric.aggregation,
      recurring: metric.recurring,
      fieldName: metric.field_name,
      filters: metric.filters,
      rounding: mode ? { function: mode, precision } : null,
    },
    filters: (charge.filters ?? []).map(({ name, values, properties, created_at: at }) => ({
      id: name,
      values,
      properties: properties ?? {},
      createdAt: at === undefined ? undefined : parseInstant(at),
    })),
    prorated: charge.prorated,
    payInAdvance,
    minAmountCents: charge.min_amount_cents === undefined ? undefined : BigInt(charge.min_amount_cents),
    pricingUnit: pricingUnit(charge.applied_pricing_unit),
  };
}

function taxInputs(rates: readonly (number | string)[]): TaxInput[] {
  return rates.map((rate, at) => ({ id: `tax${at}`, code: `tax${at}`, name: `tax${at}`, rate: dec(String(rate)) }));
}

function taxed(fee: DraftFee, rates: readonly (number | string)[], coupons = ZERO): InvoiceFee {
  const taxes = taxInputs(rates);
  const untaxed = {
    ...fee,
    taxes,
    preciseCouponsAmountCents: coupons,
    preciseCreditNotesAmountCents: ZERO,
    taxesAmountCents: 0n,
    taxesPreciseAmountCents: ZERO,
    taxesRate: ZERO,
    appliedTaxes: [],
  };
  // The tax rule reads nothing else of a fee; the rest belongs to the invoice.
  return taxFee(untaxed as unknown as InvoiceFee);
}

/** A fee in the words of the cases. */
export function feeView(fee: DraftFee): Json {
  const unit = fee.pricingUnit;
  return {
    filter: fee.filterId,
    grouped_by: fee.groupedBy,
    units: fee.units,
    events_count: fee.eventsCount,
    amount_cents: fee.amountCents,
    precise_amount_cents: fee.preciseAmountCents,
    unit_amount_cents: fee.unitAmountCents,
    precise_unit_amount: fee.preciseUnitAmount,
    total_aggregated_units: fee.totalAggregatedUnits,
    amount_details: fee.amountDetails,
    true_up: fee.trueUpParentKey !== null,
    pricing_unit: unit && {
      amount_cents: unit.amountCents,
      precise_amount_cents: unit.preciseAmountCents,
      unit_amount_cents: unit.unitAmountCents,
      precise_unit_amount: unit.preciseUnitAmount,
    },
  };
}

export function taxView(fee: InvoiceFee): Json {
  return {
    taxes_amount_cents: fee.taxesAmountCents,
    taxes_precise_amount_cents: fee.taxesPreciseAmountCents,
    taxes_rate: fee.taxesRate,
  };
}

function chargeFeesView(input: ChargeFeesJson): Json {
  const charge = chargeOf(input.charge, input.metric, input.charge.pay_in_advance === true);
  const period = periodOf(input.period, input.timezone);
  const { currency, context } = input;
  const { events, levelFrom } = usageSince(input, charge.metric, period, input.events.map(eventOf));
  const fees = chargeFees({ charge, currency, period, context, usage: usageOfEvents(events), levelFrom });
  return {
    fees_count: fees.length,
    total_amount_cents: sum(fees.map((fee) => dec(fee.amountCents))),
    fees: fees.map((fee) => ({ ...feeView(fee), ...taxView(taxed(fee, input.taxes ?? [])) })),
  };
}

function sequenceView(input: ChargeFeesJson): Json {
  const events = input.events.map(eventOf);
  const charge = chargeOf(input.charge, input.metric, true);
  const period = periodOf(input.period, input.timezone);
  const fees = events.map((event, at) => {
    const usage = usageOfEvents(events.slice(0, at + 1));
    return feeView(advanceEventFee({ charge, currency: input.currency, period, usage, event }));
  });
  return { fees };
}

interface TrueUpJson {
  readonly currency: string;
  readonly timezone?: string;
  readonly period: PeriodJson;
  readonly min_amount_cents: number;
  readonly used_amount_cents: number;
  readonly used_precise_amount_cents: string;
  readonly applied_pricing_unit?: UnitJson;
}

function trueUpView(input: TrueUpJson): Json {
  const charge: ChargeInput = {
    ...chargeOf(
      { charge_model: 'standard', properties: {} },
      { aggregation: 'count', recurring: false, filters: [] },
      false,
    ),
    minAmountCents: BigInt(input.min_amount_cents),
    pricingUnit: pricingUnit(input.applied_pricing_unit),
  };
  const parent = draftFee({ key: 'parent', type: 'charge' });
  const amounts = {
    amountCents: BigInt(input.used_amount_cents),
    preciseAmountCents: dec(input.used_precise_amount_cents),
  };
  const unit = charge.pricingUnit;
  const detail = unit ? { ...unit, ...amounts, unitAmountCents: 0n, preciseUnitAmount: ZERO } : null;
  const used = { ...parent, ...(detail === null ? amounts : {}), pricingUnit: detail };
  const period = periodOf(input.period, input.timezone ?? 'UTC');
  const fee = trueUpFee({ charge, currency: input.currency, period }, [used], parent);
  return { true_up: fee && feeView(fee) };
}

interface TaxesJson {
  readonly amount_cents: number;
  readonly precise_amount_cents: string;
  readonly precise_coupons_amount_cents: string;
  readonly taxes: readonly (number | string)[];
}

function taxesView(input: TaxesJson): Json {
  const fee = draftFee({
    key: 'fee',
    type: 'charge',
    amountCents: BigInt(input.amount_cents),
    preciseAmountCents: dec(input.precise_amount_cents),
  });
  const coupons = dec(input.precise_coupons_amount_cents);
  const applied = taxed(fee, input.taxes, coupons).appliedTaxes.map((line, at) => ({
    rate: input.taxes[at],
    amount_cents: line.amountCents,
    precise_amount_cents: taxed(fee, [input.taxes[at] ?? 0], coupons).taxesPreciseAmountCents,
  }));
  return { ...taxView(taxed(fee, input.taxes, coupons)), applied };
}

type Codes = readonly string[] | undefined;

function precedenceView(input: Readonly<Record<string, Codes>> & { readonly fee_type: string }): Json {
  const taxes = (codes: Codes): TaxInput[] =>
    (codes ?? []).map((code) => ({ id: code, code, name: code, rate: dec(1) }));
  const own = input[input.fee_type];
  const chosen = chooseTaxes({
    explicit: taxes(input.explicit),
    own: taxes(own),
    plan: input.fee_type === 'add_on' ? [] : taxes(input.plan),
    customer: taxes(input.customer),
    billingEntity: taxes(input.billing_entity),
  });
  return { taxes: chosen.map(({ code }) => code) };
}

interface EditJson {
  readonly charge_model: PriceModel;
  readonly properties: ChargeProperties;
  readonly currency: string;
  readonly adjusted: 'units' | 'amount';
  readonly units: string;
  readonly unit_precise_amount_cents?: string;
  readonly applied_pricing_unit?: UnitJson;
}

/** What a price in cents is divided by. */
const hundred = (input: EditJson) => (input.applied_pricing_unit ? 100 : minorUnits(input.currency));

function editView(input: EditJson): Json {
  const byAmount = input.adjusted === 'amount';
  const charge = {
    model: input.charge_model,
    properties: input.properties,
    pricingUnit: pricingUnit(input.applied_pricing_unit),
  };
  const edit = {
    units: dec(input.units),
    preciseUnitAmount: byAmount ? dec(input.unit_precise_amount_cents ?? '0').div(hundred(input)) : null,
    invoiceDisplayName: null,
  };
  const computed = feeInput({ type: 'charge', amount_cents: 0 }, 0, []);
  return feeView(editFee(computed, charge, input.currency, edit));
}

interface FixedJson {
  readonly currency: string;
  readonly timezone?: string;
  readonly period: PeriodJson;
  readonly charge_model: FixedChargeInput['model'];
  readonly properties: ChargeProperties;
  readonly prorated: boolean;
  readonly unit_events: readonly { readonly units: string; readonly timestamp: string; readonly created_at: string }[];
  readonly at: string;
  readonly already_paid_units: string;
  readonly new_units: string;
}

function fixedInput(input: FixedJson, payInAdvance: boolean) {
  const { charge_model: model, properties, prorated } = input;
  const charge: FixedChargeInput = { id: 'fixed', model, properties, prorated, payInAdvance, units: ZERO };
  return { charge, currency: input.currency, period: periodOf(input.period, input.timezone ?? 'UTC') };
}

function fixedView(input: FixedJson): Json {
  const fixed = fixedInput(input, false);
  const history = input.unit_events.map((entry) => ({
    units: dec(entry.units),
    timestamp: parseInstant(entry.timestamp),
    createdAt: parseInstant(entry.created_at),
  }));
  const units = fixedChargeUnits(history, fixed.period, input.prorated);
  return { ...feeView(fixedChargeFee(fixed, units)), prorated_units: units.proratedUnits };
}

function increaseView(input: FixedJson): Json {
  const change = {
    newUnits: dec(input.new_units),
    paidUnits: dec(input.already_paid_units),
    at: parseInstant(input.at),
  };
  return feeView(fixedChargeIncreaseFee(fixedInput(input, true), change));
}

/** An amount on its own way to a fee: one event of that value at a price of 1. */
function centsView({ amount, currency }: { readonly amount: string; readonly currency: string }): Json {
  const [fee] = chargeFees({
    charge: chargeOf(
      { charge_model: 'standard', properties: { amount: '1' } },
      { aggregation: 'sum', recurring: false, field_name: 'value', filters: [] },
      false,
    ),
    currency,
    period: { from: 0, to: 1, durationDays: 1, timezone: 'UTC' },
    context: 'current_usage',
    levelFrom: null,
    usage: usageOfEvents([{ timestamp: 0, properties: { value: amount } }]),
  });
  return fee === undefined ? {} : feeView(fee);
}

function estimateView(input: {
  readonly charge_model: PriceModel;
  readonly properties: ChargeProperties;
  readonly units: unknown;
}): Json {
  const estimate: { units: Decimal; amount: Decimal } = estimateEvent(
    { model: input.charge_model, properties: input.properties },
    input.units,
    'EUR',
  );
  return { ...estimate };
}

const on =
  <I>(view: (input: I) => Json) =>
  (input: Json): Json =>
    view(input as I);

/** What we say about each kind of fee case. */
export const FEE_KINDS: Readonly<Record<string, (input: Json) => Json>> = {
  charge_fees: on(chargeFeesView),
  pay_in_advance_sequence: on(sequenceView),
  true_up: on(trueUpView),
  taxes: on(taxesView),
  tax_precedence: on(precedenceView),
  adjusted_fee: on(editView),
  fixed_charge: on(fixedView),
  fixed_charge_in_advance: on(increaseView),
  instant_estimate: on(estimateView),
  cents: on(centsView),
};
