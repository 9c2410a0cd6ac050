import type { MetricUsage, UsageGroup } from '../aggregate/metric-usage.ts';
import type { ChargeInput } from '../catalogue/charge.ts';
import type { Decimal } from '../money/decimal.ts';
import type { Instant } from '../period/calendar.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import type { PlacedEdit } from './edited-fee.ts';
import type { Trace } from './step.ts';

/** One charge over one window. `usage` is that of the subscription and the metric. */
export interface ChargeUsage {
  readonly charge: ChargeInput;
  readonly currency: string;
  readonly period: ChargePeriod;
  /**
   * `invoice` drops empty fees and adds the spending minimum; `recurring` (the renewal of a charge that is not invoiced)
   * and `current_usage` keep them and do not.
   */
  readonly context: 'invoice' | 'recurring' | 'current_usage';
  readonly usage: MetricUsage;
  /** Weighted sums of recurring metrics: since when changes make up the level; null: since ever. */
  readonly levelFrom: Instant | null;
  /** What was changed by hand on fees of the draft that is computed. */
  readonly edits?: readonly PlacedEdit[];
  /** The part of the period that has passed, where usage is projected to its end; null or absent: as it is. */
  readonly passed?: Decimal | null;
  /** Is told how the fees came about, where somebody asks why. */
  readonly trace?: Trace | undefined;
}

/** The usage of a charge by bucket and pricing group. */
export function usageGroups({ charge, period, context, usage, levelFrom }: ChargeUsage): readonly UsageGroup[] {
  return usage.groups({ charge, period, levelFrom, withAdvance: context === 'current_usage' });
}
