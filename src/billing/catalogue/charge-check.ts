import { type ErrorDetails, type ErrorHints, withCodes } from '../errors.ts';
import type { Decimal } from '../money/decimal.ts';
import { isPriceModel } from './charge-property.ts';
import type { PriceModel } from './charge-type.ts';
import { ALL_FILTER_VALUES } from './filter.ts';
import type { AggregationType, FilterKey } from './metric.ts';
import { rangeCodes } from './number-range.ts';

/** A charge as it would be saved. */
export interface ChargeDraft {
  readonly model: unknown;
  readonly payInAdvance: boolean;
  readonly prorated: boolean;
  readonly invoiceable: boolean;
  readonly minAmountCents: bigint;
  readonly regroupPaidFees: unknown;
  readonly metric: { readonly aggregation: AggregationType; readonly recurring: boolean };
}

const ADVANCE_AGGREGATIONS: ReadonlySet<AggregationType> = new Set(['count', 'sum', 'unique_count', 'custom']);
const PRORATED_MODELS: ReadonlySet<unknown> = new Set<PriceModel>(['standard', 'volume', 'graduated']);

function modelCodes({ model, metric }: ChargeDraft): string[] {
  if (model == null) return ['value_is_invalid', 'value_is_mandatory'];
  if (!isPriceModel(model)) return ['value_is_invalid'];
  const fits =
    (model !== 'dynamic' || metric.aggregation === 'sum') && (model !== 'custom' || metric.aggregation === 'custom');
  return fits ? [] : ['invalid_aggregation_type_or_charge_model'];
}

function canBeProrated({ model, payInAdvance, metric }: ChargeDraft): boolean {
  if (!metric.recurring || metric.aggregation === 'weighted_sum') return false;
  return payInAdvance ? model === 'standard' : PRORATED_MODELS.has(model);
}

function minimumCodes({ minAmountCents, payInAdvance }: ChargeDraft): string[] {
  const codes = rangeCodes('charge', 'min_amount_cents', minAmountCents);
  if (codes.length > 0) return codes;
  return minAmountCents > 0n && payInAdvance ? ['not_compatible_with_pay_in_advance'] : [];
}

function regroupCodes({ regroupPaidFees, payInAdvance, invoiceable }: ChargeDraft): string[] {
  if (regroupPaidFees == null) return [];
  if (regroupPaidFees !== 'invoice') return ['value_is_invalid'];
  return payInAdvance && !invoiceable ? [] : ['only_compatible_with_pay_in_advance_and_non_invoiceable'];
}

/**
 * What does not go together in a charge: model and metric, pay in advance, proration, minimum, regrouping. Empty when all
 * does. A volume charge in advance is `pay_in_advance: [invalid_aggregation_type_or_charge_model]`. Source: behaviour 2.7.
 */
export function chargeErrors(charge: ChargeDraft): ErrorDetails {
  const inAdvance = charge.model !== 'volume' && ADVANCE_AGGREGATIONS.has(charge.metric.aggregation);
  return withCodes({
    charge_model: modelCodes(charge),
    pay_in_advance: charge.payInAdvance && !inAdvance ? ['invalid_aggregation_type_or_charge_model'] : [],
    prorated: charge.prorated && !canBeProrated(charge) ? ['invalid_billable_metric_or_charge_model'] : [],
    invoiceable: charge.invoiceable || charge.payInAdvance ? [] : ['must_be_true_unless_pay_in_advance'],
    min_amount_cents: minimumCodes(charge),
    regroup_paid_fees: regroupCodes(charge),
  });
}

/** A fixed charge as it would be saved; `units` null: not a number. */
export interface FixedChargeDraft {
  readonly model: unknown;
  readonly payInAdvance: boolean;
  readonly prorated: boolean;
  readonly units: Decimal | null;
}

/** What does not go together in a fixed charge. Empty when all does. Source: behaviour 2.8. */
export function fixedChargeErrors({ model, payInAdvance, prorated, units }: FixedChargeDraft): ErrorDetails {
  const known = model === 'standard' || model === 'graduated' || model === 'volume';
  const unitCodes = units === null ? ['is not a number'] : rangeCodes('fixed_charge', 'units', units);
  return withCodes({
    charge_model: known ? [] : model == null ? ['value_is_mandatory'] : ['value_is_invalid'],
    units: unitCodes,
    pay_in_advance: payInAdvance && model === 'volume' ? ['invalid_charge_model'] : [],
    prorated: payInAdvance && prorated && model === 'graduated' ? ['invalid_charge_model'] : [],
  });
}

/** Codes of one key of a filter. Members are compared as text; the wildcard stands alone. */
function keyErrors(key: string, listed: unknown, declared: readonly FilterKey[]): ErrorDetails | null {
  const known = declared.find((filterKey) => filterKey.key === key);
  if (known === undefined) return { billable_metric_filter: ['relation_must_exist'], values: ['value_is_invalid'] };
  if (listed == null) return { values: ['value_is_mandatory', 'value_is_invalid'] };
  if (!Array.isArray(listed) || listed.length === 0) return { values: ['value_is_mandatory'] };
  const texts = listed.map(String);
  if (texts.length === 1 && texts[0] === ALL_FILTER_VALUES) return null;
  return texts.every((text) => known.values.includes(text)) ? null : { values: ['value_is_invalid'] };
}

/** What is wrong with a filter's values, up to the first key that is; empty when nothing is. Source: behaviour 2.5. */
export function filterValueErrors(values: unknown, declared: readonly FilterKey[]): ErrorDetails {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return { values: ['value_is_mandatory'] };
  const entries = Object.entries(values);
  if (entries.length === 0) return { values: ['value_is_mandatory'] };
  for (const [key, listed] of entries) {
    const errors = keyErrors(key, listed, declared);
    if (errors !== null) return errors;
  }
  return {};
}

const MOST_TOLD = 10;

/** Some texts in a message: the first ten. */
function told(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_TOLD).map((text) => `"${text}"`);
  return [...shown, ...(texts.length > MOST_TOLD ? [`${texts.length - MOST_TOLD} more`] : [])].join(', ') || 'none';
}

/** Where `filterValueErrors` found what is wrong, and what its metric takes there. */
export function filterValueHints(values: object, declared: readonly FilterKey[]): ErrorHints {
  const [key] = Object.entries(values).find(([name, listed]) => keyErrors(name, listed, declared)) ?? [];
  if (key === undefined) return {};
  const known = declared.find((filterKey) => filterKey.key === key);
  const limit = known ? `of ${told(known.values)}` : `keys ${told(declared.map((one) => one.key))}`;
  return { values: { below: [key], limit }, billable_metric_filter: { name: 'values', below: [key], limit } };
}
