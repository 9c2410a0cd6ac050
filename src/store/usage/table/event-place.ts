import { rootOf, type TenantClient } from '../../database/tenant.ts';
import { eventStoreOf } from '../kept-events.ts';

// More are found by reading the list.
const MOST_FOUND = 2000;

/**
 * A condition by which the events of transaction identifiers are found without looking through all months; empty where there are too many,
 * and where events are kept elsewhere. It leaves out what their keys do not know: deleted events.
 */
export async function placedBy(
  db: TenantClient,
  organizationId: string,
  transactionIds: readonly string[],
): Promise<object> {
  const root = rootOf(db);
  if (root && eventStoreOf(root.prisma).apart) return {};
  const found = await db.$queryRaw<{ id: string; timestamp: Date }[]>`
    SELECT event_id AS id, "timestamp" FROM event_keys WHERE organization_id = ${organizationId}::uuid
      AND transaction_id = ANY (${[...transactionIds]}::text[]) LIMIT ${MOST_FOUND + 1}`;
  if (found.length > MOST_FOUND) return {};
  const moments = new Map(found.map(({ timestamp }) => [timestamp.getTime(), timestamp]));
  return { id: { in: found.map(({ id }) => id) }, timestamp: { in: [...moments.values()] } };
}
