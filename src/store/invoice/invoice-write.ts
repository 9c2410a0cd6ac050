import type { InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import type { InvoiceResult } from '../../billing/invoice/issued-invoice.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import type { InvoiceNumbering } from './invoice-number.ts';

/** Whose invoice it is. */
export interface InvoiceOwner {
  readonly customerId: string;
  readonly billingEntityId: string;
}

const day = (date: string) => new Date(`${date}T00:00:00Z`);
const moment = (at: number | null) => (at === null ? null : new Date(at));

/** Plain JSON: decimals and bigints as text. */
const json = (value: unknown): object =>
  JSON.parse(JSON.stringify(value, (_name, inner) => (typeof inner === 'bigint' ? String(inner) : inner)));

function feeData(fee: InvoiceFee, id: string, invoice: InvoiceResult, customerId: string, now: Date) {
  const { item, period } = fee;
  return {
    ...{ id, customerId, subscriptionId: fee.subscriptionId, chargeId: fee.chargeId, chargeFilterId: fee.filterId },
    ...{ fixedChargeId: fee.fixedChargeId, addOnId: fee.addOnId, feeType: fee.type, createdAt: now },
    ...{ itemCode: item.code, itemName: item.name, itemDescription: item.description, itemType: item.itemType },
    ...{ itemInvoiceDisplayName: item.invoiceDisplayName, itemId: item.itemId },
    ...{ filterInvoiceDisplayName: item.filterInvoiceDisplayName, groupedBy: json(fee.groupedBy) },
    ...{ amountCents: fee.amountCents, preciseAmountCents: fee.preciseAmountCents.toFixed() },
    ...{ amountCurrency: invoice.currency, taxesAmountCents: fee.taxesAmountCents },
    taxesPreciseAmountCents: fee.taxesPreciseAmountCents.toFixed(),
    taxesRate: fee.taxesRate.toFixed(),
    preciseCouponsAmountCents: fee.preciseCouponsAmountCents.toFixed(),
    units: fee.units.toFixed(),
    totalAggregatedUnits: fee.totalAggregatedUnits?.toFixed() ?? null,
    preciseUnitAmount: fee.preciseUnitAmount.toFixed(),
    ...{ payInAdvance: fee.payInAdvance, invoiceable: fee.invoiceable, selfBilled: invoice.selfBilled },
    ...{ fromDate: moment(period?.from ?? null), toDate: moment(period?.to ?? null) },
    amountDetails: json(fee.amountDetails),
  };
}

async function addFees(
  tx: TenantTransaction,
  actor: Actor,
  invoiceId: string,
  invoice: InvoiceResult,
  owner: InvoiceOwner,
) {
  const { organizationId, now } = actor;
  const stored = invoice.fees.map((fee) => ({ fee, id: newId(now) }));
  await tx.fee.createMany({
    data: stored.map(({ fee, id }) => ({
      ...feeData(fee, id, invoice, owner.customerId, now),
      ...{ organizationId, invoiceId },
    })),
  });
  const lines = stored.flatMap(({ fee, id }) => fee.appliedTaxes.map((line) => ({ line, feeId: id })));
  await tx.feeAppliedTax.createMany({
    data: lines.map(({ line, feeId }) => ({
      ...{ id: newId(now), organizationId, feeId, ...taxData(line), amountCurrency: invoice.currency, createdAt: now },
    })),
  });
}

const taxData = ({ taxId, name, code, description, rate, amountCents }: InvoiceResult['appliedTaxes'][number]) => ({
  ...{ taxId, taxName: name, taxCode: code, taxDescription: description, taxRate: rate.toFixed(), amountCents },
});

async function addPeriods(tx: TenantTransaction, { organizationId, now }: Actor, invoiceId: string, of: InvoiceResult) {
  const data = of.billingPeriods.map((period) => ({
    ...{ id: newId(now), organizationId, invoiceId, subscriptionId: period.subscriptionId, createdAt: now },
    subscriptionFromDatetime: new Date(period.from ?? period.billedAt),
    subscriptionToDatetime: new Date(period.to ?? period.billedAt),
    chargesFromDatetime: new Date(period.chargesFrom ?? period.billedAt),
    chargesToDatetime: new Date(period.chargesTo ?? period.billedAt),
    fixedChargesFromDatetime: moment(period.fixedChargesFrom),
    fixedChargesToDatetime: moment(period.fixedChargesTo),
    invoicingReason: period.reason,
  }));
  await tx.billingPeriod.createMany({ data });
}

function invoiceData(invoice: InvoiceResult, owner: InvoiceOwner, numbering: InvoiceNumbering, now: Date) {
  return {
    ...owner,
    ...numbering,
    ...{ invoiceType: invoice.type, status: invoice.status, paymentStatus: invoice.paymentStatus },
    ...{ issuingDate: day(invoice.issuingDate), paymentDueDate: day(invoice.paymentDueDate) },
    expectedFinalizationDate: day(invoice.expectedFinalizationDate),
    finalizedAt: invoice.status === 'finalized' ? now : null,
    ...{ netPaymentTerm: invoice.netPaymentTerm, currency: invoice.currency, selfBilled: invoice.selfBilled },
    ...{ feesAmountCents: invoice.feesAmountCents, couponsAmountCents: invoice.couponsAmountCents },
    creditNotesAmountCents: invoice.creditNotesAmountCents,
    progressiveBillingCreditAmountCents: invoice.progressiveBillingCreditAmountCents,
    subTotalExcludingTaxesAmountCents: invoice.subTotalExcludingTaxesAmountCents,
    ...{ taxesAmountCents: invoice.taxesAmountCents, taxesRate: invoice.taxesRate.toFixed() },
    subTotalIncludingTaxesAmountCents: invoice.subTotalIncludingTaxesAmountCents,
    prepaidCreditAmountCents: invoice.prepaidCreditAmountCents,
    prepaidGrantedCreditAmountCents: invoice.prepaidGrantedCreditAmountCents,
    prepaidPurchasedCreditAmountCents: invoice.prepaidPurchasedCreditAmountCents,
    ...{ totalAmountCents: invoice.totalAmountCents, createdAt: now },
  };
}

/** Stores an invoice that was computed, with its fees, taxes and periods; says its identifier. */
export async function addInvoice(
  tx: TenantTransaction,
  actor: Actor,
  invoice: InvoiceResult,
  owner: InvoiceOwner,
  numbering: InvoiceNumbering,
): Promise<string> {
  const { organizationId, now } = actor;
  const id = newId(now);
  await tx.invoice.createMany({ data: { id, organizationId, ...invoiceData(invoice, owner, numbering, now) } });
  await addFees(tx, actor, id, invoice, owner);
  await addPeriods(tx, actor, id, invoice);
  await tx.invoiceAppliedTax.createMany({
    data: invoice.appliedTaxes.map((line) => ({
      ...{ id: newId(now), organizationId, invoiceId: id, ...taxData(line), createdAt: now },
      ...{ feesAmountCents: line.feesAmountCents, amountCurrency: invoice.currency },
    })),
  });
  return id;
}
