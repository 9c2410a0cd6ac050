import type { InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import type { InvoiceResult } from '../../billing/invoice/issued-invoice.ts';
import type { MadeInvoice } from '../../billing/subscription/change.ts';
import type { Actor } from '../access/audit.ts';
import { feeData, pricingUnitData, taxData } from '../account/fee-row.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import type { InvoiceOwner } from './invoice-number.ts';

const day = (date: string) => new Date(`${date}T00:00:00Z`);
const moment = (at: number | null) => (at === null ? null : new Date(at));

/** Fees under identifiers, and what they have of their invoice, or of none. */
interface NewFees {
  readonly invoiceId: string | null;
  readonly currency: string;
  readonly selfBilled: boolean;
  readonly fees: readonly { readonly id: string; readonly fee: InvoiceFee }[];
}

/** Stores fees with their lines of tax and units; says their identifiers by their keys. */
export async function addFees(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  { invoiceId, currency: amountCurrency, selfBilled, fees: stored }: NewFees,
  owner: InvoiceOwner,
): Promise<Map<string, string>> {
  const idOf = new Map(stored.map(({ fee, id }) => [fee.key, id]));
  await tx.fee.createMany({
    data: stored.map(({ fee, id }) => ({
      ...{ id, organizationId, invoiceId, customerId: owner.customerId, createdAt: now, amountCurrency, selfBilled },
      ...feeData(fee, idOf.get(fee.trueUpParentKey ?? '') ?? null),
    })),
  });
  const units = stored.flatMap(({ fee, id }) => {
    const data = pricingUnitData(fee);
    return data ? [{ id: newId(now), organizationId, feeId: id, createdAt: now, ...data }] : [];
  });
  if (units.length > 0) await tx.pricingUnitUsage.createMany({ data: units });
  const lines = stored.flatMap(({ fee, id }) => fee.appliedTaxes.map((line) => ({ line, feeId: id })));
  await tx.feeAppliedTax.createMany({
    data: lines.map(({ line, feeId }) => ({
      ...{ id: newId(now), organizationId, feeId, ...taxData(line), amountCurrency, createdAt: now },
    })),
  });
  return idOf;
}

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

function invoiceData(invoice: MadeInvoice, now: Date) {
  const { number, sequentialId, billingEntitySequentialId } = invoice;
  return {
    ...{ number, sequentialId, billingEntitySequentialId },
    ...{ invoiceType: invoice.type, status: invoice.status, paymentStatus: invoice.paymentStatus },
    taxStatus: invoice.taxStatus,
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
    totalAmountCents: invoice.totalAmountCents,
  };
}

/** What stands inside an invoice: fees, periods, taxes and thresholds. Says the identifiers of the fees by their keys. */
async function addParts(tx: TenantTransaction, actor: Actor, invoice: MadeInvoice, owner: InvoiceOwner) {
  const { organizationId, now } = actor;
  const { id: invoiceId } = invoice;
  const { currency, selfBilled } = invoice;
  // What is paid already was stored when it was made: the invoice gathers those rows.
  const isNew = invoice.type !== 'advance_charges';
  const fees = isNew ? invoice.fees.map((fee) => ({ fee, id: newId(now) })) : [];
  const feeIds = await addFees(tx, actor, { invoiceId, currency, selfBilled, fees }, owner);
  await addPeriods(tx, actor, invoiceId, invoice);
  await tx.invoiceAppliedTax.createMany({
    data: invoice.appliedTaxes.map((line) => ({
      ...{ id: newId(now), organizationId, invoiceId, ...taxData(line), createdAt: now },
      ...{ feesAmountCents: line.feesAmountCents, amountCurrency: invoice.currency },
    })),
  });
  if (invoice.appliedThresholds.length === 0) return feeIds;
  await tx.appliedUsageThreshold.createMany({
    data: invoice.appliedThresholds.map(({ id: usageThresholdId, lifetimeUsageCents: lifetimeUsageAmountCents }) => ({
      ...{ id: newId(now), organizationId, invoiceId, usageThresholdId, lifetimeUsageAmountCents, createdAt: now },
    })),
  });
  return feeIds;
}

/** Stores a new invoice with what stands inside it; says the identifiers of its fees by their keys. */
export async function addInvoice(
  tx: TenantTransaction,
  actor: Actor,
  invoice: MadeInvoice,
  owner: InvoiceOwner,
): Promise<Map<string, string>> {
  const { organizationId, now } = actor;
  const { id } = invoice;
  const data = { id, organizationId, ...owner, ...invoiceData(invoice, now), createdAt: now };
  await tx.invoice.createMany({ data });
  return addParts(tx, actor, invoice, owner);
}

/**
 * Brings a stored draft to what it was computed to again: its fees, periods, taxes and lines of credit are made anew. Items of
 * its credit notes lose their fees until they are stored again. Says the identifiers of the new fees by their keys.
 */
export async function replaceInvoice(
  tx: TenantTransaction,
  actor: Actor,
  invoice: MadeInvoice,
  owner: InvoiceOwner,
): Promise<Map<string, string>> {
  const { id } = invoice;
  const ofInvoice = { where: { invoiceId: id } };
  await tx.creditNoteItem.updateMany({ where: { fee: ofInvoice.where }, data: { feeId: null } });
  await tx.credit.deleteMany(ofInvoice);
  await tx.invoiceAppliedTax.deleteMany(ofInvoice);
  await tx.billingPeriod.deleteMany(ofInvoice);
  // A true-up holds the fee that it tops up.
  await tx.fee.deleteMany({ where: { invoiceId: id, trueUpParentFeeId: { not: null } } });
  await tx.fee.deleteMany(ofInvoice);
  const data = { ...invoiceData(invoice, actor.now), readyToBeRefreshed: false };
  await tx.invoice.update({ where: { id }, data, select: { id: true } });
  return addParts(tx, actor, { ...invoice, appliedThresholds: [] }, owner);
}

/** Stores that an invoice is void: nothing of it is due, and it keeps its number. */
export async function saveVoided(tx: TenantTransaction, { now }: Actor, id: string): Promise<void> {
  const data = { status: 'voided' as const, voidedAt: now, paymentOverdue: false, updatedAt: now };
  await tx.invoice.update({ where: { id }, data, select: { id: true } });
}
