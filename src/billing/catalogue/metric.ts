export type AggregationType = 'count' | 'sum' | 'max' | 'latest' | 'unique_count' | 'weighted_sum' | 'custom';

export interface MetricRounding {
  readonly function: 'round' | 'ceil' | 'floor';
  readonly precision?: number | null;
}

export interface FilterKey {
  readonly key: string;
  readonly values: readonly string[];
}

export interface MetricInput {
  readonly id?: string;
  readonly aggregation: AggregationType;
  readonly fieldName?: string | null;
  readonly recurring: boolean;
  readonly rounding?: MetricRounding | null;
  /** The declared filter keys with their allowed values. */
  readonly filters: readonly FilterKey[];
}
