import { groupKey, groupOf, pricingGroupKeys } from '../aggregate/group.ts';
import type { ChargeProperties } from '../catalogue/charge-type.ts';
import type { PlanChargeInput, PlanInput } from '../catalogue/plan.ts';
import { MOST_SUPPOSED_EVENTS, MOST_SUPPOSED_FEES, MOST_SUPPOSED_LINES } from '../catalogue/work-limit.ts';
import { invalid } from '../errors.ts';
import type { SupposedUsage } from './supposed-usage.ts';

/** How much a computation has to do: events that are read, fees that are made and lines of ranges that these show. */
export interface Work {
  readonly events: number;
  readonly fees: number;
  readonly lines: number;
}

const rangesOf = ({ graduated_ranges, graduated_percentage_ranges, volume_ranges }: ChargeProperties): number =>
  (graduated_ranges ?? graduated_percentage_ranges ?? volume_ranges ?? []).length;

/** Ranges of the longest price of a charge: its own, or one of its filters. */
function longestPrice({ properties, filters }: PlanChargeInput): number {
  return Math.max(rangesOf(properties), ...filters.map((filter) => rangesOf(filter.properties)));
}

/** At most so many fees come of supposed usage of a charge: one a group of each set of keys, and one a bucket without usage. */
function mostFees(charge: PlanChargeInput, usage: readonly SupposedUsage[]): number {
  const sets = [charge.properties, ...charge.filters.map(({ properties }) => properties)].map(pricingGroupKeys);
  const keySets = new Map(sets.map((keys) => [JSON.stringify(keys), keys]));
  const groups = new Set<string>();
  for (const { properties } of usage.flatMap(({ events }) => events ?? [])) {
    for (const [name, keys] of keySets) groups.add(`${name}${groupKey(groupOf(properties, keys), keys)}`);
  }
  return groups.size + sets.length;
}

/**
 * What supposed usage makes of a plan, at most: 30 events in 10 groups over a charge of 5 ranges are 30 events, 11 fees and 55
 * lines. Other usage than that of the plan's metrics counts for its events.
 */
export function supposedWork(plan: PlanInput, usage: readonly SupposedUsage[]): Work {
  const events = usage.reduce((sum, one) => sum + (one.events?.length ?? 1), 0);
  if (events > MOST_SUPPOSED_EVENTS) return { events, fees: 0, lines: 0 };
  const charged = plan.charges.map((charge) => {
    const own = usage.filter(({ metricCode }) => metricCode === charge.metric.code);
    const fees = own.length === 0 ? 0 : mostFees(charge, own);
    return { fees, lines: fees * longestPrice(charge) };
  });
  const total = (of: (one: (typeof charged)[number]) => number) => charged.reduce((sum, one) => sum + of(one), 0);
  return { events, fees: total(({ fees }) => fees), lines: total(({ lines }) => lines) };
}

/** Refuses supposed usage that is more than one preview computes: `usage: ['value_is_too_long']`. */
export function checkSupposedWork(plan: PlanInput, usage: readonly SupposedUsage[]): void {
  const { events, fees, lines } = supposedWork(plan, usage);
  if (events > MOST_SUPPOSED_EVENTS || fees > MOST_SUPPOSED_FEES || lines > MOST_SUPPOSED_LINES) {
    const limit = `at most ${MOST_SUPPOSED_EVENTS} events, ${MOST_SUPPOSED_FEES} fees and ${MOST_SUPPOSED_LINES} lines; these are ${events}, ${fees} and ${lines}`;
    throw invalid({ usage: ['value_is_too_long'] }, { usage: { limit } });
  }
}

/** What an invoice is computed from, as far as it decides how long that takes. */
export interface InvoiceSource {
  /** Of every subscription, and those that are proposed. */
  readonly plans: readonly PlanInput[];
  /** Groups of stored usage, over all charges: each is a fee. */
  readonly groups: number;
  readonly usage: readonly SupposedUsage[];
  /** Fees of invoices that were issued before. */
  readonly pastFees: number;
}

/** Steps that a fee takes, beside those of its ranges. */
const FEE = 10;

/**
 * How much computing an invoice is, at most, in steps of some microseconds: every price may read every supposed event, and show its
 * ranges for it where each group has a fee; stored usage comes added up. 100 events, a price of 5 ranges in groups and one without:
 * 100 * 6 + 5 + 100 steps.
 */
export function invoiceWork({ plans, groups, usage, pastFees }: InvoiceSource): number {
  const all = usage.reduce((sum, one) => sum + (one.events?.length ?? 1), 0);
  const prices = plans.flatMap(({ charges }) =>
    charges.flatMap(({ properties, filters }) => [properties, ...filters.map((filter) => filter.properties)]),
  );
  const longest = prices.reduce((most, price) => Math.max(most, rangesOf(price)), 0);
  return prices.reduce(
    (sum, price) => {
      const ranges = rangesOf(price);
      return sum + ranges + all * (pricingGroupKeys(price).length > 0 ? 1 + ranges : 1);
    },
    pastFees + groups * (FEE + longest),
  );
}
