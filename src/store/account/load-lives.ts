import type { TimelineState } from '../../billing/timeline/timeline-type.ts';
import { awaitsTaxes } from '../customer/taxes-awaited.ts';
import { groupedBy } from '../database/row-group.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { CUSTOMER, customerInput, ENTITY, type EntityRow, entityInput } from './customer-input.ts';
import { FEE } from './fee-row.ts';
import { invoicesOf, loadSubscriptions, namedIn, withFees } from './load-account.ts';
import { loadCredits, type StoredCredits } from './load-credits.ts';
import { looseFee, MADE_INVOICE, madeInvoice } from './made-invoice.ts';
import { loadDraftNotes } from './made-note.ts';
import { ownPrices } from './own-price.ts';
import { inBilledOrder } from './past-invoice.ts';
import { storedZone } from './period-row.ts';
import { subscriptionInputs } from './subscription-input.ts';

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

/** Which life is wanted. */
export interface AskedLife {
  readonly customerId: string;
  /** Who bills the subscriptions. */
  readonly billingEntityId: string;
  readonly externalIds: readonly string[];
  /** Invoices that are wanted whatever they bill, with the coupons and notes that they used. */
  readonly named?: readonly string[];
}

/** A life as it stands at a moment at which something happens: a wallet past its expiration pays nothing then. */
export type LoadedLife = (now: Date) => StoredLife;

/** The entities that bill customers although those have others. */
async function otherEntities(tx: TenantTransaction, ids: readonly string[]): Promise<ReadonlyMap<string, EntityRow>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.billingEntity.findMany({ where: { id: { in: [...ids] } }, include: ENTITY });
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * `loadStoredAccount` for the timeline, of several customers: a life of each, in their order; null where there is no such customer. The number
 * of statements does not depend on how many there are.
 */
export async function loadLives(tx: TenantTransaction, asked: readonly AskedLife[]): Promise<(LoadedLife | null)[]> {
  const customerIds = asked.map(({ customerId }) => customerId);
  const customers = await tx.customer.findMany({ where: { id: { in: customerIds } }, include: CUSTOMER });
  const customerOf = new Map(customers.map((customer) => [customer.id, customer]));
  const other = asked.flatMap(({ customerId, billingEntityId }) =>
    customerOf.has(customerId) && customerOf.get(customerId)?.billingEntityId !== billingEntityId
      ? [billingEntityId]
      : [],
  );
  const entities = await otherEntities(tx, other);
  const rows = await loadSubscriptions(
    tx,
    customerIds,
    asked.flatMap(({ externalIds }) => externalIds),
  );
  const named = asked.flatMap((one) => one.named ?? []);
  const invoices = await tx.invoice.findMany({ ...(await invoicesOf(tx, rows, named)), include: MADE_INVOICE });
  const notes = await loadDraftNotes(
    tx,
    invoices.map(({ id }) => id),
  );
  const loose = await tx.fee.findMany({
    where: { subscriptionId: { in: rows.map(({ id }) => id) }, invoiceId: null, deletedAt: null },
    include: FEE,
    orderBy: OLDEST_FIRST,
  });
  // What an open invoice used may be given back by itself.
  const open = invoices.flatMap(({ id, status }) => (status === 'open' ? [id] : []));
  const creditsOf = await loadCredits(tx, customerIds, [...named, ...open]);
  const onOwn = await ownPrices(tx, rows);
  const [subscriptionsOf, invoicesFor] = [groupedBy(rows, 'customerId'), groupedBy(invoices, 'customerId')];
  return asked.map(({ customerId, billingEntityId, externalIds, named: wanted = [] }) => {
    const customer = customerOf.get(customerId);
    if (!customer) return null;
    const entity = entities.get(billingEntityId) ?? customer.billingEntity;
    const zone = storedZone(customer);
    const own = namedIn(subscriptionsOf(customerId), externalIds);
    const ids = new Set(own.map(({ id }) => id));
    const about = invoicesFor(customerId).filter(
      ({ id, billingPeriods }) =>
        wanted.includes(id) || billingPeriods.some(({ subscriptionId }) => ids.has(subscriptionId)),
    );
    const drafts = new Set(about.map(({ id }) => id));
    const madeNotes = notes.filter(({ invoiceId }) => drafts.has(invoiceId));
    const fees = loose.filter((row) => ids.has(row.subscriptionId ?? '')).map((row) => looseFee(row, zone));
    const life: Omit<StoredLife, keyof StoredCredits> = {
      customer: { ...customerInput(customer), awaitsTaxes: awaitsTaxes(customer) },
      billingEntity: entityInput(entity),
      // Whose entity bills one is said: the life may be of another.
      subscriptions: subscriptionInputs(own).map((one) => ({
        ...one,
        billingEntityCode: one.billingEntityCode ?? customer.billingEntity.code,
      })),
      invoices: inBilledOrder(about.map((row) => withFees(madeInvoice(row, zone), onOwn))),
      madeNotes,
      fees: fees.map((one) => ({ ...one, fee: onOwn(one.fee) })),
    };
    return (now) => {
      const credits = creditsOf(customerId, now);
      return { ...life, ...credits, creditNotes: [...credits.creditNotes, ...madeNotes] };
    };
  });
}

/** One life at a moment. */
export async function loadLife(tx: TenantTransaction, asked: AskedLife, now: Date): Promise<StoredLife | null> {
  const [life = null] = await loadLives(tx, [asked]);
  return life?.(now) ?? null;
}
