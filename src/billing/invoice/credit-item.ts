import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { type Decimal, dec, HUNDRED, roundToInteger, sum, ZERO } from '../money/decimal.ts';
import { SHARE_DECIMALS } from '../money/share.ts';
import type { CreditItem, PastInvoice } from './past-invoice.ts';

/** What the items of a credit note come to, as it shows. */
export interface ItemTotals {
  readonly items: readonly CreditItem[];
  readonly couponsAdjustmentCents: Decimal;
  readonly subTotalExcludingTaxesAmountCents: bigint;
  readonly taxesAmountCents: bigint;
  readonly totalAmountCents: bigint;
  readonly taxesRate: Decimal;
}

/** Decimals of a credit note's tax rate. */
const RATE_DECIMALS = 5;

/** What earlier credit notes took of a fee, whatever became of them. */
function takenOf({ creditedItems = [] }: PastInvoice, fee: InvoiceFee): Decimal {
  return sum([ZERO, ...creditedItems.filter(({ feeKey }) => feeKey === fee.key).map((one) => one.preciseAmountCents)]);
}

/** What is left to be given back of each fee of an invoice; none of the sale of credits. Source: engine-money 4.2. */
export function creditableItems(invoice: PastInvoice): CreditItem[] {
  if (invoice.type === 'credit') return [];
  return invoice.fees
    .map((fee) => ({ feeKey: fee.key, preciseAmountCents: dec(fee.amountCents).minus(takenOf(invoice, fee)) }))
    .filter(({ preciseAmountCents }) => preciseAmountCents.gt(ZERO));
}

/**
 * What items come to: coupons had paid their part of them, and taxes follow. Who takes all that is left takes the tax that is left, so that the
 * notes on an invoice add up to it: two items of 6833 at 20 % on 16399 are 8200 and 8199. Source: engine-money 4.3.
 */
export function itemTotals(invoice: PastInvoice, items: readonly CreditItem[]): ItemTotals {
  const parts = items.flatMap((item) => {
    const fee = invoice.fees.find(({ key }) => key === item.feeKey);
    if (!fee || fee.amountCents === 0n) return [];
    const coupons = fee.preciseCouponsAmountCents.times(item.preciseAmountCents).div(dec(fee.amountCents));
    const net = item.preciseAmountCents.minus(coupons);
    return [{ coupons, net, tax: net.times(fee.taxesRate).div(HUNDRED) }];
  });
  const net = sum([ZERO, ...parts.map((part) => part.net)]);
  const tax = sum([ZERO, ...parts.map((part) => part.tax)]);
  const subTotalExcludingTaxesAmountCents = roundToInteger(net);
  const left = invoice.taxesAmountCents - (invoice.creditNoteTaxesMadeCents ?? 0n);
  const taxesAmountCents = takesAll(invoice, items) && left >= 0n ? left : roundToInteger(tax);
  return {
    ...{ items, subTotalExcludingTaxesAmountCents, taxesAmountCents },
    couponsAdjustmentCents: sum([ZERO, ...parts.map((part) => part.coupons)]),
    totalAmountCents: subTotalExcludingTaxesAmountCents + taxesAmountCents,
    taxesRate: net.isZero() ? ZERO : tax.times(HUNDRED).div(net).toDecimalPlaces(RATE_DECIMALS),
  };
}

function takesAll(invoice: PastInvoice, items: readonly CreditItem[]): boolean {
  const taken = new Map(items.map((item) => [item.feeKey, item.preciseAmountCents]));
  return creditableItems(invoice).every((left) => left.preciseAmountCents.lte(taken.get(left.feeKey) ?? ZERO));
}

/**
 * A part of some items that comes to a total, spread over them in proportion; what is shown is made to add up to it. 600 of items that come
 * to 1200 is half of each.
 */
export function partOfItems(invoice: PastInvoice, all: ItemTotals, totalAmountCents: bigint): ItemTotals {
  if (totalAmountCents === all.totalAmountCents) return all;
  const items = all.items.map(({ feeKey, preciseAmountCents }) => ({
    feeKey,
    preciseAmountCents: preciseAmountCents
      .times(dec(totalAmountCents))
      .div(dec(all.totalAmountCents))
      .toDecimalPlaces(SHARE_DECIMALS, 1),
  }));
  return withTotal(itemTotals(invoice, items), totalAmountCents);
}

/** Totals whose sum is to be another by rounding: what is shown without taxes makes up for it. */
export const withTotal = (totals: ItemTotals, totalAmountCents: bigint): ItemTotals => ({
  ...totals,
  totalAmountCents,
  subTotalExcludingTaxesAmountCents: totalAmountCents - totals.taxesAmountCents,
});
