import type { SubscriptionInput, TerminationCredit, UnitEvent } from '../customer/subscription.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import type { AppliedCouponInput, CreditNoteInput, WalletInput } from '../invoice/credit-input.ts';
import type { WalletUse } from '../invoice/draft-invoice.ts';
import type { InvoiceResult, InvoicingReason } from '../invoice/issued-invoice.ts';
import type { InvoiceNumbering } from '../invoice/numbering.ts';
import type { CreditItem, PastInvoice } from '../invoice/past-invoice.ts';
import type { Decimal } from '../money/decimal.ts';
import type { Instant } from '../period/calendar.ts';
import type { TerminationCreditNote } from './termination.ts';

/** An invoice that was made, and from what: a draft is computed again with the data of the day it becomes final. */
export interface MadeInvoice
  extends InvoiceResult,
    InvoiceNumbering,
    Omit<PastInvoice, keyof InvoiceResult | 'number'> {
  readonly recipe: readonly {
    readonly subscriptionId: string;
    readonly reason: InvoicingReason;
  }[];
}

/**
 * A credit note that was made: for unused days of a subscription, or (without one) for what was billed early and too much, or for an invoice that
 * was voided.
 */
export interface MadeCreditNote
  extends CreditNoteInput,
    Omit<TerminationCreditNote, keyof CreditNoteInput | 'feeKey' | 'itemPreciseAmountCents'> {
  readonly invoiceId: string;
  /** What it gives back of the fees of its invoice. */
  readonly items: readonly CreditItem[];
  /** Its rank on its invoice, from 1. */
  readonly sequentialId: number;
  /** Local date, YYYY-MM-DD. */
  readonly issuingDate: string;
  readonly taxesRate: Decimal;
  readonly subscriptionId: string | null;
  readonly mode: TerminationCredit;
}

/** A fee that was made on no invoice; `invoiceId` is the one that gathered it once it was paid. */
export interface LooseFee {
  readonly id: string;
  readonly fee: InvoiceFee;
  readonly paidAt: Instant | null;
  readonly invoiceId: string | null;
}

/** What becomes of a subscription that is there: it starts, ends, is given up, or is followed by another. */
export type SubscriptionChange = Partial<
  Pick<
    SubscriptionInput,
    | 'status'
    | 'startedAt'
    | 'firstStartedAt'
    | 'terminatedAt'
    | 'nextId'
    | 'onTerminationCreditNote'
    | 'onTerminationInvoice'
    | 'activation'
  >
> & {
  /** When its first invoice was paid that had to be. */
  readonly activatedAt?: Instant;
  /** Why it was given up. */
  readonly cancellationReason?: 'payment_failed' | 'timeout';
};

/** What rules decide that changes, by its kind. Values of a customer are as they stand after the change. */
export interface Changes {
  /** A new invoice, draft or final, with its fees, periods, taxes and lines of credit. */
  readonly invoice_made: { readonly invoice: MadeInvoice };
  /** A draft that was computed again; where it became final its draft credit notes are made again after it. */
  readonly invoice_recomputed: { readonly invoice: MadeInvoice };
  /** An open invoice that was paid, and is final, or is closed: what it bills stays as it is. */
  readonly invoice_settled: { readonly invoice: MadeInvoice };
  /** The ranks that an invoice took; see `InvoiceRanks`. */
  readonly number_taken: { readonly numbering: InvoiceNumbering; readonly selfBilled: boolean };
  /** A final invoice that is none any more; it keeps its number. */
  readonly invoice_voided: { readonly invoiceId: string };
  /** A coupon as an invoice leaves it: what it used, or what it gives back as it is voided. */
  readonly coupon_used: { readonly coupon: AppliedCouponInput };
  /** The same of a credit note. */
  readonly credit_note_used: { readonly note: CreditNoteInput };
  /** A wallet paid a part of an invoice. */
  readonly wallet_used: {
    readonly invoiceId: string;
    readonly currency: string;
    readonly use: WalletUse;
    readonly wallet: WalletInput;
  };
  /** What a wallet paid of an invoice that is voided comes back to it, as credits that were granted. */
  readonly wallet_given_back: {
    readonly invoiceId: string;
    readonly currency: string;
    readonly use: WalletUse;
    readonly inboundId: string;
    readonly wallet: WalletInput;
  };
  /** A new credit note, draft or final, on an invoice that was made before. */
  readonly credit_note_made: { readonly note: MadeCreditNote };
  /** A draft credit note that follows its invoice, which was computed again, and may have become final with it. */
  readonly credit_note_recomputed: { readonly note: MadeCreditNote };
  /** A new fee on no invoice. */
  readonly fee_made: { readonly fee: LooseFee; readonly currency: string; readonly selfBilled: boolean };
  /** Fees that were made on no invoice, and that an invoice over what is paid already gathers. */
  readonly fees_gathered: { readonly invoiceId: string; readonly feeIds: readonly string[] };
  readonly subscription_changed: { readonly subscriptionId: string; readonly members: SubscriptionChange };
  /** New entries in the history of a fixed charge's units; the first one of all may say what they have been since the start. */
  readonly units_changed: {
    readonly subscriptionId: string;
    readonly fixedChargeId: string;
    readonly entries: readonly UnitEvent[];
  };
}

export type ChangeKind = keyof Changes;

/** One thing that changes. Who applies changes knows every kind, or does not compile. */
export type Change<K extends ChangeKind = ChangeKind> = {
  readonly [P in K]: { readonly kind: P } & Changes[P];
}[K];
