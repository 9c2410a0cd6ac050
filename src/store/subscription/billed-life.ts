import type { Actor } from '../access/audit.ts';
import type { TenantClient } from '../database/tenant.ts';
import type { DueLife } from './due-life.ts';

/** What one entity has billed a customer: the invoices, and the subscriptions on them by their external identifiers. */
export interface BilledLife extends DueLife {
  readonly invoiceIds: readonly string[];
}

/** All that an organization has billed, in the order of customers, but for drafts: they are computed again anyway. */
export const billedLives = (db: TenantClient, { organizationId }: Actor): Promise<BilledLife[]> =>
  db.$queryRaw<BilledLife[]>`
    SELECT i.customer_id::text AS "customerId", i.billing_entity_id::text AS "billingEntityId",
      array_agg(DISTINCT i.id::text) AS "invoiceIds",
      coalesce(array_agg(DISTINCT s.external_id) FILTER (WHERE s.external_id IS NOT NULL), '{}') AS "externalIds"
    FROM invoices i
    LEFT JOIN billing_periods p ON p.invoice_id = i.id
    LEFT JOIN subscriptions s ON s.id = p.subscription_id
    WHERE i.organization_id = ${organizationId}::uuid AND i.status IN ('finalized', 'failed', 'pending', 'voided')
    GROUP BY i.customer_id, i.billing_entity_id ORDER BY i.customer_id, i.billing_entity_id`;
