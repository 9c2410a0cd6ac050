import type { TerminationCredit } from '../customer/subscription.ts';
import { Decimal, dec, HUNDRED, roundToInteger, ZERO } from '../money/decimal.ts';
import { leastCents, SHARE_DECIMALS } from '../money/share.ts';
import { addDays, compareDates, daysBetween, type LocalDate } from '../period/calendar.ts';
import { prorateCents } from '../period/proration.ts';

/** The last subscription fee of what ends, and the running period it paid for. */
export interface TerminationNoteInput {
  readonly feeAmountCents: bigint;
  readonly feeCouponsCents: Decimal;
  readonly taxesRate: Decimal;
  /** Plan amount of the moment of the fee. */
  readonly planAmountCents: bigint;
  /** What it gives back of the fee, however many days are unused; null: what these come to. */
  readonly partCents: Decimal | null;
  /** Items of earlier credit notes on the fee. */
  readonly creditedBeforeCents: Decimal;
  /** The invoice's exact tax less what earlier notes on it show, where nothing but this fee is left; null elsewhere. */
  readonly taxLeftCents: Decimal | null;
  /** Local dates: of the running period, of the termination and of the end of the trial. */
  readonly periodFirst: LocalDate;
  readonly periodLast: LocalDate;
  readonly terminatedOn: LocalDate;
  readonly trialEndsOn: LocalDate | null;
  readonly durationDays: number;
  readonly upgrade: boolean;
  readonly mode: TerminationCredit;
  readonly invoiceTotalIncludingTaxesCents: bigint;
  readonly paidAmountCents: bigint;
  /** What is still to be paid of the invoice; null where that is not known yet. */
  readonly dueCents: bigint | null;
}

export interface TerminationNote {
  /** Unused part of the fee, cut to 5 decimals. */
  readonly itemPreciseAmountCents: Decimal;
  readonly couponsAdjustmentCents: Decimal;
  readonly subTotalExcludingTaxesAmountCents: bigint;
  readonly taxesAmountCents: bigint;
  readonly totalAmountCents: bigint;
  readonly creditAmountCents: bigint;
  readonly refundAmountCents: bigint;
  readonly offsetAmountCents: bigint;
}

interface Parts {
  readonly coupons: Decimal;
  readonly net: Decimal;
  readonly tax: Decimal;
}

/**
 * The credit note for the unused days of a period that was paid in advance, or null when nothing is left to give back. 3100
 * for October, ended on the 15th: 16 of 31 days, 1600 and its tax. An upgrade gives back its own day as well, as credit unless it
 * is to be skipped. Three notes of 333 on 999 at 20 % have taxes of 67, 67 and 66: the last one takes the tax that is left, so that they
 * add up to the invoice's. Source: invoicing 12.2, engine-catalogue 12.5.
 */
export function terminationNote(input: TerminationNoteInput): TerminationNote | null {
  if (input.mode === 'skip') return null;
  const item = itemOf(input).toDecimalPlaces(SHARE_DECIMALS, 1);
  if (item.lte(ZERO)) return null;
  const parts = partsOf(input, item);
  if (parts.net.lte(ZERO)) return null;
  const exactTax = takesRest(input, item) ?? parts.tax;
  const net = roundToInteger(parts.net);
  const tax = roundToInteger(exactTax);
  const exact = roundToInteger(parts.net.plus(exactTax));
  // Shown net and tax win over the rounded whole: the document must add up.
  const difference = net + tax - exact;
  return {
    itemPreciseAmountCents: item,
    couponsAdjustmentCents: parts.coupons,
    subTotalExcludingTaxesAmountCents: net,
    taxesAmountCents: tax,
    totalAmountCents: net + tax,
    ...divide(input, exact, difference),
  };
}

/** What is given back of the fee, never more than earlier notes left of it. */
function itemOf(input: TerminationNoteInput): Decimal {
  const { feeAmountCents, creditedBeforeCents: before, partCents } = input;
  if (partCents === null) return priceOf(input, unusedDays(input)).minus(before);
  return Decimal.min(partCents, dec(feeAmountCents).minus(before));
}

/** The tax of a note that takes all that remains of its invoice; null for one that leaves something. */
function takesRest({ feeAmountCents, creditedBeforeCents, taxLeftCents }: TerminationNoteInput, item: Decimal) {
  const rest = dec(feeAmountCents).minus(creditedBeforeCents).toDecimalPlaces(SHARE_DECIMALS, 1);
  return taxLeftCents !== null && item.gte(rest) ? Decimal.max(taxLeftCents, ZERO) : null;
}

/**
 * Days of the running period after the day of termination; an upgrade's own day belongs to the new plan. While the trial
 * lasts, all paid days, which begin with its end.
 */
function unusedDays(input: TerminationNoteInput): number {
  const { trialEndsOn, terminatedOn, periodLast } = input;
  // Ended on the very day the trial ends: nothing of the paid days was used.
  const inTrial = trialEndsOn !== null && compareDates(trialEndsOn, terminatedOn) >= 0;
  const lastUsed = inTrial ? addDays(trialEndsOn, -1) : terminatedOn;
  const unused = daysBetween(lastUsed, periodLast) + (input.upgrade && !inTrial ? 1 : 0);
  return Math.max(unused, 0);
}

function usedDays(input: TerminationNoteInput): number {
  const { trialEndsOn, periodFirst, terminatedOn } = input;
  const from = trialEndsOn !== null && compareDates(trialEndsOn, periodFirst) > 0 ? trialEndsOn : periodFirst;
  return Math.max(daysBetween(from, terminatedOn) + 1, 0);
}

/** Days at the day price of the fee's plan amount, never more than the fee. */
function priceOf(input: TerminationNoteInput, days: number): Decimal {
  const price = prorateCents(input.planAmountCents, days, input.durationDays);
  const fee = dec(input.feeAmountCents);
  return price.gt(fee) ? fee : price;
}

function partsOf(input: TerminationNoteInput, item: Decimal): Parts {
  const coupons = input.feeCouponsCents.times(item).div(dec(input.feeAmountCents));
  const net = item.minus(coupons);
  return { coupons, net, tax: net.times(input.taxesRate).div(HUNDRED) };
}

/**
 * Credit, refund and offset of a note; the correction by a cent goes to the credit, else the refund, else the offset. An offset is never more than
 * what is due: earlier notes or a wallet paid the rest, which stays credit. Source: invoicing 12.2, engine-money 4.3.
 */
function divide(input: TerminationNoteInput, total: bigint, difference: bigint) {
  const mode = input.upgrade ? 'credit' : input.mode;
  const refund = mode === 'credit' ? 0n : refundOf(input, total);
  const rest = total - refund;
  const most = input.dueCents ?? rest + difference;
  const offset = mode === 'offset' ? leastCents(rest, most) : 0n;
  const amounts = { creditAmountCents: rest - offset, refundAmountCents: refund, offsetAmountCents: offset };
  if (amounts.creditAmountCents > 0n) amounts.creditAmountCents += difference;
  else if (amounts.refundAmountCents > 0n) amounts.refundAmountCents += difference;
  else if (offset + difference <= most) amounts.offsetAmountCents += difference;
  else amounts.creditAmountCents += difference;
  return amounts;
}

/** What was paid for the fee beyond its used days, at most the note. */
function refundOf(input: TerminationNoteInput, total: bigint): bigint {
  if (input.invoiceTotalIncludingTaxesCents <= 0n) return 0n;
  const feeNet = dec(input.feeAmountCents).minus(input.feeCouponsCents);
  const feeTotal = feeNet.plus(feeNet.times(input.taxesRate).div(HUNDRED));
  const paid = feeTotal.times(dec(input.paidAmountCents)).div(dec(input.invoiceTotalIncludingTaxesCents));
  const used = partsOf(input, priceOf(input, usedDays(input)));
  const refund = roundToInteger(paid.minus(used.net.plus(used.tax)));
  return refund > 0n ? leastCents(refund, total) : 0n;
}
