import { BillingError } from '../errors.ts';
import type { CreditLine, DraftInvoice } from './draft-invoice.ts';

/**
 * What holds for every invoice, checked before it leaves the rules: its totals add up, its credit lines add up to the
 * amounts they stand for, no fee gives more than it is, and nothing is negative. Throws a RangeError naming the broken one.
 */
export function assertInvoice(invoice: DraftInvoice): void {
  for (const [name, holds] of invariants(invoice)) {
    if (!holds) throw new RangeError(`broken invariant of an invoice: ${name}`);
  }
}

/** Bound of amounts: what a column of minor units holds. */
export const MOST_CENTS = 2n ** 63n - 1n;

/** A validation error: an invoice comes to more than `MOST_CENTS`. */
export class TooMuch extends BillingError {
  constructor() {
    const limit = `an invoice of at most ${MOST_CENTS} minor units`;
    super('validation_errors', 'Validation failed', { amount_cents: ['value_is_out_of_range'] }, undefined, {
      amount_cents: { limit },
    });
  }
}

/** Refuses an invoice of which an amount is more than can be stored. Prices, units and rates may each be allowed and come to more. */
export function refuseTooMuch(invoice: DraftInvoice): void {
  const { feesAmountCents, subTotalIncludingTaxesAmountCents: gross } = invoice;
  if ([feesAmountCents, gross, ...amounts(invoice)].some((amount) => amount > MOST_CENTS)) throw new TooMuch();
}

function invariants(invoice: DraftInvoice): [string, boolean][] {
  const net = invoice.feesAmountCents - invoice.progressiveBillingCreditAmountCents - invoice.couponsAmountCents;
  const gross = net + invoice.taxesAmountCents;
  const paid = invoice.creditNotesAmountCents + invoice.prepaidCreditAmountCents;
  const used = invoice.walletUses.reduce((total, use) => total + use.amountCents, 0n);
  return [
    ['fees add up', invoice.fees.reduce((total, fee) => total + fee.amountCents, 0n) === invoice.feesAmountCents],
    ['sub-total = fees - credits', net === invoice.subTotalExcludingTaxesAmountCents],
    ['gross = sub-total + taxes', gross === invoice.subTotalIncludingTaxesAmountCents],
    ['total = gross - credit notes - prepaid', gross - paid === invoice.totalAmountCents],
    ['coupon lines', lines(invoice, 'coupon') === invoice.couponsAmountCents],
    ['progressive lines', lines(invoice, 'invoice') === invoice.progressiveBillingCreditAmountCents],
    ['credit note lines', lines(invoice, 'credit_note') === invoice.creditNotesAmountCents],
    ['wallet uses', used === invoice.prepaidCreditAmountCents],
    [
      'shares fit their fees',
      invoice.fees.every((fee) => fee.preciseCouponsAmountCents.lte(fee.amountCents.toString())),
    ],
    ['nothing is negative', [...amounts(invoice)].every((amount) => amount >= 0n)],
  ];
}

function lines(invoice: DraftInvoice, type: CreditLine['type']): bigint {
  return invoice.credits.filter((line) => line.type === type).reduce((total, line) => total + line.amountCents, 0n);
}

function* amounts(invoice: DraftInvoice): Generator<bigint> {
  yield invoice.subTotalExcludingTaxesAmountCents;
  yield invoice.taxesAmountCents;
  yield invoice.totalAmountCents;
  for (const fee of invoice.fees) yield fee.amountCents;
  for (const line of invoice.credits) yield line.amountCents;
  for (const note of invoice.creditNotes) yield note.balanceCents;
  for (const use of invoice.walletUses) yield use.amountCents;
}
