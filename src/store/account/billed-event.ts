import type { SubscriptionEvent } from '../../billing/usage/usage.ts';
import type { TenantTransaction } from '../database/tenant.ts';

const AT_ONCE = 1000;

/**
 * Events that fees say they were made of, under the external identifiers of some subscriptions; those that are deleted are none. In a
 * statement for each thousand.
 */
export async function loadBilledEvents(
  tx: TenantTransaction,
  externalIds: readonly string[],
  transactionIds: readonly string[],
): Promise<SubscriptionEvent[]> {
  const asked = [...new Set(transactionIds)];
  const found: SubscriptionEvent[] = [];
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const rows = await tx.event.findMany({
      where: {
        externalSubscriptionId: { in: [...externalIds] },
        transactionId: { in: asked.slice(from, from + AT_ONCE) },
        deletedAt: null,
      },
    });
    for (const row of rows) {
      found.push({
        ...{
          transactionId: row.transactionId,
          externalSubscriptionId: row.externalSubscriptionId,
          metricCode: row.code,
        },
        ...{ id: row.id, timestamp: row.timestamp.getTime(), createdAt: row.createdAt.getTime() },
        properties: row.properties as Record<string, unknown>,
        preciseTotalAmountCents: row.preciseTotalAmountCents?.toFixed() ?? null,
      });
    }
  }
  return found;
}
