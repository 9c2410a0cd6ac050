import { type BillingError, invalid, notFound } from '../../billing/errors.ts';
import type { Actor } from '../access/audit.ts';
import { lockCustomers } from '../customer/customer-lock.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import type { SubscriptionGetPayload, SubscriptionOrderByWithRelationInput } from '../generated/prisma/models.ts';
import type { SubscriptionPath } from './subscription-entitlement.ts';

const include = { plan: true, customer: { select: { billingEntityId: true } } } as const;

/** Of several of one name and one state, the one that is meant comes first. */
export const LATEST_FIRST: SubscriptionOrderByWithRelationInput[] = [
  { terminatedAt: { sort: 'desc', nulls: 'first' } },
  { startedAt: { sort: 'desc', nulls: 'last' } },
  { createdAt: 'desc' },
  { id: 'asc' },
];

/** One that waits to be paid is there, and nothing of it can change. */
export async function absence(tx: TenantTransaction, externalId: string): Promise<BillingError> {
  const waiting = await tx.subscription.findFirst({
    where: { externalId, status: 'incomplete' },
    select: { id: true },
  });
  return waiting ? invalid(INCOMPLETE) : notFound('subscription');
}

const INCOMPLETE = { base: ['subscription_incomplete'] };

/** The state that is meant where none is said: the only subscription of a name is meant also while it waits. Source: engine-catalogue 12.7. */
export async function meantStatus(tx: TenantTransaction, externalId: string): Promise<SubscriptionPath['status']> {
  const [only, other] = await tx.subscription.findMany({ where: { externalId }, select: { status: true }, take: 2 });
  return only?.status === 'pending' && !other ? 'pending' : 'active';
}

/** The same of one that can be changed and ended. */
export async function lockChangeable(tx: TenantTransaction, actor: Actor, path: SubscriptionPath) {
  const row = await lockSubscription(tx, actor, path);
  if (row.status === 'incomplete') throw invalid(INCOMPLETE);
  return row;
}

/**
 * A subscription by its name and state, whose customer nobody else bills until the transaction ends: who bills locks the customer first.
 * Throws `object_not_found`, and a validation error where
 * it waits to be paid.
 */
export async function lockSubscription(
  tx: TenantTransaction,
  actor: Actor,
  { externalId, status }: SubscriptionPath,
): Promise<SubscriptionGetPayload<{ include: typeof include }>> {
  const where = { externalId, status };
  const query = { where, orderBy: LATEST_FIRST };
  const seen = await tx.subscription.findFirst({ ...query, select: { customerId: true } });
  if (!seen) throw await absence(tx, externalId);
  await lockCustomers(tx, actor, [seen.customerId]);
  const row = await tx.subscription.findFirst({ ...query, where: { ...where, ...seen }, include });
  if (!row) throw notFound('subscription');
  return row;
}
