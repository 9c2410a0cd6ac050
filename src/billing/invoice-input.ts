import type { Decimal } from './decimal.ts';
import type {
  ChargeFilterInput,
  ChargeInput,
  EpochMs,
  FixedChargeInput,
  MetricInput,
  UnitEvent,
  UsageEvent,
} from './fee-type.ts';
import type { BillingTime, Interval } from './period-terms.ts';

/** What an issued document copies from a catalogue object, so that it reads the same for ever. */
export interface Described {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly description?: string | null;
  readonly invoiceDisplayName?: string | null;
}

export interface TaxInput {
  /** Null: set by an outside tax service. */
  readonly id: string | null;
  readonly code: string;
  readonly name: string;
  readonly description?: string | null;
  /** Percent: 20 is 20 %. */
  readonly rate: Decimal;
}

export type DateAnchor = 'current_period_end' | 'next_period_start';
export type DateAdjustment = 'keep_anchor' | 'align_with_finalization_date';
export type TerminationCredit = 'credit' | 'refund' | 'offset' | 'skip';

export interface PlanFilterInput extends ChargeFilterInput {
  readonly invoiceDisplayName?: string | null;
}

export interface PlanChargeInput extends ChargeInput {
  readonly code: string;
  readonly invoiceDisplayName?: string | null;
  readonly metric: MetricInput & { readonly id: string } & Pick<Described, 'code' | 'name' | 'description'>;
  readonly filters: readonly PlanFilterInput[];
  readonly taxes: readonly TaxInput[];
  /** Events may name the wallet that pays for them, in their property `target_wallet_code`. */
  readonly acceptsTargetWallet?: boolean;
  readonly regroupPaidFees?: 'invoice' | null;
}

export interface PlanFixedChargeInput extends FixedChargeInput {
  readonly code: string;
  readonly invoiceDisplayName?: string | null;
  readonly addOn: Described;
  readonly taxes: readonly TaxInput[];
}

export interface CommitmentInput {
  readonly id: string;
  readonly amountCents: bigint;
  readonly invoiceDisplayName?: string | null;
  readonly taxes: readonly TaxInput[];
}

export interface UsageThresholdInput {
  readonly id: string;
  readonly amountCents: bigint;
  readonly recurring: boolean;
  readonly displayName?: string | null;
}

export interface PlanInput extends Described {
  /** The plan this one overrides for one subscription. */
  readonly parentId?: string | null;
  readonly interval: Interval;
  readonly amountCents: bigint;
  readonly currency: string;
  readonly payInAdvance: boolean;
  /** Fractions of a day are allowed. */
  readonly trialDays: Decimal;
  readonly billChargesMonthly: boolean;
  readonly billFixedChargesMonthly: boolean;
  readonly taxes: readonly TaxInput[];
  readonly charges: readonly PlanChargeInput[];
  readonly fixedCharges: readonly PlanFixedChargeInput[];
  readonly commitment: CommitmentInput | null;
  readonly usageThresholds: readonly UsageThresholdInput[];
}

export interface SubscriptionInput {
  readonly id: string;
  readonly externalId: string;
  readonly name?: string | null;
  readonly plan: PlanInput;
  /** False for one that a preview made up. */
  readonly stored: boolean;
  readonly status: 'pending' | 'active' | 'terminated' | 'canceled';
  readonly subscriptionAt: EpochMs;
  readonly startedAt: EpochMs | null;
  readonly createdAt: EpochMs;
  readonly endingAt: EpochMs | null;
  readonly terminatedAt: EpochMs | null;
  readonly billingTime: BillingTime;
  readonly previousId: string | null;
  readonly nextId: string | null;
  readonly billingEntityCode?: string | null;
  /** False: always on an invoice of its own. */
  readonly consolidateInvoice?: boolean;
  readonly onTerminationCreditNote?: TerminationCredit | null;
  readonly onTerminationInvoice?: 'generate' | 'skip';
  /** First start of any subscription with this external id: trials count from it. Absent: its own start. */
  readonly firstStartedAt?: EpochMs | null;
  /** Units history by fixed charge id; a fixed charge without one counts its plan units from the start. */
  readonly unitEvents?: Readonly<Record<string, readonly UnitEvent[]>>;
}

export interface SubscriptionEvent extends UsageEvent {
  readonly externalSubscriptionId: string;
  readonly metricCode: string;
}

/** Null in a customer's setting: inherit the entity's. Missing everywhere: 0, and the two defaults of the dates. */
export interface DocumentSettings {
  readonly invoiceGracePeriod?: number | null;
  readonly netPaymentTerm?: number | null;
  readonly issuingDateAnchor?: DateAnchor | null;
  readonly issuingDateAdjustment?: DateAdjustment | null;
}

export interface CustomerInput extends DocumentSettings {
  readonly id: string;
  readonly externalId: string;
  readonly stored: boolean;
  readonly currency?: string | null;
  readonly timezone?: string | null;
  readonly finalizeZeroAmountInvoice: 'inherit' | 'finalize' | 'skip';
  readonly taxes: readonly TaxInput[];
  /** A partner's invoices are self-billed. */
  readonly partner?: boolean;
  readonly sequentialId?: number | null;
}

export interface BillingEntityInput extends DocumentSettings {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly timezone?: string | null;
  readonly finalizeZeroAmountInvoice: boolean;
  readonly taxes: readonly TaxInput[];
  readonly documentNumbering: 'per_customer' | 'per_billing_entity';
  readonly documentNumberPrefix: string;
}
