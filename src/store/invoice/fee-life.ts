import type { Actor } from '../access/audit.ts';
import type { TenantClient } from '../database/tenant.ts';
import type { BilledLife } from '../subscription/billed-life.ts';

/** Customers whose fees are asked about: by the entity that billed them, with the fees' invoices and all subscriptions on these. In one statement. */
export const livesOfFees = (
  db: TenantClient,
  { organizationId }: Pick<Actor, 'organizationId'>,
  feeIds: readonly string[],
): Promise<BilledLife[]> =>
  db.$queryRaw<BilledLife[]>`
    SELECT customer_id::text AS "customerId", entity::text AS "billingEntityId",
      coalesce(array_agg(DISTINCT invoice_id::text) FILTER (WHERE invoice_id IS NOT NULL), '{}') AS "invoiceIds",
      coalesce(array_agg(DISTINCT external_id) FILTER (WHERE external_id IS NOT NULL), '{}') AS "externalIds"
    FROM (
      SELECT coalesce(i.customer_id, own.customer_id) AS customer_id, f.invoice_id,
        coalesce(i.billing_entity_id, own.billing_entity_id, c.billing_entity_id) AS entity, s.external_id
      FROM fees f
      LEFT JOIN invoices i ON i.id = f.invoice_id
      LEFT JOIN subscriptions own ON own.id = f.subscription_id
      LEFT JOIN customers c ON c.id = own.customer_id
      LEFT JOIN billing_periods p ON p.invoice_id = i.id
      LEFT JOIN subscriptions s ON s.id = coalesce(p.subscription_id, own.id)
      WHERE f.organization_id = ${organizationId}::uuid AND f.id = ANY(${[...feeIds]}::uuid[])
    ) asked
    WHERE customer_id IS NOT NULL AND entity IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`;
