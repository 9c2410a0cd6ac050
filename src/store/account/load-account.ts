import type { InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import type { CustomerAccount } from '../../billing/invoice/account.ts';
import type { PastInvoice } from '../../billing/invoice/past-invoice.ts';
import type { TimelineState } from '../../billing/timeline/timeline-type.ts';
import { awaitsTaxes } from '../customer/taxes-awaited.ts';
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
import { CUSTOMER, customerInput, ENTITY, entityInput } from './customer-input.ts';
import { FEE } from './fee-row.ts';
import { DRAFT_NOTE, draftNote, looseFee, MADE_INVOICE, madeInvoice } from './made-invoice.ts';
import { ownPrices } from './own-price.ts';
import { PAST_INVOICE, pastInvoice } from './past-invoice.ts';
import { storedZone } from './period-row.ts';
import { SUBSCRIPTION, type SubscriptionRow, subscriptionInputs } from './subscription-input.ts';

/**
 * Invoices that bill any of the subscriptions, and those that are named. Those that do not count yet, or never will, are left out. Their
 * periods are asked first: a planner that joins them itself may put every invoice's relations together before it lets most of them go.
 */
async function invoicesOf(tx: TenantTransaction, rows: readonly SubscriptionRow[], named: readonly string[] = []) {
  const subscriptionId = { in: rows.map(({ id }) => id) };
  const billed = await tx.billingPeriod.findMany({ where: { subscriptionId }, select: { invoiceId: true } });
  return {
    where: {
      id: { in: [...new Set([...billed.map(({ invoiceId }) => invoiceId), ...named])] },
      status: {
        in: ['draft' as const, 'finalized' as const, 'failed' as const, 'pending' as const, 'voided' as const],
      },
    },
    orderBy: OLDEST_FIRST,
  };
}

const withFees = <T extends Pick<PastInvoice, 'fees'>>(invoice: T, read: (fee: InvoiceFee) => InvoiceFee): T => ({
  ...invoice,
  fees: invoice.fees.map(read),
});

async function loadPastInvoices(tx: TenantTransaction, rows: readonly SubscriptionRow[], zone: string) {
  if (rows.length === 0) return [];
  const invoices = await tx.invoice.findMany({ ...(await invoicesOf(tx, rows)), include: PAST_INVOICE });
  const onOwn = await ownPrices(tx, rows);
  return invoices.map((row) => withFees(pastInvoice(row, zone), onOwn));
}

const ACTIVE = { status: 'active' } as const;

/**
 * What a customer can pay with now: a wallet past its expiration pays nothing, whether or not something has ended it yet. `usedBy`: invoices
 * whose coupons and notes are wanted too, also where they are used up; a coupon that is ended is over.
 */
async function loadCredits(tx: TenantTransaction, customerId: string, now: Date, usedBy: readonly string[] = []) {
  const used = { credits: { some: { invoiceId: { in: [...usedBy] } } } };
  const coupons = await tx.appliedCoupon.findMany({
    where: { customerId, OR: [{ status: 'active' }, ...(usedBy.length > 0 ? [{ ...used, coupon: ACTIVE }] : [])] },
    include: APPLIED_COUPON,
    orderBy: OLDEST_FIRST,
  });
  const creditNotes = await tx.creditNote.findMany({
    where: {
      ...{ customerId, status: 'finalized' },
      OR: [{ balanceAmountCents: { gt: 0n } }, ...(usedBy.length > 0 ? [used] : [])],
    },
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

/** A stored customer to whom something happens: the account as far as the subscriptions with these external identifiers go, with what their drafts are computed from again. */
export type StoredLife = Pick<
  TimelineState,
  | 'customer'
  | 'billingEntity'
  | 'subscriptions'
  | 'invoices'
  | 'madeNotes'
  | 'coupons'
  | 'creditNotes'
  | 'wallets'
  | 'fees'
>;

/**
 * `loadStoredAccount` for the timeline. `billingEntityId`: who bills the subscriptions. `named`: invoices that are wanted whatever they bill,
 * with the coupons and notes that they used. Null without the customer.
 */
export async function loadLife(
  tx: TenantTransaction,
  { customerId, billingEntityId }: { readonly customerId: string; readonly billingEntityId: string },
  externalIds: readonly string[],
  now: Date,
  named: readonly string[] = [],
): Promise<StoredLife | null> {
  const customer = await tx.customer.findUnique({ where: { id: customerId }, include: CUSTOMER });
  if (!customer) return null;
  const entity =
    billingEntityId === customer.billingEntityId
      ? customer.billingEntity
      : await tx.billingEntity.findUniqueOrThrow({ where: { id: billingEntityId }, include: ENTITY });
  const rows = await loadSubscriptions(tx, customerId, externalIds);
  const zone = storedZone(customer);
  const invoices = await tx.invoice.findMany({ ...(await invoicesOf(tx, rows, named)), include: MADE_INVOICE });
  const notes = await tx.creditNote.findMany({
    where: { status: 'draft', invoiceId: { in: invoices.map(({ id }) => id) } },
    include: DRAFT_NOTE,
    orderBy: OLDEST_FIRST,
  });
  const madeNotes = notes.map(draftNote);
  const loose = await tx.fee.findMany({
    where: { subscriptionId: { in: rows.map(({ id }) => id) }, invoiceId: null, deletedAt: null },
    include: FEE,
    orderBy: OLDEST_FIRST,
  });
  const credits = await loadCredits(tx, customerId, now, named);
  const onOwn = await ownPrices(tx, rows);
  return {
    customer: { ...customerInput(customer), awaitsTaxes: awaitsTaxes(customer) },
    billingEntity: entityInput(entity),
    subscriptions: subscriptionInputs(rows),
    invoices: invoices.map((row) => withFees(madeInvoice(row, zone), onOwn)),
    madeNotes,
    fees: loose.map((row) => looseFee(row, zone)).map((one) => ({ ...one, fee: onOwn(one.fee) })),
    ...credits,
    creditNotes: [...credits.creditNotes, ...madeNotes],
  };
}
