import type { AggregationType } from '../../../src/billing/catalogue/metric.ts';
import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import { dec, HUNDRED, ZERO } from '../../../src/billing/money/decimal.ts';
import type { UsageEvent } from '../../../src/billing/usage/usage.ts';
import {
  type AggregationCase,
  eventOf,
  eventsBefore,
  periodOf,
  usageSince,
} from '../../billing/vectors/aggregations.ts';
import { differences, setDifferences } from '../../billing/vectors/compare.ts';
import { judge } from '../../billing/vectors/deviations.ts';
import type { Difference, Evaluation, Json, Rounding } from '../../billing/vectors/vector-type.ts';
import { parseInstant } from '../../instant.ts';
import type { StoredCase } from './stored-case.ts';
import { isSameWindow, windowOf } from './window.ts';

type Sets = NonNullable<AggregationCase['matching_filters']>;

/** Cases that only round a number: one event of it. */
const ROUNDING_PERIOD = { from: '2024-01-01T00:00:00Z', to: '2024-01-31T23:59:59.999Z', duration_days: 31 };
const ONE_EACH = { amount: '1' };
const NAME = 'matching';

/** Claims of a case that no fee shows: what the aggregations keep for prices, and how they came to it. */
export const UNSEEN = [
  ...['running_total', 'per_event', 'per_event_prorated', 'variation', 'raw_last_value', 'recurring_updated_at'],
  ...['units_before_ceil', 'current_usage_units', 'new_current_aggregation', 'new_max_aggregation', 'units_applied'],
  ...['pay_in_advance_precise_total_amount_cents'],
];

/** Where a fee shows 0 for what is below it. */
const FLOORED = ['units', 'precise_total_amount_cents'];

/** Why a case cannot be told by stored data; null when it can. */
export function untellable(known: AggregationCase): string | null {
  if (known.aggregation === 'day_count') return 'days alone are no usage';
  if (known.cached_aggregation && !known.pay_in_advance_event)
    return 'a running total is made up from the events, never stored';
  if (known.options?.is_pay_in_advance && known.options.is_current_usage) return 'current usage is not billed';
  if (Object.keys(known.expected).every((name) => UNSEEN.includes(name))) return 'no fee shows what it claims';
  if (known.deduplicate) return 'a transaction is stored once';
  if (known.aggregation !== 'rounding' && windowOf(wantedPeriod(known), isLengthFree(known)) === undefined) {
    return 'no interval has such a period';
  }
  return null;
}

const wantedPeriod = (known: AggregationCase) => periodOf(known.period ?? ROUNDING_PERIOD, known.timezone);
const isLengthFree = ({ prorated, aggregation }: AggregationCase) => !prorated && aggregation !== 'weighted_sum';
const isRenewal = ({ options }: AggregationCase) => options?.is_pay_in_advance === true;
const isFilled = (set: Sets) => Object.values(set).some((values) => values.length > 0);

/** The event that is billed on its own. */
function advanceEvent(known: AggregationCase): UsageEvent | undefined {
  const tied = known.events.find(({ transaction_id: id }) => id !== undefined && id === known.boundary_transaction_id);
  const json = tied ?? known.pay_in_advance_event;
  return json && { ...eventOf(json), transactionId: json.transaction_id ?? 'in-advance' };
}

function metricOf(known: AggregationCase): Json {
  const { aggregation, field_name, recurring, rounding } = known;
  const keys = new Map<string, Set<string>>();
  for (const { values } of filtersOf(known)) {
    for (const [key, named] of Object.entries(values)) keys.set(key, new Set([...(keys.get(key) ?? []), ...named]));
  }
  return {
    ...{ aggregation_type: `${aggregation === 'rounding' ? 'sum' : aggregation}_agg`, field_name, recurring },
    ...{ rounding_function: rounding?.function, rounding_precision: rounding?.precision },
    filters: [...keys].map(([key, values]) => ({ key, values: [...values] })),
  };
}

/** The filter of the case, and narrower ones that take from it what it leaves to others. */
function filtersOf(known: AggregationCase): { values: Sets; properties: Json; invoice_display_name: string }[] {
  const { matching_filters: matching, ignored_filters: ignored } = known;
  if (matching === undefined) return [];
  const properties = propertiesOf(known);
  const narrower = (ignored ?? []).filter(isFilled).map((set, index) => ({
    ...{ values: { ...matching, ...set }, properties, invoice_display_name: `narrower ${index}` },
  }));
  return [{ values: matching, properties, invoice_display_name: NAME }, ...narrower];
}

function propertiesOf(known: AggregationCase): Json {
  const { grouped_by, grouped_by_values, presentation_by } = known;
  const shown = presentation_by?.map((value) => ({ value, options: { display_in_invoice: true } }));
  return {
    ...(known.dynamic ? {} : ONE_EACH),
    pricing_group_keys: grouped_by ?? Object.keys(grouped_by_values ?? {}),
    ...(shown ? { presentation_group_keys: shown } : {}),
  };
}

function eventsOf(known: AggregationCase): readonly UsageEvent[] {
  const period = wantedPeriod(known);
  const single = { timestamp: period.from, properties: { [known.field_name ?? '']: known.units_in } };
  if (known.aggregation === 'rounding') return [single];
  const recurring = known.recurring;
  const { events } = usageSince(
    known,
    { aggregation: known.aggregation as AggregationType, recurring, fieldName: known.field_name, filters: [] },
    period,
    known.events.map(eventOf),
  );
  const own = known.boundary_transaction_id === undefined ? advanceEvent(known) : undefined;
  return own ? [...events, ...eventsBefore(known), own] : [...events];
}

/** The case as stored data. */
export function storedAggregation(known: AggregationCase): StoredCase {
  const period = wantedPeriod(known);
  const window = windowOf(period, isLengthFree(known));
  if (window === undefined) throw new Error(`${known.id}: no window`);
  return {
    ...{ id: String(known.id), timezone: known.timezone, window, currency: 'EUR', taxRates: [] },
    hasPrevious: known.persisted !== undefined || known.previous_subscription === true,
    metric: metricOf(known),
    charge: {
      charge_model: known.dynamic ? 'dynamic' : 'standard',
      ...{ prorated: known.prorated, pay_in_advance: isRenewal(known) || advanceEvent(known) !== undefined },
      ...{ properties: propertiesOf(known), filters: filtersOf(known) },
    },
    events: eventsOf(known),
    advance: advanceEvent(known) === undefined ? [] : [advanceEvent(known)?.transactionId ?? ''],
    now: known.max_timestamp === undefined ? window.to : parseInstant(known.max_timestamp),
  };
}

/** Units at 1.00 each are what they cost; what is prorated shows its whole units. */
function feeView(known: AggregationCase, fee: InvoiceFee): Json {
  const isAdvance = advanceEvent(known) !== undefined;
  const priced = fee.preciseAmountCents.div(HUNDRED);
  const units = isAdvance ? fee.totalAggregatedUnits : known.prorated && !isRenewal(known) ? priced : fee.units;
  return {
    ...{ groups: fee.groupedBy, units, full_units: fee.units, events_count: fee.eventsCount },
    total_aggregated_units: fee.totalAggregatedUnits,
    precise_total_amount_cents: fee.preciseAmountCents,
    pay_in_advance_units: known.dynamic ? fee.units : priced,
    pay_in_advance_full_units: fee.units,
  };
}

const NOTHING: Json = {
  ...{ units: ZERO, full_units: ZERO, events_count: ZERO, total_aggregated_units: ZERO },
  ...{ precise_total_amount_cents: ZERO, pay_in_advance_units: ZERO, pay_in_advance_full_units: ZERO },
};

const NO_USAGE: Json = { units: '0', events_count: 0 };
const isText = (value: unknown): value is string => typeof value === 'string';

/** What a fee can show of a claim: no negative units or amounts. */
function shown([name, value]: [string, unknown]): [string, unknown] {
  const isFloored = isText(value) && FLOORED.includes(name) && value.startsWith('-');
  return [name, isFloored ? '0' : value];
}

const seen = (claims: Json): Json =>
  Object.fromEntries(
    Object.entries(claims)
      .filter(([name]) => !UNSEEN.includes(name))
      .map(shown),
  );

/** Groups that an invoice has fees for: not the empty one of no usage. */
const billed = (groups: readonly Json[]) => groups.map(seen).filter((group) => differences(NO_USAGE, group).length > 0);

function isWanted(known: AggregationCase, fee: InvoiceFee): boolean {
  const wanted = Object.entries(known.grouped_by_values ?? {});
  const hasFilter = known.matching_filters === undefined || fee.item.filterInvoiceDisplayName === NAME;
  return hasFilter && wanted.every(([key, value]) => (fee.groupedBy[key] ?? null) === value);
}

/** The window that was billed is the one of the case. */
function windowDifference(known: AggregationCase, { period }: InvoiceFee): Difference[] {
  if (known.aggregation === 'rounding' || advanceEvent(known) !== undefined || isRenewal(known)) return [];
  const wanted = wantedPeriod(known);
  const isSame = period !== null && isSameWindow(period, wanted, isLengthFree(known));
  return isSame ? [] : [{ path: ['period'], expected: wanted, actual: period }];
}

/** What the fees of the case say, against what it expects. An invoice has no fee for no usage. */
export function judgeAggregation(known: AggregationCase, all: readonly InvoiceFee[]): Evaluation {
  const rounding = (known.compare_after_rounding ?? {}) as Rounding;
  const fees = all.filter((fee) => isWanted(known, fee));
  const views = fees.map((fee) => feeView(known, fee));
  const breakdowns = fees.flatMap((fee) =>
    fee.presentationBreakdowns.map(({ presentationBy, units }) => ({
      groups: { ...fee.groupedBy, ...presentationBy },
      units,
    })),
  );
  const actual: Json = { ...(views[0] ?? NOTHING), groups: views, breakdowns };
  const { groups, breakdowns: parts, ...wanted } = seen(known.expected);
  const found: Difference[] = [...differences(wanted, actual, rounding)];
  for (const [name, list] of Object.entries({ groups, breakdowns: parts })) {
    if (!Array.isArray(list)) continue;
    const [theirs, ours] = [billed(list), actual[name] as readonly unknown[]];
    found.push(...setDifferences(theirs, ours, rounding, [name]));
    if (ours.length !== theirs.length) found.push({ path: [name], expected: theirs.length, actual: ours.length });
  }
  found.push(...fees.flatMap((fee) => windowDifference(known, fee)));
  const single = views.length === 1 ? [dec(String(views[0]?.units))] : [];
  const advance = views.length === 1 ? [dec(String(views[0]?.pay_in_advance_units))] : [];
  return judge('aggregations', known, actual, found, {
    exactUnits: [...single, ...advance].map((units) => units.toFixed()),
  });
}
