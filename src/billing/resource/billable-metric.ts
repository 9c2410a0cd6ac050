import { type BillingError, type ErrorHints, invalid, withCodes } from '../errors.ts';
import {
  BOOLEAN,
  choice,
  EXPRESSION,
  INTEGER,
  initially,
  mandatory,
  optional,
  parts,
  TEXT,
  TEXTS,
  type Values,
} from './field.ts';
import { resource } from './resource.ts';

type Aggregation =
  | 'count_agg'
  | 'sum_agg'
  | 'max_agg'
  | 'unique_count_agg'
  | 'weighted_sum_agg'
  | 'latest_agg'
  | 'custom_agg';

/** A property of events that prices can depend on. */
export const METRIC_FILTER_FIELDS = { key: mandatory(TEXT), values: mandatory(TEXTS) };

const FIELDS = {
  code: mandatory(TEXT),
  name: mandatory(TEXT),
  description: optional(TEXT),
  aggregationType: mandatory(choice<Aggregation>('AggregationType')),
  fieldName: optional(TEXT),
  recurring: initially(BOOLEAN, false),
  roundingFunction: optional(choice<'round' | 'ceil' | 'floor'>('RoundingFunction')),
  roundingPrecision: optional(INTEGER),
  weightedInterval: optional(TEXT),
  expression: optional(EXPRESSION),
  filters: parts('filters', 'BillableMetricFilter', METRIC_FILTER_FIELDS),
};

/** What needs no property of its events. */
const WITHOUT_FIELD: ReadonlySet<string> = new Set(['count_agg', 'custom_agg']);
/** What has no level to carry over. */
const NEVER_RECURRING: ReadonlySet<string> = new Set(['count_agg', 'max_agg', 'latest_agg']);

const HINTS: ErrorHints = {
  field_name: { limit: 'the name of a property of the events' },
  recurring: { limit: 'false, unless it adds up or counts unique values' },
  weighted_interval: { limit: '"seconds" of a weighted sum, none of others' },
};

type Metric = Values<typeof FIELDS>;

function refusal({ aggregationType, fieldName, recurring, weightedInterval }: Metric): BillingError | undefined {
  const isWeighted = aggregationType === 'weighted_sum_agg';
  const needsField = !WITHOUT_FIELD.has(aggregationType);
  const isBlank = (fieldName ?? '').trim() === '';
  const isOtherInterval = isWeighted ? weightedInterval !== 'seconds' : ![null, 'seconds'].includes(weightedInterval);
  const details = withCodes({
    field_name: aggregationType != null && needsField && isBlank ? ['value_is_mandatory'] : [],
    recurring: recurring && NEVER_RECURRING.has(aggregationType) ? ['not_compatible_with_aggregation_type'] : [],
    weighted_interval: isOtherInterval ? ['value_is_invalid'] : [],
  });
  return Object.keys(details).length > 0 ? invalid(details, HINTS) : undefined;
}

/** What usage is measured by. Source: engine-catalogue 6. */
export const BILLABLE_METRIC = resource('billable_metric', FIELDS, refusal);
