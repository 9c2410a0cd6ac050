import type { InvoiceResult } from '../../billing/invoice/issued-invoice.ts';
import type { InvoiceNumbering } from '../../billing/invoice/numbering.ts';
import type { Actor } from '../access/audit.ts';
import { feeData, pricingUnitData, taxData } from '../account/fee-row.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import type { InvoiceOwner } from './invoice-number.ts';

const day = (date: string) => new Date(`${date}T00:00:00Z`);
const moment = (at: number | null) => (at === null ? null : new Date(at));

async function addFees(
  tx: TenantTransaction,
  actor: Actor,
  invoiceId: string,
  invoice: InvoiceResult,
  owner: InvoiceOwner,
) {
  const { organizationId, now } = actor;
  const stored = invoice.fees.map((fee) => ({ fee, id: newId(now) }));
  const idOf = new Map(stored.map(({ fee, id }) => [fee.key, id]));
  const { currency: amountCurrency, selfBilled } = invoice;
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
      ...{ id: newId(now), organizationId, feeId, ...taxData(line), amountCurrency: invoice.currency, createdAt: now },
    })),
  });
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
