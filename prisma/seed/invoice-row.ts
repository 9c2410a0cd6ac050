import type { CreditLine } from '../../src/billing/invoice/draft-invoice.ts';
import type { BillingPeriod, InvoiceResult } from '../../src/billing/invoice/issued-invoice.ts';
import { draftNumber } from '../../src/billing/invoice/numbering.ts';
import type { MadeInvoice } from '../../src/billing/subscription/change.ts';
import type { TimelineState } from '../../src/billing/timeline/timeline-type.ts';
import { computeAside, isAside, isListed } from './aside.ts';
import { type CustomerRow, type InvoiceRow, type Section, timeText } from './document.ts';
import { cents, feeRow, lean, taxLine } from './fee-row.ts';
import type { Life } from './life.ts';
import { Names } from './names.ts';
import { idOf } from './random.ts';

function creditRow(line: CreditLine, index: number, invoiceId: string, names: Names, createdAt: string) {
  const source = String(line.sourceId);
  const owners = {
    coupon: () => ({ svc_applied_coupon_id: source, item: String(line.itemId) }),
    credit_note: () => ({ svc_credit_note_id: names.creditNote(source), item: names.creditNote(source) }),
    invoice: () => ({ svc_progressive_billing_invoice_id: names.invoice(source), item: names.invoice(source) }),
  };
  const { item, ...owner } = owners[line.type]();
  return {
    svc_id: idOf('credit', invoiceId, index),
    ...owner,
    item: { type: line.type, svc_item_id: item, code: line.code, name: line.name },
    amount_cents: cents(line.amountCents),
    amount_currency: line.currency,
    before_taxes: line.beforeTaxes,
    created_at: createdAt,
  };
}

const text = (at: number | null) => (at === null ? null : timeText(at));

function periodRow(period: BillingPeriod, createdAt: string) {
  return lean({
    svc_subscription_id: period.subscriptionId,
    subscription_from_datetime: timeText(period.from ?? period.billedAt),
    subscription_to_datetime: timeText(period.to ?? period.billedAt),
    charges_from_datetime: period.chargesFrom === period.from ? null : text(period.chargesFrom),
    charges_to_datetime: period.chargesTo === period.to ? null : text(period.chargesTo),
    fixed_charges_from_datetime: text(period.fixedChargesFrom),
    fixed_charges_to_datetime: text(period.fixedChargesTo),
    invoicing_reason: period.reason,
    created_at: createdAt,
  });
}

const unlessZero = (amount: bigint) => (amount === 0n ? null : cents(amount));

// The importer takes 0 for the credits that are left out.
const totals = (invoice: InvoiceResult) => ({
  fees_amount_cents: cents(invoice.feesAmountCents),
  coupons_amount_cents: unlessZero(invoice.couponsAmountCents),
  progressive_billing_credit_amount_cents: unlessZero(invoice.progressiveBillingCreditAmountCents),
  sub_total_excluding_taxes_amount_cents: cents(invoice.subTotalExcludingTaxesAmountCents),
  taxes_amount_cents: cents(invoice.taxesAmountCents),
  taxes_rate: invoice.taxesRate.toNumber(),
  sub_total_including_taxes_amount_cents: cents(invoice.subTotalIncludingTaxesAmountCents),
  credit_notes_amount_cents: unlessZero(invoice.creditNotesAmountCents),
  prepaid_credit_amount_cents: unlessZero(invoice.prepaidCreditAmountCents),
  prepaid_granted_credit_amount_cents:
    invoice.prepaidGrantedCreditAmountCents === null ? null : cents(invoice.prepaidGrantedCreditAmountCents),
  prepaid_purchased_credit_amount_cents:
    invoice.prepaidPurchasedCreditAmountCents === null ? null : cents(invoice.prepaidPurchasedCreditAmountCents),
  total_amount_cents: cents(invoice.totalAmountCents),
});

/** All that the core computed of an invoice. */
function computedRow(invoice: InvoiceResult & { number: string }, id: string, names: Names) {
  const createdAt = timeText(invoice.billedAt);
  const { currency } = invoice;
  return {
    svc_id: id,
    billing_entity_code: invoice.billingEntityCode,
    number: invoice.number,
    issuing_date: invoice.issuingDate,
    payment_due_date: invoice.paymentDueDate,
    expected_finalization_date: invoice.expectedFinalizationDate,
    net_payment_term: invoice.netPaymentTerm,
    invoice_type: invoice.type,
    currency,
    ...totals(invoice),
    self_billed: invoice.selfBilled,
    created_at: createdAt,
    applied_taxes: invoice.appliedTaxes.map((line) => ({
      ...taxLine(line, createdAt),
      fees_amount_cents: cents(line.feesAmountCents),
    })),
    applied_usage_thresholds: invoice.appliedThresholds.map((threshold) => ({
      svc_usage_threshold_id: threshold.id,
      lifetime_usage_amount_cents: cents(threshold.lifetimeUsageCents),
      created_at: createdAt,
    })),
    billing_periods: invoice.billingPeriods.map((period) => periodRow(period, createdAt)),
    credits: invoice.credits.map((line, index) => creditRow(line, index, id, names, createdAt)),
  };
}

// Said outright: the importer would number what gives no rank.
const unnumbered = (status: string) =>
  status === 'finalized' || status === 'voided' ? {} : { sequential_id: null, finalized_at: null };

function madeRow(made: MadeInvoice, life: Life, names: Names, customer: CustomerRow): InvoiceRow {
  const id = names.invoice(made.id);
  const aside = life.asides.get(made.id);
  const createdAt = timeText(made.billedAt);
  const finalizedAt = life.finalizedAt.get(made.id);
  const row = lean({
    ...computedRow(made, id, names),
    external_customer_id: customer.external_id,
    sequential_id: made.sequentialId,
    status: made.status,
    payment_status: made.paymentStatus,
    total_paid_amount_cents: cents(made.totalPaidAmountCents),
    finalized_at: finalizedAt === undefined ? null : timeText(finalizedAt),
    voided_at: null,
  });
  const fees = made.fees.map((fee, index) => ({
    ...feeRow(fee, id, createdAt),
    ...(aside ? { svc_id: aside.fees[index]?.svc_id } : {}),
  }));
  return { ...row, ...unnumbered(made.status), fees } as unknown as InvoiceRow;
}

/** The invoices of a life as rows, in the order in which they were made; then those that failed or wait. */
export function invoiceRows(section: Section, customer: CustomerRow, life: Life): InvoiceRow[] {
  const names = new Names(customer, life.asides);
  const listed = life.state.invoices.map((made) => madeRow(made, life, names, customer));
  const waiting = section.invoices
    .filter((row) => row.external_customer_id === customer.external_id && isAside(row) && !isListed(row))
    .map((row) => waitingRow(section, customer, life.state, row, names));
  return [...listed, ...waiting];
}

function waitingRow(section: Section, customer: CustomerRow, state: TimelineState, row: InvoiceRow, names: Names) {
  const result = computeAside(state, section, row);
  const fees = result.fees.map((fee, index) => ({
    ...feeRow(fee, row.svc_id, row.created_at),
    svc_id: row.fees[index]?.svc_id,
  }));
  const computed = lean({
    ...computedRow({ ...result, number: draftNumber(state.billingEntity) }, row.svc_id, names),
    external_customer_id: customer.external_id,
    status: row.status,
    payment_status: 'pending',
    total_paid_amount_cents: 0,
  });
  return { ...computed, ...unnumbered(row.status), fees } as unknown as InvoiceRow;
}
