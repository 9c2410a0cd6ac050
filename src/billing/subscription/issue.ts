import { withoutCommonTaxes } from '../fee/tax-source.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import { invoiceDates } from '../invoice/date.ts';
import { finalStatus, gracePeriodDays, isGathering } from '../invoice/final-status.ts';
import { refuseTooMuch } from '../invoice/invariant.ts';
import { computeInvoice, type InvoiceInput } from '../invoice/invoice.ts';
import type { BillingPeriod, InvoiceResult, InvoiceType } from '../invoice/issued-invoice.ts';
import type { PastInvoice } from '../invoice/past-invoice.ts';
import { progressiveInvoiceToCredit } from '../invoice/progressive-billing.ts';
import { formatDate } from '../period/calendar.ts';
import { type BilledSubscription, zoneOf } from './billed-subscription.ts';
import type { InvoiceRequest } from './invoice-request.ts';
import { subscriptionFees } from './subscription-fees.ts';

/**
 * The invoice of some subscriptions of one customer at a moment: their fees, credits, taxes, totals, dates and status. Nothing
 * is numbered or stored. `coupons`, `creditNotes` and `wallets` of the result are the ones after it. Throws a validation error for an
 * amount past 64 bits. Source: invoicing 8.
 */
export function issueInvoice(account: CustomerAccount, request: InvoiceRequest): InvoiceResult {
  const { customer, billingEntity } = account;
  const { at, subscriptions } = request;
  const type = request.type ?? 'subscription';
  const fees = request.fees ?? subscriptions.flatMap((billed) => subscriptionFees(billed, account));
  const graced = isGraced(type, subscriptions);
  const final = request.final || request.gated || !graced || gracePeriodDays(customer, billingEntity) === 0;
  const feesAmountCents = fees.reduce((total, fee) => total + fee.amountCents, 0n);
  const status = final ? finalStatus(feesAmountCents, customer, billingEntity) : 'draft';
  const gathers = isGathering({ type, voidedInvoiceId: request.voidedInvoiceId ?? null });
  const waits = customer.awaitsTaxes === true && !gathers && status !== 'closed';
  const draft = computeInvoice({
    currency: request.currency ?? currencyOf(subscriptions, account),
    fees: waits ? withoutCommonTaxes(fees, account) : fees,
    progressive: progressiveOf(account, subscriptions),
    coupons: account.coupons,
    creditNotes: account.creditNotes,
    wallets: account.wallets,
    kind: waits ? 'untaxed' : gathers ? 'collected' : kindOf(type, final),
  });
  refuseTooMuch(draft);
  const periodic = subscriptions.some((billed) => billed.reason === 'subscription_periodic');
  const zone = zoneOf(customer, billingEntity);
  const dates = invoiceDates({ at, zone, subscription: graced, periodic }, customer, billingEntity);
  const open = request.gated && (waits || draft.totalAmountCents > 0n) ? ('open' as const) : null;
  return {
    ...draft,
    type,
    status: open ?? (waits && final ? 'pending' : status),
    taxStatus: waits ? 'pending' : 'succeeded',
    paymentStatus: draft.totalAmountCents > 0n && !gathers ? 'pending' : 'succeeded',
    billedAt: at,
    issuingDate: formatDate(dates.issuingDate),
    expectedFinalizationDate: formatDate(dates.expectedFinalizationDate),
    paymentDueDate: formatDate(dates.paymentDueDate),
    netPaymentTerm: dates.netPaymentTerm,
    billingEntityCode: billingEntity.code,
    zone,
    billingPeriods: subscriptions.map(billingPeriod),
    appliedThresholds: request.appliedThresholds ?? [],
    selfBilled: customer.partner === true,
  };
}

/** One-off and top-up invoices, and those of fees that were made alone, use no coupon, note or wallet. */
function kindOf(type: InvoiceType, final: boolean): InvoiceInput['kind'] {
  if (type === 'subscription' || type === 'progressive_billing') return final ? 'final' : 'draft';
  return 'plain';
}

/** Subscription invoices have a grace period; those of single events, of unit changes and progressive ones do not. */
function isGraced(type: InvoiceType, subscriptions: readonly BilledSubscription[]): boolean {
  return type === 'subscription' && subscriptions.every((billed) => billed.reason.startsWith('subscription_'));
}

function currencyOf(subscriptions: readonly BilledSubscription[], account: CustomerAccount): string {
  const currency = subscriptions[0]?.subscription.plan.currency ?? account.customer.currency;
  if (!currency) throw new RangeError('an invoice without subscriptions needs the currency of its customer');
  return currency;
}

function progressiveOf(account: CustomerAccount, subscriptions: readonly BilledSubscription[]): PastInvoice[] {
  return subscriptions.flatMap(({ subscription, dates, reason }) => {
    if (reason === 'subscription_starting' || reason === 'in_advance_charge' || dates.chargesFrom === null) return [];
    const past = progressiveInvoiceToCredit(account.pastInvoices, subscription.id, dates.chargesFrom);
    return past === null ? [] : [past];
  });
}

/** The dates of a subscription on its invoice; a starting one bills no usage yet. */
function billingPeriod(billed: BilledSubscription): BillingPeriod {
  const { subscription, reason, at, dates } = billed;
  return {
    subscriptionId: subscription.id,
    planId: subscription.plan.id,
    reason,
    billedAt: at,
    from: dates.from,
    to: dates.to,
    chargesFrom: dates.chargesFrom,
    chargesTo: dates.chargesTo,
    fixedChargesFrom: dates.fixedChargesFrom,
    fixedChargesTo: dates.fixedChargesTo,
  };
}
