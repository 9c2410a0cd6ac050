import type { DocumentBase, InvoiceDocument, OtherNames } from './invoice-document.ts';

/** What the renderer reads of a credit note, as plain values. */
export type CreditNoteDocument = DocumentBase & {
  /** Number of the invoice that is credited. */
  invoiceNumber: string;
  reason: CreditNoteReason;
  /** Free text, printed below the reason. */
  description: string | null;
  items: readonly CreditedItem[];
  /** Part of the items that coupons had paid, and that is not given back. */
  couponsAdjustmentAmountCents: bigint;
  subTotalExcludingTaxesAmountCents: bigint;
  taxesAmountCents: bigint;
  /** In percent: "20"; null where it is not known. */
  taxesRate: string | null;
  totalAmountCents: bigint;
  creditAmountCents: bigint;
  refundAmountCents: bigint;
  offsetAmountCents: bigint;
};

export type CreditNoteReason =
  | 'duplicated_charge'
  | 'product_unsatisfactory'
  | 'order_change'
  | 'order_cancellation'
  | 'fraudulent_charge'
  | 'other';

/** A part of a fee of the invoice. */
export type CreditedItem = {
  name: string;
  otherNames?: OtherNames;
  /** Name of the subscription that the fee belongs to. */
  subscription: string | null;
  /** First and last day of the fee's period. */
  fromDate: string | null;
  toDate: string | null;
  /** In percent; null where it is not known. */
  taxesRate: string | null;
  amountCents: bigint;
};

export type PrintedDocument = InvoiceDocument | CreditNoteDocument;

export const isCreditNote = (document: PrintedDocument): document is CreditNoteDocument => 'invoiceNumber' in document;
