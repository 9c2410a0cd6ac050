import type { TerminationCredit } from '../customer/subscription.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { isOpen } from '../invoice/final-status.ts';
import { dueOf, type PastInvoice } from '../invoice/past-invoice.ts';
import { netOf } from '../invoice/tax.ts';
import { Decimal, dec, HUNDRED, roundToInteger, sum, ZERO } from '../money/decimal.ts';
import { endOfDay, type LocalDate, laterDate, localDate, SECOND_MS } from '../period/calendar.ts';
import { periodDays, periodGrid, periodOf } from '../period/period.ts';
import { type BilledSubscription, pastFees } from './billed-subscription.ts';
import { type TerminationNote, terminationNote } from './credit-note.ts';

/** A credit note for unused days, and what it is made for. */
export interface TerminationCreditNote extends TerminationNote {
  readonly invoiceId: string;
  readonly invoiceNumber: string;
  readonly feeKey: string;
  readonly taxesRate: Decimal;
  readonly currency: string;
  /** A note on an invoice that is not final yet is a draft: it follows the invoice and becomes final with it. */
  readonly status: 'draft' | 'finalized';
}

interface PaidFee {
  readonly fee: InvoiceFee;
  readonly invoice: PastInvoice;
}

/**
 * The credit note of a subscription in advance that has ended inside a period it paid for; null for a plan in arrears, a
 * downgrade (it ends with its period), a period that was not billed, or when nothing is left. `partOf`: what it gives back of the fee, where that is not
 * what the unused days come to. Source: invoicing 12.2.
 */
export function terminationCreditNote(
  billed: BilledSubscription,
  mode: TerminationCredit = billed.subscription.onTerminationCreditNote ?? 'credit',
  partOf: (fee: InvoiceFee) => Decimal | null = () => null,
): TerminationCreditNote | null {
  const { terms, zone, trialEndsAt, terminated } = billed;
  if (!terms.payInAdvance || !terminated || terms.terminatedAt === null || terms.successor === 'downgrade') return null;
  const terminatedOn = localDate(terms.terminatedAt, zone);
  const period = periodOf(periodGrid(terms), terminatedOn);
  const paid = feeOfPeriod(billed, period.last);
  if (paid === null) return null;
  const { fee, invoice } = paid;
  const note = terminationNote({
    feeAmountCents: fee.amountCents,
    feeCouponsCents: fee.preciseCouponsAmountCents,
    taxesRate: fee.taxesRate,
    planAmountCents: fee.planAmountCents ?? terms.amountCents,
    partCents: partOf(fee),
    creditedBeforeCents: creditedBefore(invoice, fee),
    taxLeftCents: taxLeft(invoice, fee),
    periodFirst: laterDate(period.first, localDate(terms.startedAt, zone)),
    periodLast: period.last,
    terminatedOn,
    trialEndsOn: trialEndsAt === null ? null : localDate(trialEndsAt, zone),
    durationDays: periodDays(period),
    upgrade: terms.successor === 'upgrade',
    mode,
    invoiceTotalIncludingTaxesCents: invoice.subTotalIncludingTaxesAmountCents,
    paidAmountCents: invoice.totalPaidAmountCents,
    dueCents: dueOf(invoice),
  });
  return note && { ...note, ...origin(billed, paid) };
}

function origin(billed: BilledSubscription, { fee, invoice }: PaidFee) {
  return {
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    feeKey: fee.key,
    taxesRate: fee.taxesRate,
    currency: billed.subscription.plan.currency,
    status: isOpen(invoice) ? ('draft' as const) : ('finalized' as const),
  };
}

/** The last subscription fee above 0 that was billed up to the end of the running period. */
function feeOfPeriod(billed: BilledSubscription, last: LocalDate): PaidFee | null {
  const end = endOfDay(last, billed.zone);
  const fees = new Set(pastFees(billed));
  const paid = billed.past.flatMap((invoice) =>
    invoice.fees
      .filter((fee) => fees.has(fee) && fee.type === 'subscription' && fee.amountCents > 0n)
      .filter((fee) => fee.period !== null && Math.abs(fee.period.to - end) < SECOND_MS)
      .map((fee) => ({ fee, invoice })),
  );
  return paid.at(-1) ?? null;
}

function creditedBefore(invoice: PastInvoice, fee: InvoiceFee) {
  const items = (invoice.creditedItems ?? []).filter((item) => item.feeKey === fee.key);
  return items.length === 0 ? ZERO : sum(items.map((item) => dec(item.preciseAmountCents)));
}

/** The exact tax of an invoice less that of earlier notes on it; null where that is not known, or while another fee is left. */
function taxLeft(invoice: PastInvoice, fee: InvoiceFee): Decimal | null {
  const { creditNoteTaxesMadeCents: taken } = invoice;
  const isLeft = (other: InvoiceFee) =>
    other.key !== fee.key && creditedBefore(invoice, other).lt(dec(other.amountCents));
  if (taken === undefined || invoice.fees.some(isLeft)) return null;
  return sum(invoice.fees.map((each) => netOf(each).times(each.taxesRate).div(HUNDRED))).minus(dec(taken));
}

/**
 * The credit note for what a progressive invoice billed beyond the usage it was for, with its part of that invoice's tax: all that
 * earlier notes left of it when nothing of the invoice remains. Source: invoicing 9 and 12.2.
 */
export function excessCreditNote(past: PastInvoice, amountCents: bigint): TerminationCreditNote {
  const net = dec(past.subTotalExcludingTaxesAmountCents);
  const before = past.creditNotesMadeCents ?? 0n;
  const isRest = before > 0n && dec(before + amountCents).gte(net);
  const rest = past.taxesAmountCents - (past.creditNoteTaxesMadeCents ?? 0n);
  const part = net.isZero() ? ZERO : dec(amountCents).times(dec(past.taxesAmountCents)).div(net);
  const tax = isRest && past.creditNoteTaxesMadeCents !== undefined ? Decimal.max(dec(rest), ZERO) : part;
  const totalAmountCents = amountCents + roundToInteger(tax);
  return {
    itemPreciseAmountCents: dec(amountCents),
    couponsAdjustmentCents: ZERO,
    subTotalExcludingTaxesAmountCents: amountCents,
    taxesAmountCents: roundToInteger(tax),
    totalAmountCents,
    creditAmountCents: totalAmountCents,
    refundAmountCents: 0n,
    offsetAmountCents: 0n,
    invoiceId: past.id,
    invoiceNumber: past.number,
    feeKey: past.fees[0]?.key ?? past.id,
    taxesRate: past.fees[0]?.taxesRate ?? ZERO,
    currency: past.currency,
    status: 'finalized',
  };
}
