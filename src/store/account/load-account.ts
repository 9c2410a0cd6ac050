import type { CustomerAccount } from '../../billing/invoice/account.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { UNASKED_USAGE } from '../usage/stored-usage.ts';
import {
  APPLIED_COUPON,
  appliedCouponInput,
  CREDIT_NOTE,
  creditNoteInput,
  WALLET,
  walletInput,
} from './credit-input.ts';
import { CUSTOMER, customerInput, entityInput } from './customer-input.ts';
import { PAST_INVOICE, pastInvoice } from './past-invoice.ts';
import { storedZone } from './period-row.ts';
import { SUBSCRIPTION, type SubscriptionRow, subscriptionInputs } from './subscription-input.ts';

/** Invoices that bill any of the subscriptions, with their fees. Those that do not count yet, or never will, are left out. */
async function loadPastInvoices(tx: TenantTransaction, rows: readonly SubscriptionRow[], zone: string) {
  if (rows.length === 0) return [];
  const invoices = await tx.invoice.findMany({
    where: {
      billingPeriods: { some: { subscriptionId: { in: rows.map(({ id }) => id) } } },
      status: { in: ['draft', 'finalized', 'failed', 'pending', 'voided'] },
    },
    include: PAST_INVOICE,
    orderBy: OLDEST_FIRST,
  });
  return invoices.map((invoice) => pastInvoice(invoice, zone));
}

/** What a customer can pay with now: a wallet past its expiration pays nothing, whether or not something has ended it yet. */
async function loadCredits(tx: TenantTransaction, customerId: string, now: Date) {
  const coupons = await tx.appliedCoupon.findMany({
    where: { customerId, status: 'active' },
    include: APPLIED_COUPON,
    orderBy: OLDEST_FIRST,
  });
  const creditNotes = await tx.creditNote.findMany({
    where: { customerId, status: 'finalized', balanceAmountCents: { gt: 0n } },
    include: CREDIT_NOTE,
    orderBy: OLDEST_FIRST,
  });
  const wallets = await tx.wallet.findMany({
    where: { customerId, status: 'active', OR: [{ expirationAt: null }, { expirationAt: { gt: now } }] },
    include: WALLET,
    orderBy: [{ priority: 'asc' }, ...OLDEST_FIRST],
  });
  return {
    coupons: coupons.map(appliedCouponInput),
    creditNotes: creditNotes.map(creditNoteInput),
    wallets: wallets.map(walletInput),
  };
}

/** In the order in which they are named, so that nothing depends on identifiers where two were made at one moment. */
async function loadSubscriptions(tx: TenantTransaction, customerId: string, externalIds: readonly string[]) {
  if (externalIds.length === 0) return [];
  const rows = await tx.subscription.findMany({
    where: { customerId, externalId: { in: [...externalIds] } },
    include: SUBSCRIPTION,
    orderBy: OLDEST_FIRST,
  });
  const rank = new Map(externalIds.map((externalId, index) => [externalId, index]));
  return rows.sort((one, other) => (rank.get(one.externalId) ?? 0) - (rank.get(other.externalId) ?? 0));
}

/** An account whose usage nobody has asked about yet. */
export type StoredAccount = Omit<CustomerAccount, 'usage'>;

/**
 * Everything that is known of a stored customer when an invoice over the subscriptions with these external identifiers is
 * made: they and those before and after them, their invoices, and what the customer can pay with. Their usage is read when rules
 * ask about it: `answerUsage`. Null without the customer. The number of statements does not depend on the number of rows.
 */
export async function loadStoredAccount(
  tx: TenantTransaction,
  customerId: string,
  externalIds: readonly string[],
  now: Date,
): Promise<StoredAccount | null> {
  const customer = await tx.customer.findUnique({ where: { id: customerId }, include: CUSTOMER });
  if (!customer) return null;
  const rows = await loadSubscriptions(tx, customerId, externalIds);
  const zone = storedZone(customer);
  return {
    customer: customerInput(customer),
    billingEntity: entityInput(customer.billingEntity),
    subscriptions: subscriptionInputs(rows),
    pastInvoices: await loadPastInvoices(tx, rows, zone),
    ...(await loadCredits(tx, customerId, now)),
  };
}

/** The same as rules take it that ask nothing about usage; those that do need `answerUsage`. */
export async function loadAccount(...asked: Parameters<typeof loadStoredAccount>): Promise<CustomerAccount | null> {
  const stored = await loadStoredAccount(...asked);
  return stored && { ...stored, usage: UNASKED_USAGE };
}
