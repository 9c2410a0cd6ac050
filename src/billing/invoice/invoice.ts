import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { ZERO } from '../money/decimal.ts';
import { applyCoupons } from './coupon.ts';
import type { AppliedCouponInput, CreditNoteInput, WalletInput } from './credit-input.ts';
import { applyCreditNotes } from './credit-note-use.ts';
import type { CreditTrace, DraftInvoice } from './draft-invoice.ts';
import { assertInvoice } from './invariant.ts';
import type { PastInvoice } from './past-invoice.ts';
import { applyProgressiveCredit } from './progressive-billing.ts';
import { addUpTaxes, applyTaxes, leaveUntaxed } from './tax.ts';
import { applyWallets } from './wallet.ts';

/** What an invoice is computed from, once its fees are known. */
export interface InvoiceInput {
  readonly currency: string;
  readonly fees: readonly InvoiceFee[];
  /** Earlier progressive invoices of the same usage. */
  readonly progressive?: readonly PastInvoice[];
  readonly coupons?: readonly AppliedCouponInput[];
  readonly creditNotes?: readonly CreditNoteInput[];
  readonly wallets?: readonly WalletInput[];
  /**
   * `final`: everything. `draft`: coupons, notes and wallets wait until it is final. `plain`: a one-off invoice, which they
   * never touch. `collected`: fees already paid, whose rounded taxes are added up. `untaxed`: what it is before it is known which taxes
   * apply, from which everything follows that comes after fees.
   */
  readonly kind: 'final' | 'draft' | 'plain' | 'collected' | 'untaxed';
}

interface Step {
  readonly step: string;
  readonly why: string;
  readonly in: readonly InvoiceInput['kind'][];
  readonly run: (invoice: DraftInvoice, input: InvoiceInput, trace?: CreditTrace) => DraftInvoice;
}

const EVERY = ['final', 'draft', 'plain', 'collected', 'untaxed'] as const;

/** The order of an invoice. Every step sees only what the steps above it made. Source: invoicing 8. */
const INVOICE_STEPS: readonly Step[] = [
  { step: 'fees', why: 'rounded fees add up', in: EVERY, run: sumFees },
  {
    step: 'progressive credit',
    why: 'what was billed early is no revenue twice, so coupons see the rest',
    in: ['final', 'draft', 'untaxed'],
    run: (invoice, input, trace) => applyProgressiveCredit(invoice, input.progressive ?? [], trace),
  },
  {
    step: 'coupons',
    why: 'a discount lowers what is taxed',
    in: ['final'],
    run: (invoice, _, trace) => applyCoupons(invoice, trace),
  },
  { step: 'taxes', why: 'on what is left, rounded once', in: ['final', 'draft', 'plain'], run: applyTaxes },
  { step: 'no taxes yet', why: 'which ones apply is not known', in: ['untaxed'], run: leaveUntaxed },
  { step: 'taxes as billed', why: 'paid fees are not computed again', in: ['collected'], run: addUpTaxes },
  { step: 'credit notes', why: 'money owed to the customer, tax included', in: ['final'], run: applyCreditNotes },
  { step: 'wallets', why: 'prepaid money pays what is left, last', in: ['final'], run: applyWallets },
];

/**
 * An invoice from its fees to its total: `total = fees - progressive credit - coupons + taxes - credit notes - prepaid`.
 * `trace` is told of each coupon and progressive invoice. Throws a RangeError when an invariant is broken, which no input of this form can cause. Source: invoicing 8.
 */
export function computeInvoice(input: InvoiceInput, trace?: CreditTrace): DraftInvoice {
  const steps = INVOICE_STEPS.filter((step) => step.in.includes(input.kind));
  const invoice = steps.reduce((draft, step) => step.run(draft, input, trace), emptyInvoice(input));
  assertInvoice(invoice);
  return invoice;
}

function sumFees(invoice: DraftInvoice): DraftInvoice {
  const feesAmountCents = invoice.fees.reduce((total, fee) => total + fee.amountCents, 0n);
  return { ...invoice, feesAmountCents, subTotalExcludingTaxesAmountCents: feesAmountCents };
}

function emptyInvoice(input: InvoiceInput): DraftInvoice {
  return {
    currency: input.currency,
    fees: input.fees,
    credits: [],
    appliedTaxes: [],
    coupons: input.coupons ?? [],
    creditNotes: input.creditNotes ?? [],
    wallets: input.wallets ?? [],
    walletUses: [],
    excessCredits: [],
    feesAmountCents: 0n,
    progressiveBillingCreditAmountCents: 0n,
    couponsAmountCents: 0n,
    subTotalExcludingTaxesAmountCents: 0n,
    taxesAmountCents: 0n,
    taxesRate: ZERO,
    subTotalIncludingTaxesAmountCents: 0n,
    creditNotesAmountCents: 0n,
    prepaidCreditAmountCents: 0n,
    prepaidGrantedCreditAmountCents: null,
    prepaidPurchasedCreditAmountCents: null,
    totalAmountCents: 0n,
  };
}
