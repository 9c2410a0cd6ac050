import { type AdvanceState, advanceFold } from '../../../src/billing/aggregate/advance.ts';
import { startFold } from '../../../src/billing/aggregate/aggregate.ts';
import { foldOptions, usageWindow } from '../../../src/billing/aggregate/bucket.ts';
import type { Aggregate } from '../../../src/billing/aggregate/fold.ts';
import { groupKey, groupOf } from '../../../src/billing/aggregate/group.ts';
import type { UsageGroup } from '../../../src/billing/aggregate/metric-usage.ts';
import { roundUnits } from '../../../src/billing/aggregate/rounding.ts';
import { runningTotalFold } from '../../../src/billing/aggregate/running-total.ts';
import { usageOfEvents } from '../../../src/billing/aggregate/usage-source.ts';
import type { ChargeProperties } from '../../../src/billing/catalogue/charge-type.ts';
import type { AggregationType, MetricInput, MetricRounding } from '../../../src/billing/catalogue/metric.ts';
import { type ChargeUsage, usageGroups } from '../../../src/billing/fee/charge-usage.ts';
import { advanceUsageUnits } from '../../../src/billing/fee/current-usage.ts';
import { Decimal, dec, ONE, ZERO } from '../../../src/billing/money/decimal.ts';
import { dayCount } from '../../../src/billing/period/calendar.ts';
import type { ChargePeriod } from '../../../src/billing/period/charge-period.ts';
import { freeAllowance } from '../../../src/billing/price/allowance.ts';
import type { EventShare } from '../../../src/billing/price/price-type.ts';
import type { GroupedBy } from '../../../src/billing/usage/grouped-by.ts';
import { eventsInWindow, type UsageEvent } from '../../../src/billing/usage/usage.ts';
import { textOf } from '../../../src/billing/usage/value.ts';
import { formatInstant, parseInstant } from '../../instant.ts';
import { differences, setDifferences } from './compare.ts';
import { judge } from './deviations.ts';
import type { Difference, Evaluation, Json, Rounding } from './vector-type.ts';

export const file = 'aggregations';

type Sets = Readonly<Record<string, readonly string[]>>;

export interface EventJson {
  readonly timestamp: string;
  readonly created_at?: string;
  readonly transaction_id?: string;
  readonly properties: Json;
  readonly precise_total_amount_cents?: string | null;
}

export interface AggregationCase extends Json, BeforeJson {
  readonly aggregation: AggregationType | 'rounding' | 'day_count';
  readonly recurring: boolean;
  readonly prorated: boolean;
  readonly period: { readonly from: string; readonly to: string; readonly duration_days?: number };
  readonly timezone: string;
  readonly field_name?: string;
  readonly events: readonly EventJson[];
  readonly expected: Json;
  readonly grouped_by?: readonly string[];
  readonly grouped_by_values?: Readonly<Record<string, string | null>>;
  readonly presentation_by?: readonly string[];
  readonly matching_filters?: Sets;
  readonly ignored_filters?: readonly Sets[];
  readonly options?: { readonly is_pay_in_advance?: boolean; readonly is_current_usage?: boolean };
  readonly cached_aggregation?: {
    readonly current_aggregation: string;
    readonly max_aggregation: string;
    readonly max_aggregation_with_proration?: string;
  };
  readonly pay_in_advance_event?: EventJson;
  readonly free_units_per_events?: number;
  readonly free_units_per_total_aggregation?: string;
  readonly rounding?: { readonly function: MetricRounding['function'] | null; readonly precision?: number | null };
  readonly units_in?: string;
  readonly max_timestamp?: string;
  readonly boundary_transaction_id?: string;
  readonly deduplicate?: boolean;
}

export function eventOf(json: EventJson): UsageEvent {
  return {
    timestamp: parseInstant(json.timestamp),
    createdAt: json.created_at === undefined ? undefined : parseInstant(json.created_at),
    transactionId: json.transaction_id,
    properties: json.properties,
    preciseTotalAmountCents: json.precise_total_amount_cents,
  };
}

export function periodOf(
  period: { readonly from: string; readonly to: string; readonly duration_days?: number },
  timezone: string,
): ChargePeriod {
  const [from, to] = [parseInstant(period.from), parseInstant(period.to)];
  return { from, to, durationDays: period.duration_days ?? 1, timezone };
}

function inSet(event: UsageEvent, set: Sets): boolean {
  const named = Object.entries(set).filter(([, values]) => values.length > 0);
  return named.every(([key, values]) => values.includes(textOf(event.properties[key]) ?? '\u0000'));
}

/** The filter of the case, as the sets it matches and the sets it leaves to others; a set without values ignores nothing. */
function inBucket(known: AggregationCase, event: UsageEvent): boolean {
  const ignored = (known.ignored_filters ?? []).filter((set) => Object.values(set).some((values) => values.length > 0));
  return inSet(event, known.matching_filters ?? {}) && !ignored.some((set) => inSet(event, set));
}

function eventsOf(known: AggregationCase): UsageEvent[] {
  const read = known.events.map(eventOf);
  const boundary = read.find(
    ({ transactionId }) => transactionId !== undefined && transactionId === known.boundary_transaction_id,
  );
  const until = known.max_timestamp === undefined ? Number.POSITIVE_INFINITY : parseInstant(known.max_timestamp);
  const to = Math.min(until, boundary?.timestamp ?? until);
  const wanted = known.grouped_by_values;
  const inGroup = (event: UsageEvent) => {
    const keys = Object.keys(wanted ?? {});
    return groupKey(groupOf(event.properties, keys), keys) === groupKey(wanted ?? {}, keys);
  };
  const bounded = [...eventsInWindow(read, { from: null, to, boundary })].filter(
    (event) => inBucket(known, event) && inGroup(event),
  );
  // A transaction is stored once; here it is left out before.
  const isFirst = (event: UsageEvent) => bounded.find(({ transactionId: id }) => id === event.transactionId) === event;
  return known.deduplicate ? bounded.filter(isFirst) : bounded;
}

function metricOf(known: AggregationCase): MetricInput {
  const { aggregation, recurring, field_name: fieldName } = known;
  return { aggregation: aggregation as AggregationType, recurring, fieldName, filters: [] };
}

/** Properties that make the folds keep what a case may ask for: groups, breakdowns, free allowance, single values. */
function propertiesOf(known: AggregationCase): ChargeProperties {
  return {
    pricing_group_keys: known.grouped_by ?? [],
    presentation_group_keys: (known.presentation_by ?? []).map((value) => ({
      value,
      options: { display_in_invoice: true },
    })),
    free_units_per_events: known.free_units_per_events,
    free_units_per_total_aggregation: known.free_units_per_total_aggregation,
    per_transaction_min_amount: '0',
  };
}

/** What a case says of the time before its period. */
export interface BeforeJson {
  readonly persisted?: { readonly value?: string; readonly groups?: readonly { groups: GroupedBy; value: string }[] };
  readonly previous_subscription?: boolean;
}

/**
 * The usage that levels are made up from. A stored level stands for whatever happened before the period: it is one change then,
 * and events before are no longer looked at. Without one they count where a previous subscription had them.
 */
export function usageSince(
  before: BeforeJson,
  metric: MetricInput,
  period: ChargePeriod,
  events: readonly UsageEvent[],
): { readonly events: readonly UsageEvent[] } & Pick<ChargeUsage, 'levelFrom'> {
  const { persisted, previous_subscription: hasPrevious } = before;
  if (persisted === undefined) return { events, levelFrom: hasPrevious ? null : period.from };
  const levels = persisted.groups ?? (persisted.value === undefined ? [] : [{ groups: {}, value: persisted.value }]);
  const changes = levels.map(({ groups, value }) => ({
    timestamp: period.from - 1,
    properties: { ...groups, [metric.fieldName ?? '']: value },
  }));
  return { events: [...changes, ...events.filter(({ timestamp }) => timestamp >= period.from)], levelFrom: null };
}

function usageOf(known: AggregationCase): ChargeUsage {
  const period = periodOf(known.period, known.timezone);
  const { events, levelFrom } = usageSince(known, metricOf(known), period, eventsOf(known));
  return {
    charge: {
      id: 'charge',
      model: known.prorated ? 'graduated' : 'percentage',
      properties: propertiesOf(known),
      metric: metricOf(known),
      filters: [],
      prorated: known.prorated,
    },
    currency: 'EUR',
    period,
    context: 'invoice',
    usage: usageOfEvents(events),
    levelFrom,
  };
}

function stateOf(known: AggregationCase): AdvanceState | undefined {
  const cached = known.cached_aggregation;
  if (cached === undefined) return undefined;
  return {
    currentUnits: dec(cached.current_aggregation),
    maxUnits: dec(cached.max_aggregation),
    maxUnitsProrated: dec(cached.max_aggregation_with_proration ?? '0'),
  };
}

const roundingOf = ({ rounding }: AggregationCase) =>
  rounding?.function ? { ...rounding, function: rounding.function } : null;

/** Priced and shown units, by what the case bills: an invoice, current usage, in advance or in arrears. */
function unitsOf(known: AggregationCase, { units, fullUnits }: Aggregate) {
  const rounding = roundingOf(known);
  const { is_pay_in_advance: inAdvance, is_current_usage: current } = known.options ?? {};
  const shown = roundUnits(Decimal.max(fullUnits, ZERO), rounding);
  if (!inAdvance) return { units: roundUnits(units, rounding), current_usage_units: shown };
  if (!current) return { units: roundUnits(fullUnits, rounding), current_usage_units: shown };
  const period = periodOf(known.period, known.timezone);
  const advance = advanceUsageUnits(fullUnits, stateOf(known) ?? null, period, known.prorated);
  return { units: roundUnits(advance.priced, rounding), current_usage_units: roundUnits(advance.shown, rounding) };
}

/** The running totals one by one: of the values, or 1, 2, ... where every event weighs 1. */
function runningTotal(known: AggregationCase, values: readonly Decimal[]): readonly Decimal[] {
  const fold = runningTotalFold(freeAllowance(propertiesOf(known)));
  const one = known.aggregation === 'count' || known.aggregation === 'unique_count';
  for (const value of values) fold.add(one ? ONE : value);
  return fold.totals;
}

/** What the folds of a group tell of each event, and what the events say they cost. */
function eachEvent(known: AggregationCase, groupedBy: GroupedBy) {
  const usage = usageOf(known);
  const keys = known.grouped_by ?? [];
  const values: Decimal[] = [];
  const shares: EventShare[] = [];
  const fold = startFold({
    ...{ ...foldOptions(usage, usage.charge.properties), amounts: true },
    onValue: (value, times) => void values.push(...Array<Decimal>(times).fill(value)),
    onShare: (share) => void shares.push(share),
  });
  const events = usageSince(known, metricOf(known), usage.period, eventsOf(known)).events;
  for (const event of eventsInWindow(events, usageWindow(usage))) {
    if (groupKey(groupOf(event.properties, keys), keys) === groupKey(groupedBy, keys)) fold.add(event);
  }
  return { aggregate: fold.finish(), values, shares };
}

function groupView(known: AggregationCase, { groupedBy, aggregate }: UsageGroup): Json {
  const { values, shares, aggregate: withAmounts } = eachEvent(known, groupedBy);
  return {
    groups: groupedBy,
    ...unitsOf(known, aggregate),
    units_before_ceil: aggregate.unroundedUnits,
    full_units: aggregate.fullUnits,
    events_count: aggregate.eventsCount,
    running_total: runningTotal(known, values),
    per_event: known.prorated ? shares.map(({ full }) => full) : values,
    per_event_prorated: shares.map(({ prorated }) => prorated),
    precise_total_amount_cents: withAmounts.preciseTotalAmountCents,
    total_aggregated_units: aggregate.totalAggregatedUnits ?? aggregate.units,
    variation: aggregate.variation,
    raw_last_value: aggregate.variation,
    recurring_updated_at: aggregate.levelSince === null ? null : formatInstant(aggregate.levelSince),
  };
}

/** Events of the period's first moment that lead to the running total a case begins with, and to its highest value. */
export function eventsBefore(known: AggregationCase): UsageEvent[] {
  const state = stateOf(known);
  if (state === undefined) return [];
  const { from: timestamp } = periodOf(known.period, known.timezone);
  const field = known.field_name ?? '';
  const back = state.maxUnits.minus(state.currentUnits);
  if (known.aggregation !== 'unique_count') {
    return [state.maxUnits, back.neg()].map((units) => ({ timestamp, properties: { [field]: units.toFixed() } }));
  }
  const seats = Array.from({ length: state.maxUnits.toNumber() }, (_, index) => ({ [field]: `seat-${index}` }));
  const left = seats.slice(0, back.toNumber()).map((seat) => ({ ...seat, operation_type: 'remove' }));
  return [...seats, ...left].map((properties) => ({ timestamp, properties }));
}

/** The case's event billed on its own. Its state is given, so the other events only tell which values are active. */
function advanceView(known: AggregationCase): Json {
  const json = known.pay_in_advance_event;
  if (json === undefined) return {};
  const period = periodOf(known.period, known.timezone);
  const fold = advanceFold(metricOf(known), period, known.prorated);
  for (const event of eventsOf(known)) fold.add({ ...event, timestamp: period.from - 1 });
  for (const event of eventsBefore(known)) fold.add(event);
  const step = fold.add(eventOf(json));
  const state = fold.state();
  return {
    pay_in_advance_units: step.billablePriced,
    pay_in_advance_full_units: step.billable,
    pay_in_advance_precise_total_amount_cents: json.precise_total_amount_cents,
    new_current_aggregation: state.currentUnits,
    new_max_aggregation: state.maxUnits,
    units_applied: step.own,
  };
}

function breakdownsOf(known: AggregationCase, groups: readonly UsageGroup[]): readonly Json[] {
  return groups.flatMap(({ groupedBy, breakdowns }) =>
    breakdowns.map(({ presentationBy, units }) => ({
      groups: { ...groupedBy, ...presentationBy },
      units: roundUnits(units, roundingOf(known)),
    })),
  );
}

/** Prorated units that no rounding changed, as text: what is exact can only differ by what another rounded. */
function exactUnits(known: AggregationCase, groups: readonly UsageGroup[]): readonly string[] {
  const exact = groups.filter(({ aggregate }) => aggregate.units.eq(aggregate.unroundedUnits));
  const view = advanceView(known);
  const [full, priced] = [view.pay_in_advance_full_units, view.pay_in_advance_units];
  const advance =
    full instanceof Decimal && priced instanceof Decimal && !full.isZero()
      ? [priced].filter((units) =>
          units
            .times(known.period.duration_days ?? 1)
            .mod(full)
            .isZero(),
        )
      : [];
  return [...exact.map(({ aggregate }) => unitsOf(known, aggregate).units), ...advance].map((units) => units.toFixed());
}

function simpleView(known: AggregationCase): Json | null {
  if (known.aggregation === 'day_count') {
    return { days: dayCount(parseInstant(known.period.from), parseInstant(known.period.to), known.timezone) };
  }
  if (known.aggregation !== 'rounding') return null;
  const { function: mode, precision } = known.rounding ?? { function: null };
  return { units: roundUnits(dec(known.units_in ?? '0'), mode === null ? null : { function: mode, precision }) };
}

export function evaluate(vectorCase: unknown): Evaluation {
  const known = vectorCase as AggregationCase;
  const rounding = (known.compare_after_rounding ?? {}) as Rounding;
  const simple = simpleView(known);
  if (simple !== null) return judge(file, known, simple, differences(known.expected, simple, rounding));
  const groups = usageGroups(usageOf(known));
  const views = groups.map((group) => groupView(known, group));
  const actual: Json = { ...views[0], ...advanceView(known), groups: views, breakdowns: breakdownsOf(known, groups) };
  const { groups: wantedGroups, breakdowns: wantedParts, ...wanted } = known.expected;
  const found: Difference[] = [...differences(wanted, actual, rounding)];
  for (const [name, list] of Object.entries({ groups: wantedGroups, breakdowns: wantedParts })) {
    if (!Array.isArray(list)) continue;
    const ours = actual[name] as readonly unknown[];
    found.push(...setDifferences(list, ours, rounding, [name]));
    if (ours.length !== list.length) found.push({ path: [name, 'length'], expected: list.length, actual: ours.length });
  }
  const shown = Object.fromEntries(Object.keys(known.expected).map((key) => [key, actual[key]]));
  return judge(file, known, shown, found, { exactUnits: exactUnits(known, groups) });
}
