import type { InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import type { CustomerAccount } from '../../billing/invoice/account.ts';
import type { PastInvoice } from '../../billing/invoice/past-invoice.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { UNASKED_USAGE } from '../usage/stored-usage.ts';
import { CUSTOMER, customerInput, entityInput } from './customer-input.ts';
import { loadCredits } from './load-credits.ts';
import { ownPrices } from './own-price.ts';
import { inBilledOrder, PAST_INVOICE, pastInvoice } from './past-invoice.ts';
import { storedZone } from './period-row.ts';
import { PLAN } from './plan-input.ts';
import { SUBSCRIPTION, type SubscriptionRow, subscriptionInputs } from './subscription-input.ts';

const COUNTING = ['draft', 'finalized', 'failed', 'pending', 'voided'] as const;

/**
 * Invoices that bill any of the subscriptions, and those that are named. Those that do not count yet, or never will, are left out. Their
 * periods are asked first: a planner that joins them itself may put every invoice's relations together before it lets most of them go.
 */
export async function invoicesOf(
  tx: TenantTransaction,
  rows: readonly SubscriptionRow[],
  named: readonly string[] = [],
) {
  const subscriptionId = { in: rows.map(({ id }) => id) };
  const billed = await tx.billingPeriod.findMany({ where: { subscriptionId }, select: { invoiceId: true } });
  return {
    where: {
      id: { in: [...new Set([...billed.map(({ invoiceId }) => invoiceId), ...named])] },
      OR: [
        { status: { in: [...COUNTING] } },
        // One that is open counts for what waits for it to be paid.
        { status: 'open' as const, billingPeriods: { some: { subscription: { status: 'incomplete' as const } } } },
      ],
    },
    orderBy: OLDEST_FIRST,
  };
}

/** An invoice with its fees as they are read. */
export const withFees = <T extends Pick<PastInvoice, 'fees'>>(
  invoice: T,
  read: (fee: InvoiceFee) => InvoiceFee,
): T => ({
  ...invoice,
  fees: invoice.fees.map(read),
});

async function loadPastInvoices(tx: TenantTransaction, rows: readonly SubscriptionRow[], zone: string) {
  if (rows.length === 0) return [];
  const invoices = await tx.invoice.findMany({ ...(await invoicesOf(tx, rows)), include: PAST_INVOICE });
  const onOwn = await ownPrices(tx, rows);
  return inBilledOrder(invoices.map((row) => withFees(pastInvoice(row, zone), onOwn)));
}

const { plan: _, ...WITHOUT_PLAN } = SUBSCRIPTION;

/** Subscriptions of customers by their external identifiers, oldest first. */
export async function loadSubscriptions(
  tx: TenantTransaction,
  customerIds: readonly string[],
  externalIds: readonly string[],
): Promise<SubscriptionRow[]> {
  if (externalIds.length === 0) return [];
  const where = { customerId: { in: [...customerIds] }, externalId: { in: [...externalIds] } };
  const asked = { where, orderBy: OLDEST_FIRST };
  if (customerIds.length === 1) return tx.subscription.findMany({ ...asked, include: SUBSCRIPTION });
  // Many have few plans: each is read once.
  const rows = await tx.subscription.findMany({ ...asked, include: WITHOUT_PLAN });
  const ids = [...new Set(rows.map(({ planId }) => planId))];
  const plans = await tx.plan.findMany({ where: { id: { in: ids } }, include: PLAN });
  const planOf = new Map(plans.map((plan) => [plan.id, plan]));
  return rows.flatMap((row) => {
    const plan = planOf.get(row.planId);
    return plan ? [{ ...row, plan }] : [];
  });
}

/** Those that are named, in that order, so that nothing depends on identifiers where two were made at one moment. */
export function namedIn(rows: readonly SubscriptionRow[], externalIds: readonly string[]): SubscriptionRow[] {
  const rank = new Map(externalIds.map((externalId, index) => [externalId, index]));
  const rankOf = ({ externalId }: SubscriptionRow) => rank.get(externalId) ?? -1;
  return rows.filter((row) => rankOf(row) >= 0).sort((one, other) => rankOf(one) - rankOf(other));
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
  const rows = namedIn(await loadSubscriptions(tx, [customerId], externalIds), externalIds);
  const zone = storedZone(customer);
  return {
    customer: customerInput(customer),
    billingEntity: entityInput(customer.billingEntity),
    subscriptions: subscriptionInputs(rows),
    pastInvoices: await loadPastInvoices(tx, rows, zone),
    ...(await loadCredits(tx, [customerId]))(customerId, now),
  };
}

/** The same as rules take it that ask nothing about usage; those that do need `answerUsage`. */
export async function loadAccount(...asked: Parameters<typeof loadStoredAccount>): Promise<CustomerAccount | null> {
  const stored = await loadStoredAccount(...asked);
  return stored && { ...stored, usage: UNASKED_USAGE };
}
