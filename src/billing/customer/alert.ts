import { rangeCodes, rangeText } from '../catalogue/number-range.ts';
import {
  type BillingError,
  type ErrorDetails,
  type ErrorHint,
  type ErrorHints,
  invalid,
  withCodes,
} from '../errors.ts';
import { type Decimal, dec } from '../money/decimal.ts';

/** What an alert on a subscription measures. */
export type AlertType =
  | 'current_usage_amount'
  | 'billable_metric_current_usage_amount'
  | 'billable_metric_current_usage_units'
  | 'lifetime_usage_amount';

/** A value that an alert tells of; of a recurring one each further step. */
export interface SentThreshold {
  readonly code?: string | null | undefined;
  readonly value: string;
  readonly recurring?: boolean | null | undefined;
}

/** An alert as it is to be. */
export interface AlertMembers {
  readonly alertType: AlertType;
  readonly code: string;
  readonly name: string | null;
  readonly billableMetricCode: string | null;
  readonly thresholds: readonly SentThreshold[];
}

/** The same where a member may not fit its type, and is not there then. */
type SomeMembers = {
  readonly [Name in Exclude<keyof AlertMembers, 'thresholds'>]?: AlertMembers[Name] | null | undefined;
} & { readonly thresholds?: readonly (Partial<SentThreshold> | undefined)[] | null | undefined };

const MOST_THRESHOLDS = 20;
// Of a member of the items of a list, as clients of the reference read it.
const VALUE = 'thresholds:value';

interface Placed {
  readonly place: number;
  readonly value: Decimal;
  readonly recurring: boolean;
}

/** Whether what it measures is the usage of one metric. */
const isOfMetric = (type: AlertType): boolean => type.startsWith('billable_metric_');

function listCodes(thresholds: readonly unknown[], placed: readonly Placed[]): string[] {
  const names = placed.map(({ value, recurring }) => `${value.toFixed()} ${recurring}`);
  return [
    ...(thresholds.length === 0 ? ['value_is_mandatory'] : []),
    ...(thresholds.length > MOST_THRESHOLDS ? ['too_many_thresholds'] : []),
    ...(new Set(names).size < names.length ? ['duplicate_threshold_values'] : []),
    ...(placed.filter(({ recurring }) => recurring).length > 1 ? ['multiple_recurring_thresholds'] : []),
  ];
}

/** A step of nothing would be crossed for ever. */
const valueCodes = ({ value, recurring }: Placed): string[] => [
  ...rangeCodes('alert_threshold', 'value', value),
  ...(recurring && value.lte(0) ? ['recurring_value_is_negative'] : []),
];

function thresholdFaults(thresholds: readonly (Partial<SentThreshold> | undefined)[]): [ErrorDetails, ErrorHints] {
  const placed = thresholds.flatMap((one, place): Placed[] =>
    one?.value === undefined ? [] : [{ place, value: dec(one.value), recurring: one.recurring ?? false }],
  );
  const found = placed.flatMap((one) => valueCodes(one).map((code) => ({ code, place: one.place })));
  const each = found.map(({ code, place }): ErrorHint => {
    const limit = code === 'value_is_out_of_range' ? rangeText('alert_threshold', 'value') : 'more than 0';
    return { name: 'thresholds', below: [place, 'value'], limit };
  });
  return [
    { thresholds: listCodes(thresholds, placed), [VALUE]: found.map(({ code }) => code) },
    { thresholds: { limit: `1 to ${MOST_THRESHOLDS} values, each once, one that is recurring` }, [VALUE]: { each } },
  ];
}

function metricCodes({ alertType, billableMetricCode }: SomeMembers): string[] {
  if (alertType == null) return [];
  const isNamed = billableMetricCode != null && billableMetricCode !== '';
  if (isOfMetric(alertType)) return isNamed ? [] : ['value_is_mandatory'];
  return isNamed ? ['value_must_be_blank'] : [];
}

/**
 * What is wrong with an alert beyond the types of its members; undefined where nothing is. Thresholds 1500, 1500 of one alert:
 * `thresholds: ["duplicate_threshold_values"]`. Source: engine-catalogue 13.2, engine-money 7.1.
 */
export function alertRefusal(alert: SomeMembers): BillingError | undefined {
  const [faults, hints] = thresholdFaults(alert.thresholds ?? []);
  const details = withCodes({
    code: alert.code?.trim() === '' ? ['value_is_mandatory'] : [],
    ...(alert.thresholds ? faults : {}),
    billable_metric: metricCodes(alert),
  });
  if (Object.keys(details).length === 0) return undefined;
  const metric = { name: 'billable_metric_code', limit: 'the code of a metric where the alert measures one' };
  return invalid(details, { ...hints, billable_metric: metric });
}

/** What changes of an alert; its type stays. An empty list of thresholds says nothing. */
export interface AlertChange {
  readonly code?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly billableMetricCode?: string | null | undefined;
  readonly thresholds?: readonly SentThreshold[] | null | undefined;
}

/** An alert with what was sent in place of what there is. */
export const changedAlert = (stored: AlertMembers, sent: AlertChange): AlertMembers => ({
  alertType: stored.alertType,
  code: sent.code ?? stored.code,
  name: sent.name === undefined ? stored.name : sent.name,
  billableMetricCode:
    sent.billableMetricCode === undefined ? stored.billableMetricCode : sent.billableMetricCode || null,
  thresholds: sent.thresholds?.length ? sent.thresholds : stored.thresholds,
});
