import type { Decimal } from '../money/decimal.ts';
import type { Interval } from '../period/terms.ts';
import type { ChargeFilterInput, ChargeInput, FixedChargeInput } from './charge.ts';
import type { MetricInput } from './metric.ts';
import type { TaxInput } from './tax.ts';

/** What an issued document copies from a catalogue object, so that it reads the same for ever. */
export interface Described {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly description?: string | null;
  readonly invoiceDisplayName?: string | null;
}

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
