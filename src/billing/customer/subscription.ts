import type { PlanInput } from '../catalogue/plan.ts';
import type { Decimal } from '../money/decimal.ts';
import type { Instant } from '../period/calendar.ts';
import type { BillingTime } from '../period/terms.ts';

/** One entry of the units history of a fixed charge. */
export interface UnitEvent {
  readonly units: Decimal;
  /** When it takes effect. */
  readonly timestamp: Instant;
  /** When it was recorded. */
  readonly createdAt: Instant;
}

export type TerminationCredit = 'credit' | 'refund' | 'offset' | 'skip';

/** What must happen before a subscription becomes active: its first invoice is paid. */
export interface ActivationInput {
  /** Hours after its start at which it is given up; 0: never. */
  readonly timeoutHours: number;
  readonly status: 'inactive' | 'pending' | 'satisfied' | 'declined' | 'failed' | 'expired' | 'not_applicable';
  readonly expiresAt: Instant | null;
}

export interface SubscriptionInput {
  readonly id: string;
  readonly externalId: string;
  readonly name?: string | null;
  readonly plan: PlanInput;
  /** False for one that a preview made up. */
  readonly stored: boolean;
  /** `incomplete`: it has begun, and waits for its first invoice to be paid. */
  readonly status: 'pending' | 'incomplete' | 'active' | 'terminated' | 'canceled';
  readonly subscriptionAt: Instant;
  readonly startedAt: Instant | null;
  readonly createdAt: Instant;
  readonly endingAt: Instant | null;
  readonly terminatedAt: Instant | null;
  readonly billingTime: BillingTime;
  readonly previousId: string | null;
  readonly nextId: string | null;
  readonly billingEntityCode?: string | null;
  /** False: always on an invoice of its own. */
  readonly consolidateInvoice?: boolean;
  readonly onTerminationCreditNote?: TerminationCredit | null;
  readonly onTerminationInvoice?: 'generate' | 'skip';
  /** Absent or null: nothing must happen. */
  readonly activation?: ActivationInput | null;
  /** First start of any subscription with this external id: trials count from it. Absent: its own start. */
  readonly firstStartedAt?: Instant | null;
  /** Usage before the first period, in minor units; absent or null: what the subscription before it says. */
  readonly historicalUsageCents?: bigint | null;
  /** Units history by fixed charge id; a fixed charge without one counts its plan units from the start. */
  readonly unitEvents?: Readonly<Record<string, readonly UnitEvent[]>>;
}
