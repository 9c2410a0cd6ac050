import type { Decimal } from '../money/decimal.ts';

/** Usage that a preview supposes: a number of units of a metric, or single events. */
export interface SupposedUsage {
  readonly metricCode: string;
  readonly units?: Decimal | null;
  readonly events?: readonly SupposedEvent[] | null;
}

export interface SupposedEvent {
  readonly properties: Readonly<Record<string, unknown>>;
  /** Milliseconds; absent: the start of the billed usage period. */
  readonly timestamp?: number | null;
  readonly preciseTotalAmountCents?: string | null;
}
