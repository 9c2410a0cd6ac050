import type { FeeType } from '../billing/fee/draft-fee.ts';
/**
 * What every document has. Cents are bigint in its currency, decimals are plain-notation strings, dates are local
 * `YYYY-MM-DD` (the caller has already applied the time zone). All texts are printed as they are: markup in them is text.
 */
export type DocumentBase = {
  number: string;
  currency: string;
  issuingDate: string;
  /** A self-billed invoice is issued by the customer's side: the two parties change places and the title says so. */
  selfBilled?: boolean;
  /** The customer's language; without it the billing entity's is used, then English. */
  documentLocale?: string | null;
  billingEntity: BillingEntityParty;
  customer: CustomerParty;
};

/** What the renderer reads of an invoice and its snapshots, as plain values. */
export type InvoiceDocument = DocumentBase &
  InvoiceAmounts & {
    paymentDueDate: string | null;
    /** Days that the payer has; 0 is at once. Absent: nothing is printed of terms. */
    netPaymentTerm?: number | null;
    /** Where it is paid; absent or null: nothing is printed of it. */
    payment?: PaymentDetails | null;
    subscriptions: readonly InvoiceSubscription[];
    billingPeriods: readonly InvoicePeriod[];
    fees: readonly PrintedFee[];
    credits: readonly InvoiceCredit[];
    appliedTaxes: readonly InvoiceTax[];
    customSections: readonly { displayName: string; details: string | null }[];
  };

export type InvoiceAmounts = {
  feesAmountCents: bigint;
  progressiveBillingCreditAmountCents: bigint;
  couponsAmountCents: bigint;
  subTotalExcludingTaxesAmountCents: bigint;
  taxesAmountCents: bigint;
  subTotalIncludingTaxesAmountCents: bigint;
  creditNotesAmountCents: bigint;
  prepaidCreditAmountCents: bigint;
  totalAmountCents: bigint;
  /** What is still to be paid: nothing once the payment has succeeded, also where that was noted by hand. */
  totalDueAmountCents: bigint;
  /** What has been paid already. Absent is 0. */
  totalPaidAmountCents?: bigint;
  paymentStatus?: string;
  /** What credit notes on the invoice were offset against it. Absent is 0. */
  offsetAmountCents?: bigint;
};

/** An account, and an address over https, at which the payer may choose to pay. */
export type PaymentDetails = {
  iban: string | null;
  bic: string | null;
  /** Without it the account is in the issuer's name. */
  accountHolder: string | null;
  bankName: string | null;
  url: string | null;
};

/** Whether something was paid and nothing is left to be. */
export function isPaid(invoice: InvoiceAmounts): boolean {
  if (invoice.totalDueAmountCents > 0n) return false;
  return (
    (invoice.totalPaidAmountCents ?? 0n) > 0n ||
    (invoice.totalAmountCents === 0n && invoice.prepaidCreditAmountCents > 0n) ||
    (invoice.paymentStatus === 'succeeded' && invoice.totalAmountCents > 0n)
  );
}

export type Address = {
  addressLine1?: string | null;
  addressLine2?: string | null;
  zipcode?: string | null;
  city?: string | null;
  state?: string | null;
  /** ISO 3166 alpha-2. */
  country?: string | null;
};

export type Party = Address & {
  name: string | null;
  legalName?: string | null;
  legalNumber?: string | null;
  taxIdentificationNumber?: string | null;
  email?: string | null;
  /** A `data:` address, or an https address on a host that the operator lists. */
  logoUrl?: string | null;
};

export type BillingEntityParty = Party & { documentLocale?: string | null; invoiceFooter?: string | null };

export type CustomerParty = Party & {
  firstname?: string | null;
  lastname?: string | null;
  shippingAddress?: Address | null;
  /** Only the entries that are to be displayed on invoices. */
  metadata?: readonly { key: string; value: string }[];
};

export type InvoiceSubscription = { id: string; name: string; otherNames?: OtherNames };

/** What something goes by besides, in the order in which these are tried where no font has the letters of its name. */
export type OtherNames = readonly (string | null | undefined)[];

/** Both bounds are the first and the last day that belong to the period. */
export type InvoicePeriod = {
  subscriptionId: string;
  fromDate: string | null;
  toDate: string | null;
  chargesFromDate?: string | null;
  chargesToDate?: string | null;
};

export type PrintedFee = {
  id: string;
  type: FeeType;
  subscriptionId: string | null;
  /** The name to print: the invoice display name when there is one. */
  name: string;
  otherNames?: OtherNames;
  description?: string | null;
  /** The filter's display name when it has one, else its values are printed from `filters`. */
  filterName?: string | null;
  filters?: Readonly<Record<string, readonly string[]>> | null;
  groupedBy?: Readonly<Record<string, string | null>> | null;
  units: string;
  /** In currency units, as precise as it is: "0.00000018". */
  preciseUnitAmount: string;
  /** Before coupons and taxes: the figure that adds up to `feesAmountCents`. */
  amountCents: bigint;
  /** In percent: "20", "5.5". */
  taxesRate: string;
  fromDate?: string | null;
  toDate?: string | null;
  /** Set on the fee that lifts a charge to its minimum: the id of the fee of that charge. */
  trueUpParentFeeId?: string | null;
  amountDetails?: PrintedDetails | null;
  /** A charge priced in a unit of its own: its price and amount in that unit, and what one is worth in the currency. */
  pricingUnit?: {
    shortName: string;
    preciseUnitAmount: string;
    preciseAmount: string;
    conversionRate: string;
  } | null;
  presentationBreakdowns?: readonly { by: Readonly<Record<string, string | null>>; units: string }[];
};

/** How an amount came about; which members are there tells the price model. Amounts are in currency units. */
export type PrintedDetails = {
  graduatedRanges?: readonly (AmountRange & { perUnitAmount: string })[];
  graduatedPercentageRanges?: readonly (AmountRange & { rate: string })[];
  units?: string;
  freeUnits?: string;
  paidUnits?: string;
  perPackageSize?: number;
  perPackageUnitAmount?: string;
  perUnitAmount?: string;
  perUnitTotalAmount?: string;
  flatUnitAmount?: string;
  rate?: string;
  freeEvents?: number;
  paidEvents?: number;
  fixedFeeUnitAmount?: string;
  fixedFeeTotalAmount?: string;
  minMaxAdjustmentTotalAmount?: string;
};

export type AmountRange = {
  /** Both bounds belong to the range; null is without end. */
  fromValue: number;
  toValue: number | null;
  units: string;
  perUnitTotalAmount: string;
  flatUnitAmount: string;
  totalWithFlatAmount: string;
};

export type InvoiceCredit = {
  type: 'coupon' | 'credit_note' | 'invoice';
  code: string;
  name: string | null;
  /** What it takes off, as a positive figure. */
  amountCents: bigint;
};

export type InvoiceTax = {
  name: string;
  /** In percent. */
  rate: string;
  amountCents: bigint;
  /** What the rate was applied to. */
  feesAmountCents: bigint;
};
