/** The price models of a charge; a fixed charge has standard, graduated and volume only. */
export const PRICE_MODELS = [
  'standard',
  'graduated',
  'graduated_percentage',
  'package',
  'percentage',
  'volume',
  'dynamic',
  'custom',
] as const;
export type PriceModel = (typeof PRICE_MODELS)[number];

/** A bound as the caller sent it: a JSON number or decimal text. Never used for money. */
export type Bound = number | string;

/** A range of graduated and volume prices, in the specification's member names. */
export interface PriceRange {
  readonly from_value: Bound;
  /** Null: open upwards. */
  readonly to_value: Bound | null;
  readonly per_unit_amount: string;
  readonly flat_amount: string;
}

/** A range of graduated percentages. */
export interface PercentageRange {
  readonly from_value: Bound;
  readonly to_value: Bound | null;
  readonly rate: string;
  readonly flat_amount: string;
}

export interface PresentationKey {
  readonly value: string;
  readonly options?: { readonly display_in_invoice?: boolean };
}

/** Properties of a charge, a filter or a fixed charge as they are stored; money and rates are decimal text. */
export interface ChargeProperties {
  readonly amount?: string;
  readonly graduated_ranges?: readonly PriceRange[];
  readonly volume_ranges?: readonly PriceRange[];
  readonly graduated_percentage_ranges?: readonly PercentageRange[];
  readonly free_units?: Bound | null;
  readonly package_size?: Bound | null;
  readonly rate?: string;
  readonly fixed_amount?: string | null;
  readonly free_units_per_events?: Bound | null;
  readonly free_units_per_total_aggregation?: string | null;
  readonly per_transaction_min_amount?: string | null;
  readonly per_transaction_max_amount?: string | null;
  readonly custom_properties?: unknown;
  readonly pricing_group_keys?: readonly string[];
  /** Older name of pricing_group_keys, read only when that is absent. */
  readonly grouped_by?: readonly string[];
  readonly presentation_group_keys?: readonly PresentationKey[];
}
