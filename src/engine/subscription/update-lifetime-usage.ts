import { rangeCodes, rangeText } from '../../billing/catalogue/number-range.ts';
import { invalid, withCodes } from '../../billing/errors.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { lockActiveSubscription } from '../../store/subscription/active-lock.ts';
import type { Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';

const MEMBER = 'external_historical_usage_amount_cents';

function checkAmount(cents: bigint): void {
  const details = withCodes({ historical_usage_amount_cents: rangeCodes('subscription', MEMBER, cents) });
  if (Object.keys(details).length === 0) return;
  throw invalid(details, { historical_usage_amount_cents: { name: MEMBER, limit: rangeText('subscription', MEMBER) } });
}

/**
 * Tells what the active subscription of an external identifier was used for before its first period, in minor units: it counts
 * towards its thresholds. Said again, it changes nothing. Throws `object_not_found` and validation errors.
 */
export async function updateLifetimeUsage(
  db: TenantClient,
  actor: Actor,
  externalId: string,
  cents: bigint,
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const { id, externalHistoricalUsageAmountCents: before } = await lockActiveSubscription(tx, actor, externalId);
    checkAmount(cents);
    if (before === cents) return { id, changed: {} };
    const after = { externalHistoricalUsageAmountCents: cents };
    await tx.subscription.update({ where: { id }, data: after, select: { id: true } });
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'lifetime_usage.updated', objectType: 'subscription', objectId: id },
      before: { externalHistoricalUsageAmountCents: before },
      after,
    });
    return { id, changed: { auditLogs: [entry] } };
  });
}
