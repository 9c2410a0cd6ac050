import type { UsageThresholdInput } from '../catalogue/plan.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { type Decimal, dec, ZERO } from '../money/decimal.ts';
import { leastCents } from '../money/share.ts';
import type { Instant } from '../period/calendar.ts';
import type { GroupedBy } from '../usage/grouped-by.ts';
import type { CreditLine, CreditTrace, DraftInvoice } from './draft-invoice.ts';
import type { PastInvoice } from './past-invoice.ts';

/**
 * The progressive invoice that an invoice for the usage since `chargesFrom` must credit: the latest one of the subscription, final or about to be,
 * whose usage period holds that moment, by issuing date, then time of making. Source: invoicing 9.
 */
export function progressiveInvoiceToCredit(
  pastInvoices: readonly PastInvoice[],
  subscriptionId: string,
  chargesFrom: Instant,
): PastInvoice | null {
  const candidates = pastInvoices.filter(
    (invoice) =>
      invoice.type === 'progressive_billing' &&
      (invoice.status === 'finalized' || invoice.status === 'pending') &&
      invoice.billingPeriods.some((period) => {
        const { chargesFrom: from, chargesTo: to } = period;
        return (
          period.subscriptionId === subscriptionId &&
          from !== null &&
          from <= chargesFrom &&
          chargesFrom <= (to ?? from)
        );
      }),
  );
  return candidates.sort(byIssue).at(-1) ?? null;
}

function byIssue(a: PastInvoice, b: PastInvoice): number {
  if (a.issuingDate !== b.issuingDate) return a.issuingDate < b.issuingDate ? -1 : 1;
  return a.billedAt - b.billedAt;
}

/**
 * Takes back what progressive invoices billed of the same usage. A credit is capped by the fees of the charges they billed for the
 * subscription they billed; the excess is to become a credit note. Each usage fee gets the matching progressive fee as share, not the
 * credit: with several thresholds the two can differ. 20.00 on a charge that now bills 19.00 credits 19.00 and leaves 1.00.
 * Source: invoicing 9.
 */
export function applyProgressiveCredit(
  invoice: DraftInvoice,
  progressive: readonly PastInvoice[],
  trace?: CreditTrace,
): DraftInvoice {
  return progressive.reduce((before, past) => {
    const after = creditOne(before, past);
    trace?.({ type: 'invoice', code: past.number, name: past.number }, before, after);
    return after;
  }, invoice);
}

function creditOne(invoice: DraftInvoice, past: PastInvoice): DraftInvoice {
  const paid =
    past.feesAmountCents -
    past.couponsAmountCents -
    (past.alreadyCreditedCents ?? 0n) -
    (past.creditNotesMadeCents ?? 0n);
  if (paid <= 0n) return invoice;
  const reachable = invoice.fees.filter(
    (fee) => fee.type === 'charge' && past.fees.some((early) => isSameCharge(early, fee)),
  );
  const most = reachable.reduce((total, fee) => total + fee.amountCents, 0n);
  const credit = leastCents(paid, leastCents(most, invoice.subTotalExcludingTaxesAmountCents));
  const excess = { invoiceId: past.id, amountCents: paid - credit };
  return {
    ...invoice,
    fees: invoice.fees.map((fee) => withShare(fee, past.fees)),
    credits: credit > 0n ? [...invoice.credits, progressiveLine(past, credit, invoice.currency)] : invoice.credits,
    excessCredits: excess.amountCents > 0n ? [...invoice.excessCredits, excess] : invoice.excessCredits,
    progressiveBillingCreditAmountCents: invoice.progressiveBillingCreditAmountCents + credit,
    subTotalExcludingTaxesAmountCents: invoice.subTotalExcludingTaxesAmountCents - credit,
  };
}

function withShare(fee: InvoiceFee, pastFees: readonly InvoiceFee[]): InvoiceFee {
  const match = pastFees.find((past) => isSameUsage(past, fee));
  if (fee.type !== 'charge' || !match) return fee;
  const share = fee.preciseCouponsAmountCents.plus(dec(match.amountCents));
  return { ...fee, preciseCouponsAmountCents: lesser(share, dec(fee.amountCents)) };
}

/** Subscriptions of one plan share its charges: each has its own usage. */
function isSameCharge(past: InvoiceFee, fee: InvoiceFee): boolean {
  return past.subscriptionId === fee.subscriptionId && past.chargeId === fee.chargeId;
}

function isSameUsage(past: InvoiceFee, fee: InvoiceFee): boolean {
  return (
    isSameCharge(past, fee) &&
    past.filterId === fee.filterId &&
    fee.trueUpParentKey === null &&
    isSameGroup(past.groupedBy, fee.groupedBy)
  );
}

function isSameGroup(a: GroupedBy, b: GroupedBy): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => (a[key] ?? null) === (b[key] ?? null));
}

function progressiveLine(past: PastInvoice, amountCents: bigint, currency: string): CreditLine {
  return {
    type: 'invoice',
    sourceId: past.id,
    itemId: past.id,
    code: past.number,
    name: past.number,
    amountCents,
    currency,
    beforeTaxes: true,
  };
}

/**
 * Thresholds that lifetime usage crosses when it grows from `before` to `after`: a fixed one fires once, the recurring one at
 * every multiple of its step above the largest fixed one. With 200, 500, 700 and steps of 1000, 880 to 3080 crosses the step
 * at 1700 (and 2700). Source: invoicing 9.
 */
export function crossedThresholds(
  thresholds: readonly UsageThresholdInput[],
  before: bigint,
  after: bigint,
): UsageThresholdInput[] {
  const fixed = thresholds.filter((threshold) => !threshold.recurring);
  const crossed = fixed.filter(({ amountCents }) => before < amountCents && amountCents <= after);
  const top = -leastOfAll(fixed.map(({ amountCents }) => -amountCents));
  const step = thresholds.find((threshold) => threshold.recurring && threshold.amountCents > 0n);
  if (step && stepsAbove(after, top, step.amountCents) > stepsAbove(before, top, step.amountCents)) crossed.push(step);
  return crossed.sort((a, b) => Number(a.recurring) - Number(b.recurring) || (a.amountCents < b.amountCents ? -1 : 1));
}

function leastOfAll(amounts: readonly bigint[]): bigint {
  return amounts.reduce(leastCents, 0n);
}

function stepsAbove(usage: bigint, top: bigint, step: bigint): bigint {
  return usage > top ? (usage - top) / step : 0n;
}

function lesser(a: Decimal, b: Decimal): Decimal {
  return a.lt(b) ? a : b.isNegative() ? ZERO : b;
}
