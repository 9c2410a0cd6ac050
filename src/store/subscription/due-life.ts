import type { Actor } from '../access/audit.ts';
import type { TenantClient } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** Subscriptions of a customer that one entity bills, by their external identifiers. */
export interface DueLife {
  readonly customerId: string;
  readonly billingEntityId: string;
  readonly externalIds: readonly string[];
}

/**
 * The customers of an organization, or some of them, who have something that time moves: subscriptions that run, wait or are to be paid, or drafts. In the
 * order of customers.
 */
export async function dueLives(
  db: Pick<TenantClient, '$queryRaw'>,
  { organizationId }: Actor,
  ids?: readonly string[],
): Promise<DueLife[]> {
  const among = ids ? Prisma.sql`AND s.customer_id = ANY(${[...ids]}::uuid[])` : Prisma.empty;
  return db.$queryRaw<DueLife[]>`
    SELECT customer_id::text AS "customerId", entity::text AS "billingEntityId",
      array_agg(DISTINCT external_id ORDER BY external_id) AS "externalIds"
    FROM (
      SELECT s.customer_id, coalesce(s.billing_entity_id, c.billing_entity_id) AS entity, s.external_id
      FROM subscriptions s JOIN customers c ON c.id = s.customer_id
      WHERE s.organization_id = ${organizationId}::uuid AND s.status IN ('active', 'pending', 'incomplete') ${among}
      UNION
      SELECT s.customer_id, i.billing_entity_id, s.external_id
      FROM invoices i JOIN billing_periods p ON p.invoice_id = i.id JOIN subscriptions s ON s.id = p.subscription_id
      WHERE i.organization_id = ${organizationId}::uuid AND i.status = 'draft' ${among}
    ) AS moved
    GROUP BY customer_id, entity ORDER BY customer_id, entity`;
}
