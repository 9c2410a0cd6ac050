import type { InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import { isGathering } from '../../billing/invoice/final-status.ts';
import type { MadeInvoice } from '../../billing/subscription/change.ts';
import type { Actor } from '../access/audit.ts';
import { feeData, pricingUnitData, taxData } from '../account/fee-row.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import { insertRows } from './insert-rows.ts';
import type { InvoiceOwner } from './invoice-number.ts';
import { sectionRows } from './printed-section.ts';

const day = (date: string) => new Date(`${date}T00:00:00Z`);
const moment = (at: number | null) => (at === null ? null : new Date(at));

/** Fees under identifiers, and what they have of their invoice, or of none. */
interface NewFees {
  readonly actor: Actor;
  readonly owner: InvoiceOwner;
  readonly invoiceId: string | null;
  readonly currency: string;
  readonly selfBilled: boolean;
  readonly fees: readonly { readonly id: string; readonly fee: InvoiceFee }[];
}

const idsOf = ({ fees }: NewFees) => new Map(fees.map(({ fee, id }) => [fee.key, id]));

function feeRows(of: NewFees) {
  const { actor, owner, invoiceId, currency: amountCurrency, selfBilled } = of;
  const { organizationId, now: createdAt } = actor;
  const { customerId } = owner;
  const idOf = idsOf(of);
  return of.fees.map(({ fee, id }) => ({
    ...{ id, organizationId, invoiceId, customerId, createdAt, amountCurrency, selfBilled },
    ...feeData(fee, idOf.get(fee.trueUpParentKey ?? '') ?? null),
  }));
}

const unitRows = ({ actor: { organizationId, now }, fees }: NewFees) =>
  fees.flatMap(({ fee, id }) => {
    const data = pricingUnitData(fee);
    return data ? [{ id: newId(now), organizationId, feeId: id, createdAt: now, ...data }] : [];
  });

const feeTaxRows = ({ actor: { organizationId, now: createdAt }, currency: amountCurrency, fees }: NewFees) =>
  fees.flatMap(({ fee, id: feeId }) =>
    fee.appliedTaxes.map((line) => ({
      ...{ id: newId(createdAt), organizationId, feeId, ...taxData(line), amountCurrency, createdAt },
    })),
  );

/** Stores fees with their lines of tax and units; says the identifiers of each part by their keys. */
export async function addFees(tx: TenantTransaction, parts: readonly NewFees[]): Promise<Map<string, string>[]> {
  await insertRows(tx, 'fees', parts.flatMap(feeRows));
  await insertRows(tx, 'pricing_unit_usages', parts.flatMap(unitRows));
  await insertRows(tx, 'fee_applied_taxes', parts.flatMap(feeTaxRows));
  return parts.map(idsOf);
}

/** An invoice that is stored, when and by whom, and whose it is. */
export interface NewInvoice {
  readonly actor: Actor;
  readonly owner: InvoiceOwner;
  readonly invoice: MadeInvoice;
}

const periodRows = ({ actor: { organizationId, now }, invoice: { id: invoiceId, billingPeriods } }: NewInvoice) =>
  billingPeriods.map((period) => ({
    ...{ id: newId(now), organizationId, invoiceId, subscriptionId: period.subscriptionId, createdAt: now },
    subscriptionFromDatetime: new Date(period.from ?? period.billedAt),
    subscriptionToDatetime: new Date(period.to ?? period.billedAt),
    chargesFromDatetime: new Date(period.chargesFrom ?? period.billedAt),
    chargesToDatetime: new Date(period.chargesTo ?? period.billedAt),
    fixedChargesFromDatetime: moment(period.fixedChargesFrom),
    fixedChargesToDatetime: moment(period.fixedChargesTo),
    invoicingReason: period.reason,
  }));

function invoiceData(invoice: MadeInvoice, now: Date) {
  const { number, sequentialId, billingEntitySequentialId } = invoice;
  return {
    ...{ number, sequentialId, billingEntitySequentialId },
    ...{ invoiceType: invoice.type, status: invoice.status, paymentStatus: invoice.paymentStatus },
    taxStatus: invoice.taxStatus,
    timezone: invoice.zone,
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

const taxRows = ({ actor: { organizationId, now: createdAt }, invoice }: NewInvoice) =>
  invoice.appliedTaxes.map((line) => ({
    ...{ id: newId(createdAt), organizationId, invoiceId: invoice.id, ...taxData(line), createdAt },
    ...{ feesAmountCents: line.feesAmountCents, amountCurrency: invoice.currency },
  }));

const thresholdRows = ({ actor: { organizationId, now: createdAt }, invoice }: NewInvoice) =>
  invoice.appliedThresholds.map(({ id: usageThresholdId, lifetimeUsageCents: lifetimeUsageAmountCents }) => ({
    ...{ id: newId(createdAt), organizationId, invoiceId: invoice.id, usageThresholdId, lifetimeUsageAmountCents },
    createdAt,
  }));

function newFees({ actor, owner, invoice }: NewInvoice): NewFees {
  const { id: invoiceId, currency, selfBilled } = invoice;
  // What is paid already was stored when it was made: the invoice gathers those rows.
  const isNew = !isGathering(invoice);
  const fees = isNew ? invoice.fees.map((fee) => ({ fee, id: newId(actor.now) })) : [];
  return { actor, owner, invoiceId, currency, selfBilled, fees };
}

/** What stands inside invoices: fees, periods, taxes, thresholds and what is printed below. Says the identifiers of the fees of each by their keys. */
async function addParts(tx: TenantTransaction, made: readonly NewInvoice[]) {
  const feeIds = await addFees(tx, made.map(newFees));
  await insertRows(tx, 'billing_periods', made.flatMap(periodRows));
  await insertRows(tx, 'invoice_applied_taxes', made.flatMap(taxRows));
  await insertRows(tx, 'applied_usage_thresholds', made.flatMap(thresholdRows));
  await insertRows(tx, 'invoice_applied_custom_sections', await sectionRows(tx, made));
  return feeIds;
}

/**
 * Stores new invoices of an organization with what stands inside them; says the identifiers of the fees of each by their keys. The number of
 * statements does not depend on how many they are.
 */
export async function addInvoices(tx: TenantTransaction, made: readonly NewInvoice[]): Promise<Map<string, string>[]> {
  const rows = made.map(({ actor: { organizationId, now }, owner, invoice }) => ({
    ...{ id: invoice.id, organizationId, ...owner, ...invoiceData(invoice, now), createdAt: now },
    voidedInvoiceId: invoice.voidedInvoiceId ?? null,
  }));
  await insertRows(tx, 'invoices', rows);
  return addParts(tx, made);
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
  await tx.invoiceAppliedCustomSection.deleteMany(ofInvoice);
  await tx.billingPeriod.deleteMany(ofInvoice);
  // A true-up holds the fee that it tops up.
  await tx.fee.deleteMany({ where: { invoiceId: id, trueUpParentFeeId: { not: null } } });
  await tx.fee.deleteMany(ofInvoice);
  const data = { ...invoiceData(invoice, actor.now), readyToBeRefreshed: false };
  await tx.invoice.update({ where: { id }, data, select: { id: true } });
  const [feeIds = new Map<string, string>()] = await addParts(tx, [
    { actor, owner, invoice: { ...invoice, appliedThresholds: [] } },
  ]);
  return feeIds;
}

/** Stores what became of an open invoice: what it bills stays as it is. */
export async function saveSettled(tx: TenantTransaction, { now }: Actor, invoice: MadeInvoice): Promise<void> {
  const { id, status, number, sequentialId, billingEntitySequentialId, netPaymentTerm } = invoice;
  const data = {
    ...{ status, number, sequentialId, billingEntitySequentialId, netPaymentTerm, updatedAt: now },
    ...{ issuingDate: day(invoice.issuingDate), paymentDueDate: day(invoice.paymentDueDate) },
    finalizedAt: status === 'finalized' ? now : null,
  };
  await tx.invoice.update({ where: { id }, data, select: { id: true } });
}

/** Stores that an invoice is void: nothing of it is due, and it keeps its number. */
export async function saveVoided(tx: TenantTransaction, { now }: Actor, id: string): Promise<void> {
  const data = { status: 'voided' as const, voidedAt: now, paymentOverdue: false, updatedAt: now };
  await tx.invoice.update({ where: { id }, data, select: { id: true } });
}
