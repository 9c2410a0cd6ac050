import { notFound } from '../../billing/errors.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';

interface HeldSubscription {
  readonly id: string;
  readonly externalHistoricalUsageAmountCents: bigint | null;
}

/** Reads the active subscription of an external identifier and keeps others from changing it until the transaction ends. Throws `object_not_found`. */
export async function lockActiveSubscription(
  tx: TenantTransaction,
  { organizationId }: Actor,
  externalId: string,
): Promise<HeldSubscription> {
  const [held] = await tx.$queryRaw<HeldSubscription[]>`
    SELECT id, external_historical_usage_amount_cents AS "externalHistoricalUsageAmountCents" FROM subscriptions
    WHERE organization_id = ${organizationId}::uuid AND external_id = ${externalId} AND status = 'active' FOR UPDATE`;
  if (!held) throw notFound('lifetime_usage');
  return held;
}

/**
 * Keeps others from giving an external identifier to a subscription until the transaction ends: nobody has it whose rows could be held. To be held
 * before anything else.
 */
export async function holdExternalId(
  tx: TenantTransaction,
  { organizationId }: Actor,
  externalId: string,
): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${organizationId} ${externalId}`}, 0))`;
}
