import type { InvoiceFee } from '../fee/invoice-fee.ts';
import type { AppliedCouponInput, CreditNoteInput } from '../invoice/credit-input.ts';
import type { CreditTrace, DraftInvoice } from '../invoice/draft-invoice.ts';
import { isGathering } from '../invoice/final-status.ts';
import { computeInvoice, type InvoiceInput } from '../invoice/invoice.ts';
import type { PastInvoice } from '../invoice/past-invoice.ts';
import { roundToInteger, ZERO } from '../money/decimal.ts';
import type { MadeInvoice } from '../subscription/change.ts';
import type { TimelineState } from '../timeline/timeline-type.ts';
import { type Figures, type OwnDifference, textOf, unequal } from './difference.ts';

const kindOf = (invoice: MadeInvoice): InvoiceInput['kind'] => {
  const { type, status, taxStatus } = invoice;
  if (isGathering(invoice)) return 'collected';
  if (taxStatus === 'pending') return 'untaxed';
  if (type !== 'subscription' && type !== 'progressive_billing') return 'plain';
  return status === 'draft' ? 'draft' : 'final';
};

/** The fees as they were before their invoice credited and taxed them. What was paid already is as it was. */
const bare = (invoice: MadeInvoice) =>
  invoice.fees.map((fee) => {
    const untaxed = { taxesAmountCents: 0n, taxesPreciseAmountCents: ZERO, taxesRate: ZERO, appliedTaxes: [] };
    const uncredited = { preciseCouponsAmountCents: ZERO, preciseCreditNotesAmountCents: ZERO };
    return isGathering(invoice) ? fee : { ...fee, ...untaxed, ...uncredited };
  });

const linesOf = ({ credits }: MadeInvoice, type: MadeInvoice['credits'][number]['type']) =>
  credits.filter((line) => line.type === type);

/** Progressive invoices that have left what a line credits of them. */
const progressiveFor = ({ invoices }: TimelineState, invoice: MadeInvoice): PastInvoice[] =>
  linesOf(invoice, 'invoice').flatMap(({ sourceId, amountCents }) => {
    const past = invoices.find(({ id }) => id === sourceId);
    const left = { couponsAmountCents: 0n, alreadyCreditedCents: 0n, creditNotesMadeCents: 0n };
    return past ? [{ ...past, feesAmountCents: amountCents, ...left }] : [];
  });

/** Coupons that give what their lines say, to the fees that they reach; a percentage gives what it comes to. */
const couponsFor = ({ coupons }: TimelineState, invoice: MadeInvoice): AppliedCouponInput[] =>
  linesOf(invoice, 'coupon').map(({ sourceId, itemId, code, name, amountCents, currency }, createdAt) => {
    const known = coupons.find(({ id }) => id === sourceId);
    const active = { frequency: 'forever', status: 'active', usedCents: 0n } as const;
    if (known?.type === 'percentage') return { ...known, ...active };
    const reach = { planIds: known?.planIds ?? [], metricIds: known?.metricIds ?? [] };
    const named = { id: sourceId ?? code, couponId: itemId, code, name, createdAt: known?.createdAt ?? createdAt };
    return {
      ...named,
      ...reach,
      ...active,
      type: 'fixed_amount',
      amountCents,
      currency,
      rate: null,
      periodsRemaining: 1,
    };
  });

/** Credit notes whose balance is what their lines say. */
const notesFor = (invoice: MadeInvoice): CreditNoteInput[] =>
  linesOf(invoice, 'credit_note').map(({ sourceId, code, name, amountCents, currency }, createdAt) => ({
    ...{ id: sourceId ?? code, number: code, invoiceNumber: name, invoiceId: null, currency, createdAt },
    ...{ balanceCents: amountCents, status: 'finalized', creditStatus: 'available' },
  }));

const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

const totalsOf = (invoice: DraftInvoice): Figures => ({
  feesAmountCents: invoice.feesAmountCents,
  progressiveBillingCreditAmountCents: invoice.progressiveBillingCreditAmountCents,
  couponsAmountCents: invoice.couponsAmountCents,
  subTotalExcludingTaxesAmountCents: invoice.subTotalExcludingTaxesAmountCents,
  taxesAmountCents: invoice.taxesAmountCents,
  taxesRate: invoice.taxesRate,
  subTotalIncludingTaxesAmountCents: invoice.subTotalIncludingTaxesAmountCents,
  creditNotesAmountCents: invoice.creditNotesAmountCents,
  prepaidCreditAmountCents: invoice.prepaidCreditAmountCents,
  totalAmountCents: invoice.totalAmountCents,
});

const taxedOf = (fee: InvoiceFee): Figures => ({
  preciseCouponsAmountCents: fee.preciseCouponsAmountCents,
  taxesAmountCents: fee.taxesAmountCents,
  taxesPreciseAmountCents: fee.taxesPreciseAmountCents,
  taxesRate: fee.taxesRate,
});

const linesByCode = (lines: DraftInvoice['appliedTaxes']): Figures =>
  Object.fromEntries(lines.map(({ code, amountCents }) => [`taxes.${code}`, amountCents]));

const creditsBySource = ({ credits }: DraftInvoice): Figures =>
  Object.fromEntries(credits.map((line) => [`credits.${line.code}`, line.amountCents]));

/** Where every wallet traces its credits, what was granted and what was bought of what was paid. */
function originOf(invoice: MadeInvoice): Figures {
  const { prepaidGrantedCreditAmountCents: granted, prepaidPurchasedCreditAmountCents: purchased } = invoice;
  if (granted === null && purchased === null) return {};
  return { prepaidCreditAmountCents: total([granted ?? 0n, purchased ?? 0n]) };
}

/** The invoice as it was before wallets paid of it; undefined where its fees and credits make none that holds. */
export function unpaidOf(state: TimelineState, invoice: MadeInvoice, trace?: CreditTrace): DraftInvoice | undefined {
  try {
    const input = {
      ...{ currency: invoice.currency, fees: bare(invoice), kind: kindOf(invoice) },
      ...{ progressive: progressiveFor(state, invoice), coupons: couponsFor(state, invoice) },
      creditNotes: notesFor(invoice),
    };
    return computeInvoice(input, trace);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Every figure that does not follow from the fees of an invoice as they are and from what it says it used. */
export function notTheSum(state: TimelineState, invoice: MadeInvoice): OwnDifference[] {
  const unpaid = unpaidOf(state, invoice);
  if (!unpaid) {
    const stored = textOf(invoice.totalAmountCents);
    return [{ figure: 'totalAmountCents', stored, computed: '', reason: 'not_the_sum' }];
  }
  // How much a wallet gave follows from all that it held then, and is not asked again: only what is left to pay.
  const prepaidCreditAmountCents = total(invoice.walletUses.map(({ amountCents }) => amountCents));
  const totalAmountCents = unpaid.totalAmountCents - prepaidCreditAmountCents;
  const again = { ...unpaid, prepaidCreditAmountCents, totalAmountCents };
  // What tops a fee up to its minimum is the rest to the rounded fee.
  const exact = invoice.fees.filter(({ trueUpParentKey }) => trueUpParentKey === null);
  const rounded = exact.flatMap((fee) =>
    unequal({ amountCents: fee.amountCents }, { amountCents: roundToInteger(fee.preciseAmountCents) }).map((one) => ({
      ...one,
      figure: `${fee.item.code}.${one.figure}`,
    })),
  );
  const fees = invoice.fees.flatMap((fee, index) => {
    const computed = again.fees[index];
    const differing = computed ? unequal(taxedOf(fee), taxedOf(computed)) : [];
    return differing.map((one) => ({ ...one, figure: `${fee.item.code}.${one.figure}` }));
  });
  const sums = [
    ...unequal(totalsOf(invoice), totalsOf(again)),
    ...unequal(linesByCode(invoice.appliedTaxes), linesByCode(again.appliedTaxes)),
    ...unequal(creditsBySource(invoice), creditsBySource(again)),
    ...unequal({ prepaidCreditAmountCents: invoice.prepaidCreditAmountCents }, originOf(invoice)),
  ];
  return [...rounded, ...fees, ...sums].map((one) => ({ ...one, reason: 'not_the_sum' as const }));
}
