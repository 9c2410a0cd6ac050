import type { SubscriptionInput } from '../customer/subscription.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import type { PastInvoice } from '../invoice/past-invoice.ts';
import { progressiveInvoiceToCredit } from '../invoice/progressive-billing.ts';
import { mostCents } from '../money/share.ts';
import type { Instant } from '../period/calendar.ts';
import type { BilledSubscription } from './billed-subscription.ts';

/** Usage of all periods under one external identifier, gross, in minor units. */
export interface LifetimeUsage {
  /** Billed with subscriptions or at events, made as fees on no invoice, or told of the time before the first period. */
  readonly invoicedCents: bigint;
  /** Usage in arrears of the running period. */
  readonly currentCents: bigint;
  /** What thresholds have passed already: the invoiced usage, and that of progressive invoices. */
  readonly passedCents: bigint;
}

/** The usage fees that lifetime usage is made up from, beside those of invoices. */
interface OpenUsage {
  /** Usage in arrears so far, and where its running period began. */
  readonly current: readonly InvoiceFee[];
  readonly chargesFrom: Instant | null;
  /** Fees in advance on no invoice, of any subscription of the customer. */
  readonly loose: readonly InvoiceFee[];
}

/**
 * Lifetime usage of a subscription: usage on its invoices (draft or final, in arrears or in advance) and on those of the
 * subscriptions before it under the same external identifier and first date, plus what is not billed yet. Usage in advance
 * counts once, with its event. 50000 invoiced and one unit of 100 since: 50100, of which 50000 are passed by every threshold.
 * Source: engine-money 7.2.
 */
export function lifetimeUsage(account: CustomerAccount, billed: BilledSubscription, open: OpenUsage): LifetimeUsage {
  const ids = familyOf(account.subscriptions, billed.subscription);
  const living = account.pastInvoices.filter(({ status }) => status !== 'voided');
  const invoiced = living.filter(({ type }) => type === 'subscription').flatMap(({ fees }) => fees);
  const historicalCents = historicalUsage(account.subscriptions, billed.subscription);
  const invoicedCents = usageOf([...invoiced, ...open.loose], ids) + historicalCents;
  const { id } = billed.subscription;
  const running = open.chargesFrom === null ? null : progressiveInvoiceToCredit(living, id, open.chargesFrom);
  const base = invoicedCents + (running?.feesAmountCents ?? 0n);
  const seen = living
    .filter((invoice) => isOfFamily(invoice, ids))
    .flatMap((invoice) => invoice.appliedThresholds ?? []);
  const passedCents = seen.reduce((most, { lifetimeUsageCents: at }) => mostCents(at, most), base);
  return {
    invoicedCents,
    currentCents: usageOf(open.current, ids),
    passedCents,
  };
}

/** Identifiers of the subscriptions whose usage is one: of one external identifier and first date, those that never began aside. */
export function familyOf(subscriptions: readonly SubscriptionInput[], one: SubscriptionInput): string[] {
  return subscriptions
    .filter(({ externalId, subscriptionAt }) => externalId === one.externalId && subscriptionAt === one.subscriptionAt)
    .filter(({ status }) => status !== 'canceled')
    .map(({ id }) => id);
}

/** Usage before the first period of a family, in minor units: what its latest subscription says that says any. */
export function historicalUsage(subscriptions: readonly SubscriptionInput[], one: SubscriptionInput): bigint {
  const ids = familyOf(subscriptions, one);
  const told = subscriptions.filter(({ id, historicalUsageCents }) => ids.includes(id) && historicalUsageCents != null);
  const latest = told.reduce<SubscriptionInput | undefined>(
    (found, next) => (found && (found.startedAt ?? 0) > (next.startedAt ?? 0) ? found : next),
    undefined,
  );
  return one.historicalUsageCents ?? latest?.historicalUsageCents ?? 0n;
}

function isOfFamily(invoice: PastInvoice, ids: readonly string[]): boolean {
  return invoice.billingPeriods.some(({ subscriptionId }) => ids.includes(subscriptionId));
}

function usageOf(fees: readonly InvoiceFee[], ids: readonly string[]): bigint {
  return fees
    .filter((fee) => fee.type === 'charge' && ids.includes(fee.subscriptionId ?? ''))
    .reduce((total, fee) => total + fee.amountCents, 0n);
}
