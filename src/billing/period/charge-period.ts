import type { Instant } from './calendar.ts';

/** The window that is billed, both ends included, and the length in days of the full period it is a part of. */
export interface ChargePeriod {
  readonly from: Instant;
  readonly to: Instant;
  readonly durationDays: number;
  /** That length in milliseconds, where it is no number of whole days. */
  readonly durationMs?: number;
  readonly timezone: string;
  /** The last moment whose events are billed here, where the subscription ended: what comes as the next one begins is that one's. */
  readonly usedTo?: Instant;
  /** The subscription ended because of an upgrade: its last day belongs to the next one. */
  readonly endedByUpgrade?: boolean;
}
