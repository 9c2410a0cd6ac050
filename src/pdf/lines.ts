import { dec } from '../billing/money/decimal.ts';
import type { InvoiceDocument, InvoicePeriod, InvoiceSubscription, PrintedFee } from './invoice-document.ts';

/** The lines of one subscription, or those that belong to none. */
export type LineGroup = {
  subscription: InvoiceSubscription | null;
  periods: readonly InvoicePeriod[];
  fees: readonly PrintedFee[];
};

const PLACE_OF = { subscription: 0, fixed_charge: 1, charge: 2, commitment: 3, add_on: 4, credit: 5 } as const;

/**
 * The lines to print. A line is printed when its units or its amount are not zero, so that what is printed adds up to
 * the total; a zero subscription line stays away from lines that cost something. When no line costs anything, all are.
 */
export function printedFees(fees: readonly PrintedFee[]): readonly PrintedFee[] {
  if (fees.every((fee) => fee.amountCents === 0n)) return fees;
  return fees.filter((fee) => fee.amountCents !== 0n || (fee.type !== 'subscription' && !dec(fee.units).isZero()));
}

/** Printed lines by subscription, in the invoice's order; a true-up follows the line that it lifts. */
export function groupLines(invoice: InvoiceDocument): LineGroup[] {
  const fees = printedFees(invoice.fees);
  const known = new Set(invoice.subscriptions.map((subscription) => subscription.id));
  const groups: LineGroup[] = invoice.subscriptions.map((subscription) => ({
    subscription,
    periods: invoice.billingPeriods.filter((period) => period.subscriptionId === subscription.id),
    fees: inOrder(fees.filter((fee) => fee.subscriptionId === subscription.id)),
  }));
  const others = fees.filter((fee) => fee.subscriptionId === null || !known.has(fee.subscriptionId));
  groups.push({ subscription: null, periods: [], fees: inOrder(others) });
  return groups.filter((group) => group.fees.length > 0);
}

/**
 * The subscription, its fixed charges, its usage, what lifts them to a commitment, then everything else. The lines of
 * one charge stand together, also a true-up whose own line is not printed; otherwise the invoice's order stays.
 */
function inOrder(fees: readonly PrintedFee[]): PrintedFee[] {
  const firstOf = new Map<string, number>();
  const place = ({ type, name }: PrintedFee, at: number) => (type === 'charge' ? (firstOf.get(name) ?? at) : at);
  fees.forEach((fee, at) => {
    if (fee.type === 'charge') firstOf.set(fee.name, place(fee, at));
  });
  const ranked = fees.map((fee, at) => [PLACE_OF[fee.type], place(fee, at), fee.trueUpParentFeeId ? 1 : 0] as const);
  const order = [...fees.keys()].sort((a, b) => {
    const [left, right] = [ranked[a] ?? [], ranked[b] ?? []];
    return left.map((rank, at) => rank - (right[at] ?? 0)).find((difference) => difference !== 0) ?? a - b;
  });
  return trueUpsAfterParents(order.flatMap((at) => fees[at] ?? []));
}

function trueUpsAfterParents(fees: readonly PrintedFee[]): PrintedFee[] {
  const ids = new Set(fees.map((fee) => fee.id));
  const parentOf = (fee: PrintedFee) =>
    fee.trueUpParentFeeId && fee.trueUpParentFeeId !== fee.id && ids.has(fee.trueUpParentFeeId)
      ? fee.trueUpParentFeeId
      : null;
  const trueUps = new Map<string, PrintedFee[]>();
  for (const fee of fees) {
    const parent = parentOf(fee);
    if (parent !== null) trueUps.set(parent, [...(trueUps.get(parent) ?? []), fee]);
  }
  const ordered = fees.filter((fee) => parentOf(fee) === null).flatMap((fee) => [fee, ...(trueUps.get(fee.id) ?? [])]);
  // A true-up of a true-up, which no rule makes, must still be printed: the lines have to add up.
  const printed = new Set(ordered);
  return [...ordered, ...fees.filter((fee) => !printed.has(fee))];
}
