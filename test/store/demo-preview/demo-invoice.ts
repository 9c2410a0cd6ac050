import type { CustomerRow, InvoiceRow, Section } from '../../../prisma/seed/document.ts';
import { replay } from '../../../prisma/seed/replay.ts';
import type { InvoiceResult } from '../../../src/billing/invoice/issued-invoice.ts';
import { dec, decimalText } from '../../../src/billing/money/decimal.ts';
import { formatDate, type Instant, localDate } from '../../../src/billing/period/calendar.ts';
import { nextInvoiceAt } from '../../../src/billing/preview/selection.ts';
import { billedSubscription } from '../../../src/billing/subscription/billed-subscription.ts';
import { issueInvoice } from '../../../src/billing/subscription/issue.ts';
import { accountOf } from '../../../src/billing/timeline/account.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
type Answer = any;

// Identifiers and times of the answer, and what happens to an invoice once it is issued.
const LATER = new Set([
  ...['svc_id', 'svc_invoice_id', 'svc_fee_id', 'created_at', 'updated_at', 'number', 'sequential_id', 'file_url'],
  ...['status', 'payment_status', 'payment_overdue', 'succeeded_at', 'failed_at', 'refunded_at', 'metadata'],
  ...['applied_invoice_custom_sections', 'invoice'],
  // As they are at the moment of the answer, not on the invoice.
  ...['customer', 'subscriptions'],
]);

/** What a fee is for: no two fees of an invoice have the same. */
const keyOf = (fee: Answer): string =>
  JSON.stringify([
    ...[fee.item.type, fee.svc_subscription_id, fee.svc_charge_id, fee.svc_fixed_charge_id, fee.svc_charge_filter_id],
    ...[fee.item.grouped_by, fee.svc_true_up_parent_fee_id !== null],
  ]);

/** A decimal as columns keep it, with 30 digits after the point: a preview shows all that the rules computed. */
const kept = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+\.\d{31,}$/.test(value) ? decimalText(dec(value).toDecimalPlaces(30)) : value;

/** An invoice as the REST API shows it, without what differs between an issued one and its preview; fees by what they are for. */
export function comparable(invoice: Answer): Answer {
  const keys = new Map<unknown, string>(invoice.fees.map((fee: Answer) => [fee.svc_id, keyOf(fee)]));
  const fees = invoice.fees.map((fee: Answer) => ({
    ...fee,
    svc_true_up_fee_id: keys.get(fee.svc_true_up_fee_id) ?? null,
    svc_true_up_parent_fee_id: keys.get(fee.svc_true_up_parent_fee_id) ?? null,
    key: keyOf(fee),
  }));
  fees.sort((one: Answer, other: Answer) => (one.key < other.key ? -1 : 1));
  const text = JSON.stringify({ ...invoice, fees }, (member, value) => (LATER.has(member) ? undefined : kept(value)));
  return JSON.parse(text);
}

/** The same without what wallets paid, and what was left to pay by them and in money together. */
export function beforeWallets(invoice: Answer): Answer {
  const { prepaid_credit_amount_cents: prepaid, total_amount_cents: total, ...rest } = comparable(invoice);
  const paid = ['prepaid_granted_credit_amount_cents', 'prepaid_purchased_credit_amount_cents'];
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([member]) => !paid.includes(member))),
    due: prepaid + total,
  };
}

/** A moment as the API shows it. */
const second = (text: string | undefined) => text?.replace(/\.\d+Z$/, 'Z') ?? '';

/** Amounts of an answer or of a row of the document, in which what is nothing is left out. */
export const amountsShown = (invoice: Answer) => ({
  ...{ currency: invoice.currency, issuing_date: invoice.issuing_date, payment_due_date: invoice.payment_due_date },
  fees_amount_cents: invoice.fees_amount_cents,
  progressive_billing_credit_amount_cents: invoice.progressive_billing_credit_amount_cents ?? 0,
  coupons_amount_cents: invoice.coupons_amount_cents ?? 0,
  taxes_amount_cents: invoice.taxes_amount_cents,
  credit_notes_amount_cents: invoice.credit_notes_amount_cents ?? 0,
  prepaid_credit_amount_cents: invoice.prepaid_credit_amount_cents ?? 0,
  total_amount_cents: invoice.total_amount_cents,
  fees: invoice.fees
    .map((fee: Answer) =>
      [
        ...[fee.item.type, fee.svc_charge_id, fee.svc_fixed_charge_id, fee.svc_charge_filter_id, fee.amount_cents],
        ...[fee.taxes_amount_cents, Number(fee.units), second(fee.from_date), second(fee.to_date)],
      ].join(' '),
    )
    .sort(),
});

const cents = (amount: bigint) => Number(amount);
const time = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

const asAnswer = (invoice: InvoiceResult) => ({
  ...{ currency: invoice.currency, issuing_date: invoice.issuingDate, payment_due_date: invoice.paymentDueDate },
  fees_amount_cents: cents(invoice.feesAmountCents),
  progressive_billing_credit_amount_cents: cents(invoice.progressiveBillingCreditAmountCents),
  coupons_amount_cents: cents(invoice.couponsAmountCents),
  taxes_amount_cents: cents(invoice.taxesAmountCents),
  credit_notes_amount_cents: cents(invoice.creditNotesAmountCents),
  prepaid_credit_amount_cents: cents(invoice.prepaidCreditAmountCents),
  total_amount_cents: cents(invoice.totalAmountCents),
  fees: invoice.fees.map((fee) => ({
    ...{ item: { type: fee.type }, svc_charge_id: fee.chargeId, svc_fixed_charge_id: fee.fixedChargeId },
    ...{ svc_charge_filter_id: fee.filterId, units: fee.units, amount_cents: cents(fee.amountCents) },
    ...{ taxes_amount_cents: cents(fee.taxesAmountCents) },
    ...{ from_date: time(fee.period?.from), to_date: time(fee.period?.to) },
  })),
});

/**
 * The invoice that the biller would make at the end of the plan's own period when nothing happened up to there, where that end is
 * not the day of `row`: of a yearly plan with monthly parts. Null elsewhere.
 */
export function invoiceOfPlan(past: Section, customer: CustomerRow, row: InvoiceRow, until: Instant): Answer {
  const account = accountOf(replay(past, customer, until).state);
  const [period] = row.billing_periods ?? [];
  const subscription = account.subscriptions.find(({ id }) => id === period?.svc_subscription_id);
  if (!subscription) throw new Error(`no subscription before ${row.number}`);
  const zone = customer.timezone ?? account.billingEntity.timezone ?? 'UTC';
  const at = nextInvoiceAt(subscription, zone, until - 1);
  if (formatDate(localDate(at, zone)) === formatDate(localDate(until, zone))) return null;
  const billed = billedSubscription(account, subscription, at, 'subscription_periodic');
  return asAnswer(issueInvoice(account, { at, subscriptions: [billed], final: true }));
}
