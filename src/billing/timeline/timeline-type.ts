import type { UsageSource } from '../aggregate/metric-usage.ts';
import type { PlanInput } from '../catalogue/plan.ts';
import type { BillingEntityInput, CustomerInput } from '../customer/customer.ts';
import type { ActivationInput, SubscriptionInput, TerminationCredit } from '../customer/subscription.ts';
import type { AddOnInput, SoldAddOn } from '../fee/add-on-fee.ts';
import type { FeeEdit } from '../fee/draft-fee.ts';
import type { PlacedEdit } from '../fee/edited-fee.ts';
import type { AppliedCouponInput, CreditNoteInput, WalletInput } from '../invoice/credit-input.ts';
import type { ListedFee } from '../invoice/edited-draft.ts';
import type { InvoiceRanks } from '../invoice/numbering.ts';
import type { Decimal } from '../money/decimal.ts';
import type { Instant } from '../period/calendar.ts';
import type { BillingTime } from '../period/terms.ts';
import type { Change, LooseFee, MadeCreditNote, MadeInvoice } from '../subscription/change.ts';
import type { NewIds } from '../subscription/issuer.ts';
import type { SubscriptionEvent, UsageEvent } from '../usage/usage.ts';
import type { VoidNote } from './void-note.ts';

/** All that is known of one customer at a moment. Plain values: keep it, compare it, go on from any copy. */
export interface TimelineState {
  readonly customer: CustomerInput;
  readonly billingEntity: BillingEntityInput;
  readonly plans: readonly PlanInput[];
  readonly subscriptions: readonly SubscriptionInput[];
  readonly events: readonly SubscriptionEvent[];
  /** Where usage is kept; absent: it is `events`. */
  readonly usage?: UsageSource;
  /** Absent: identifiers are counted. */
  readonly ids?: NewIds;
  readonly invoices: readonly MadeInvoice[];
  readonly creditNotes: readonly CreditNoteInput[];
  readonly madeNotes: readonly MadeCreditNote[];
  readonly coupons: readonly AppliedCouponInput[];
  readonly wallets: readonly WalletInput[];
  readonly ranks: InvoiceRanks;
  /** Fees of usage in advance that is not invoiced: made at its event or with a renewal. */
  readonly fees: readonly LooseFee[];
  /** What the step that is being made has changed so far; nothing between steps. */
  readonly changes: readonly Change[];
}

/** `canceled`: what it was to follow, or who was to pay for it, has ended. */
export type ActivationOutcome = 'paid' | 'failed' | 'expired' | 'canceled';

/** A fee of a draft that is changed by hand, and how. */
export interface EditedPlace {
  readonly place: PlacedEdit['place'];
  readonly edit: FeeEdit | null;
}

export type TimelineStep = { readonly at: Instant } & (
  | {
      readonly do: 'subscribe';
      readonly subscriptionId: string;
      readonly externalId: string;
      readonly planCode: string;
      readonly name?: string | null;
      readonly billingTime: BillingTime;
      /** Absent: now. */
      readonly subscriptionAt?: Instant;
      readonly endingAt?: Instant | null;
      readonly onTerminationCreditNote?: TerminationCredit;
      readonly activation?: ActivationInput | null;
    }
  | {
      readonly do: 'event';
      readonly externalId: string;
      readonly metricCode: string;
      readonly event: UsageEvent;
      /** Thresholds are looked at with the next `update_usage`, not now. */
      readonly deferThresholds?: boolean;
    }
  | { readonly do: 'issue_due' | 'terminate_ended' | 'update_usage' | 'expire_incomplete' }
  /** Plans have got another amount: changes of plan that wait may be given up, or take effect. */
  | { readonly do: 'settle_waiting'; readonly planIds: readonly string[] }
  /** Subscriptions that waited for their date start, or one. */
  | { readonly do: 'start_pending'; readonly subscriptionId?: string }
  /** All drafts, only those whose expected day of finalisation has come, or one. */
  | {
      readonly do: 'finalize_drafts';
      readonly onlyDue?: boolean;
      readonly invoiceId?: string;
    }
  | { readonly do: 'refresh_draft'; readonly invoiceId: string }
  /** Invoices that wait for their taxes get them, unless these are still not known. */
  | { readonly do: 'settle_taxes' }
  /** An invoice whose taxes had failed gets them, with the fees that it has. */
  | { readonly do: 'retry_invoice'; readonly invoiceId: string }
  /** A fee of a draft is changed by hand; null: it is what is computed again. */
  | ({ readonly do: 'edit_fee'; readonly invoiceId: string } & EditedPlace)
  /** A final invoice is to be none; with a credit note for a part of it, or without one. */
  | {
      readonly do: 'void_invoice';
      readonly invoiceId: string;
      readonly creditNote?: VoidNote | undefined;
    }
  /** An invoice is made anew of a voided one, with the fees that are listed; absent: with all as they are. */
  | {
      readonly do: 'regenerate_invoice';
      readonly invoiceId: string;
      readonly fees?: readonly ListedFee[] | undefined;
      /** What was sold on it, with its taxes of now. */
      readonly addOns: readonly AddOnInput[];
    }
  /** Add-ons are sold at once. */
  | { readonly do: 'one_off'; readonly currency: string; readonly sold: readonly SoldAddOn[] }
  /** Fees on no invoice are paid. */
  | { readonly do: 'pay_fee'; readonly feeId: string }
  /** In full, or an amount. */
  | {
      readonly do: 'pay';
      readonly invoiceId: string;
      readonly amountCents?: bigint;
    }
  | {
      readonly do: 'terminate';
      readonly subscriptionId: string;
      readonly invoice?: 'generate' | 'skip';
      readonly creditNote?: TerminationCredit;
      /** Whether it is refused while the invoice that a note would be on waits for its taxes; else the note waits with it. */
      readonly refusesWaiting?: boolean;
    }
  | {
      readonly do: 'change_plan';
      readonly subscriptionId: string;
      readonly newSubscriptionId: string;
      readonly planCode: string;
      readonly billingTime?: BillingTime;
      readonly activation?: ActivationInput | null;
    }
  /** The first invoice of an incomplete subscription is paid, or it is given up. */
  | { readonly do: 'settle_activation'; readonly subscriptionId: string; readonly outcome: ActivationOutcome }
  | {
      readonly do: 'change_fixed_charge_units';
      readonly subscriptionId: string;
      readonly changes: readonly {
        readonly fixedChargeId: string;
        readonly units: Decimal;
      }[];
      readonly immediately: boolean;
    }
);

/** What a step made, as it stands after it: invoices that are new or were computed again, and new credit notes. */
export interface TimelineResult {
  readonly state: TimelineState;
  readonly invoices: readonly MadeInvoice[];
  readonly creditNotes: readonly MadeCreditNote[];
  /**
   * What rules decided in it, for rows to be changed alike. What comes from outside (new subscriptions, events, payments) is not
   * among it.
   */
  readonly changes: readonly Change[];
}
