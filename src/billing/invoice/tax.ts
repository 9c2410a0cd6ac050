import type { TaxInput } from '../catalogue/tax.ts';
import type { AppliedTax, InvoiceFee } from '../fee/invoice-fee.ts';
import { cutToInteger, type Decimal, dec, HUNDRED, ONE, roundToInteger, sum, ZERO } from '../money/decimal.ts';
import type { DraftInvoice } from './draft-invoice.ts';

/** Decimals of an invoice's tax rate. */
const RATE_DECIMALS = 5;

/** What is left of a fee to be taxed, in minor units: amount less its share of coupons and progressive credits. */
export function netOf(fee: InvoiceFee): Decimal {
  return dec(fee.amountCents).minus(fee.preciseCouponsAmountCents);
}

/**
 * Taxes of a fee: each line rounded for display, the fee's tax rounded once from the unrounded sum, so lines of 2.525 and
 * 2.525 show 3 and 3 and the fee 5. The precise tax starts from the precise amount. Source: invoicing 11.
 */
export function taxFee(fee: InvoiceFee): InvoiceFee {
  const net = netOf(fee);
  const preciseNet = notNegative(fee.preciseAmountCents.minus(fee.preciseCouponsAmountCents));
  const appliedTaxes = fee.taxes.map((tax) => taxLine(tax, net.times(tax.rate).div(HUNDRED), roundToInteger(net)));
  return {
    ...fee,
    appliedTaxes,
    taxesAmountCents: roundToInteger(sum(appliedTaxes.map((line) => line.preciseAmountCents))),
    taxesPreciseAmountCents: sum(fee.taxes.map((tax) => preciseNet.times(tax.rate).div(HUNDRED))),
    taxesRate: sum(fee.taxes.map((tax) => tax.rate)),
  };
}

/** What each tax of an invoice is reckoned from, added up a part of the fees at a time. */
export class TaxBases {
  private readonly bases = new Map<string, { tax: TaxInput; base: Decimal }>();

  add(fees: readonly InvoiceFee[]): void {
    for (const fee of fees) {
      for (const tax of new Map(fee.taxes.map((one) => [one.code, one])).values()) {
        const { base } = this.bases.get(tax.code) ?? { base: ZERO };
        this.bases.set(tax.code, { tax, base: base.plus(netOf(fee)) });
      }
    }
  }

  lines(): AppliedTax[] {
    return [...this.bases.values()].map(({ tax, base }) =>
      taxLine(tax, base.times(tax.rate).div(HUNDRED), cutToInteger(base)),
    );
  }

  /** The unrounded taxes rounded once. */
  amountCents(): bigint {
    return roundToInteger(sum(this.lines().map((line) => line.preciseAmountCents)));
  }
}

/**
 * Taxes of an invoice: per tax the unrounded sum over the fees that carry it, base cut to an integer (1333.33 is 1333); the
 * invoice's tax is the unrounded total rounded once, and may differ from the sum over the fees. Source: invoicing 11.
 */
export function applyTaxes(invoice: DraftInvoice): DraftInvoice {
  const fees = invoice.fees.map(taxFee);
  const bases = new TaxBases();
  bases.add(fees);
  const taxesAmountCents = bases.amountCents();
  return {
    ...invoice,
    fees,
    appliedTaxes: bases.lines(),
    taxesAmountCents,
    taxesRate: invoiceRate(fees, dec(invoice.subTotalExcludingTaxesAmountCents)),
    subTotalIncludingTaxesAmountCents: invoice.subTotalExcludingTaxesAmountCents + taxesAmountCents,
    totalAmountCents: invoice.subTotalExcludingTaxesAmountCents + taxesAmountCents,
  };
}

/**
 * An invoice whose taxes are not known yet: none is reckoned. Fees that have taxes of their own keep them as lines of 0, so that it is known
 * later which; the others get the customer's then.
 */
export function leaveUntaxed(invoice: DraftInvoice): DraftInvoice {
  const fees = invoice.fees.map((fee) => ({
    ...fee,
    ...{ taxesAmountCents: 0n, taxesPreciseAmountCents: ZERO, taxesRate: ZERO },
    appliedTaxes: fee.taxes.map((tax) => taxLine(tax, ZERO, roundToInteger(netOf(fee)))),
  }));
  const { subTotalExcludingTaxesAmountCents: net } = invoice;
  return { ...invoice, fees, subTotalIncludingTaxesAmountCents: net, totalAmountCents: net };
}

/**
 * Taxes of an invoice that collects fees already paid: the rounded lines of the fees are added up, nothing is computed again;
 * 18373 of fees at 20 % can have 3674 of tax. Rate: taxes x 100 / fees, 2 decimals. Source: invoicing 3.
 */
export function addUpTaxes(invoice: DraftInvoice): DraftInvoice {
  const fees = invoice.fees.map(taxFee);
  const lines = taxesOf(fees).map((tax) => {
    const carrying = fees.filter((fee) => carries(fee, tax));
    const amount = carrying.flatMap((fee) => fee.appliedTaxes.filter((line) => line.code === tax.code));
    return taxLine(tax, sum(amount.map((line) => dec(line.amountCents))), cutToInteger(sum(carrying.map(netOf))));
  });
  const taxesAmountCents = fees.reduce((total, fee) => total + fee.taxesAmountCents, 0n);
  const net = invoice.subTotalExcludingTaxesAmountCents;
  return {
    ...invoice,
    fees,
    appliedTaxes: lines,
    taxesAmountCents,
    taxesRate: net === 0n ? ZERO : dec(taxesAmountCents).times(HUNDRED).div(dec(net)).toDecimalPlaces(2),
    subTotalIncludingTaxesAmountCents: net + taxesAmountCents,
    totalAmountCents: net + taxesAmountCents,
  };
}

/** Rate of the whole: each tax weighs with the part of the sub-total that carries it, or by number of fees when it is 0. */
function invoiceRate(fees: readonly InvoiceFee[], subTotal: Decimal): Decimal {
  const weight = (fee: InvoiceFee) => (subTotal.isZero() ? ONE : netOf(fee));
  const whole = subTotal.isZero() ? dec(fees.length) : subTotal;
  if (whole.isZero()) return ZERO;
  const parts = fees.map((fee) => fee.taxesRate.times(weight(fee)));
  return sum(parts).div(whole).toDecimalPlaces(RATE_DECIMALS);
}

function taxesOf(fees: readonly InvoiceFee[]): TaxInput[] {
  return [...new Map(fees.flatMap((fee) => fee.taxes).map((tax) => [tax.code, tax])).values()];
}

function carries(fee: InvoiceFee, tax: TaxInput): boolean {
  return fee.taxes.some((other) => other.code === tax.code);
}

function taxLine(tax: TaxInput, preciseAmountCents: Decimal, feesAmountCents: bigint): AppliedTax {
  return {
    taxId: tax.id,
    code: tax.code,
    name: tax.name,
    description: tax.description ?? null,
    rate: tax.rate,
    amountCents: roundToInteger(preciseAmountCents),
    preciseAmountCents,
    feesAmountCents,
  };
}

function notNegative(value: Decimal): Decimal {
  return value.isNegative() ? ZERO : value;
}
