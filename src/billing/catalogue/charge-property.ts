import { type Bound, type ChargeProperties, PRICE_MODELS, type PriceModel } from './charge-type.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Members each model reads; everything else a caller sends is dropped. Source: behaviour 3.1. */
const MEMBERS: Readonly<Record<PriceModel, readonly (keyof ChargeProperties)[]>> = {
  standard: ['amount'],
  graduated: ['graduated_ranges'],
  volume: ['volume_ranges'],
  package: ['amount', 'free_units', 'package_size'],
  percentage: [
    'rate',
    'fixed_amount',
    'free_units_per_events',
    'free_units_per_total_aggregation',
    'per_transaction_max_amount',
    'per_transaction_min_amount',
  ],
  graduated_percentage: ['graduated_percentage_ranges'],
  dynamic: [],
  custom: ['custom_properties'],
};

export interface PropertyPlace {
  /** Where the properties stand: a filter has no presentation groups. */
  readonly owner: 'charge' | 'filter' | 'fixed_charge';
  /** A metric with its own aggregation keeps `custom_properties` under every model. */
  readonly customMetric?: boolean;
}

/** Whether a text names a price model. */
export function isPriceModel(model: unknown): model is PriceModel {
  return PRICE_MODELS.some((known) => known === model);
}

/**
 * The properties as they are stored: the model's members and the group keys, nothing else. `grouped_by` becomes
 * `pricing_group_keys` unless that was sent too; empty lists of group keys are dropped. A fixed charge has no groups.
 * Source: behaviour 3.1.
 */
export function keptProperties(model: PriceModel, properties: Properties, place: PropertyPlace): ChargeProperties {
  const members = place.customMetric ? [...MEMBERS[model], 'custom_properties'] : MEMBERS[model];
  const kept: Record<string, unknown> = {};
  for (const name of members) {
    if (properties[name] !== undefined) kept[name] = properties[name];
  }
  if (kept.custom_properties !== undefined) kept.custom_properties = parsedCustom(kept.custom_properties);
  if (place.owner === 'fixed_charge') return kept;
  const groups = properties.pricing_group_keys ?? withoutEmpty(properties.grouped_by);
  if (!isEmptyList(groups)) kept.pricing_group_keys = groups;
  const presentation = properties.presentation_group_keys;
  if (place.owner === 'charge' && !isEmptyList(presentation)) kept.presentation_group_keys = presentation;
  return kept;
}

function isEmptyList(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function withoutEmpty(keys: unknown): unknown {
  return Array.isArray(keys) ? keys.filter((key) => key !== '') : keys;
}

function parsedCustom(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return {};
  }
}

/** Properties of a charge or fixed charge of which only the model was sent. Source: behaviour 3.3. */
export function defaultProperties(model: PriceModel): ChargeProperties {
  const open: { from_value: Bound; to_value: null; flat_amount: string } = {
    from_value: 0,
    to_value: null,
    flat_amount: '0',
  };
  switch (model) {
    case 'standard':
      return { amount: '0' };
    case 'graduated':
      return { graduated_ranges: [{ ...open, per_unit_amount: '0' }] };
    case 'volume':
      return { volume_ranges: [{ ...open, per_unit_amount: '0' }] };
    case 'package':
      return { package_size: 1, amount: '0', free_units: 0 };
    case 'percentage':
      return { rate: '0' };
    case 'graduated_percentage':
      return { graduated_percentage_ranges: [{ ...open, rate: '0' }] };
    case 'dynamic':
    case 'custom':
      return {};
  }
}
