import type { ChargeFilterInput, ChargeInput } from '../catalogue/charge.ts';
import type { ChargeProperties } from '../catalogue/charge-type.ts';
import type { Decimal } from '../money/decimal.ts';
import type { Instant } from '../period/calendar.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import type { ShareTotals, TransactionTotals } from '../price/price-type.ts';
import type { GroupedBy } from '../usage/grouped-by.ts';
import type { UsageEvent } from '../usage/usage.ts';
import type { AdvanceState, AdvanceStep } from './advance.ts';
import type { Aggregate } from './fold.ts';

interface Asked {
  readonly charge: ChargeInput;
  readonly period: ChargePeriod;
  /** Later events that are kept do not count; absent: all do. */
  readonly until?: Instant;
  /** Events that nothing keeps and that count besides, after those of their moment. */
  readonly supposed?: readonly UsageEvent[];
}

/** What is asked about the usage that a charge prices. */
export interface UsageAsked extends Asked {
  /** Weighted sums of recurring metrics: since when changes make up the level; null: since ever. */
  readonly levelFrom: Instant | null;
  /** Tells what events were billed for at once: current usage of a charge in advance. */
  readonly withAdvance: boolean;
}

/** What is asked about one event that is billed at once; whether it is kept already or not. */
export interface AdvanceAsked extends Asked {
  readonly event: UsageEvent;
}

/** What the usage of one bucket and one pricing group comes to, with what prices that look at each event made of it. */
export type GroupAggregate = Aggregate & {
  readonly transactions: TransactionTotals | null;
  readonly shares: ShareTotals | null;
};

/** The usage of one bucket and one pricing group. */
export interface UsageGroup {
  readonly filter: ChargeFilterInput | null;
  readonly properties: ChargeProperties;
  readonly groupedBy: GroupedBy;
  readonly key: string;
  readonly aggregate: GroupAggregate;
  readonly advance: AdvanceState | null;
  /** Units without proration, by the values of the keys that fees show. */
  readonly breakdowns: readonly { readonly presentationBy: GroupedBy; readonly units: Decimal }[];
}

/** The usage of an event's bucket and group up to it, and what of it the event is billed for. */
export interface AdvanceUsage {
  readonly aggregate: GroupAggregate;
  readonly step: AdvanceStep;
  /** Whether the event weighs anything. */
  readonly counts: boolean;
}

/** Usage of one metric by the subscriptions of one external id, over all periods. */
export interface MetricUsage {
  /** By bucket (one a filter, in their order, then the default one) and group, in the order of their first events. */
  groups(asked: UsageAsked): readonly UsageGroup[];
  advance(asked: AdvanceAsked): AdvanceUsage;
}

/** What rules ask about usage, wherever it is kept. */
export interface UsageSource {
  /** `externalSubscriptionId` names a chain of subscriptions: a change of plan keeps it. */
  of(externalSubscriptionId: string, metricCode: string): MetricUsage;
}
