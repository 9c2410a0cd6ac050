import type { Actor } from '../access/audit.ts';
import type { TenantClient, TenantTransaction } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { DueLife } from './due-life.ts';

/** What one entity has billed a customer: the invoices, and the subscriptions on them by their external identifiers. */
export interface BilledLife extends DueLife {
  readonly invoiceIds: readonly string[];
}

/** What is asked of what was billed: of these customers only, and only what has changed since a moment. */
export interface BilledAsked {
  readonly customerIds?: readonly string[];
  readonly since?: Date;
}

const { sql } = Prisma;

/** Invoices that have changed since a moment, or on which a credit note was made. */
const changedSince = (
  organizationId: string,
  since: Date,
) => sql`(i.updated_at >= ${since} OR i.finalized_at >= ${since}
  OR i.id IN (SELECT invoice_id FROM credit_notes WHERE organization_id = ${organizationId}::uuid AND created_at >= ${since}))`;

/** All that an organization has billed, or some, in the order of customers, but for drafts: they are computed again anyway. */
export const billedLives = (
  db: TenantClient,
  { organizationId }: Actor,
  { customerIds, since }: BilledAsked = {},
): Promise<BilledLife[]> =>
  db.$queryRaw<BilledLife[]>`
    SELECT i.customer_id::text AS "customerId", i.billing_entity_id::text AS "billingEntityId",
      array_agg(DISTINCT i.id::text) AS "invoiceIds",
      coalesce(array_agg(DISTINCT s.external_id) FILTER (WHERE s.external_id IS NOT NULL), '{}') AS "externalIds"
    FROM invoices i
    LEFT JOIN billing_periods p ON p.invoice_id = i.id
    LEFT JOIN subscriptions s ON s.id = p.subscription_id
    WHERE i.organization_id = ${organizationId}::uuid AND i.status IN ('finalized', 'failed', 'pending', 'voided')
      ${customerIds ? sql`AND i.customer_id = ANY(${[...customerIds]}::uuid[])` : sql``}
      ${since ? sql`AND ${changedSince(organizationId, since)}` : sql``}
    GROUP BY i.customer_id, i.billing_entity_id ORDER BY i.customer_id, i.billing_entity_id`;

/** Customers of whom something that was billed has changed since a moment. */
export async function changedCustomers(
  tx: TenantTransaction,
  { organizationId }: Actor,
  since: Date,
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT i.customer_id::text AS id FROM invoices i
    WHERE i.organization_id = ${organizationId}::uuid AND i.status IN ('finalized', 'failed', 'pending', 'voided')
      AND ${changedSince(organizationId, since)}
    ORDER BY id`;
  return rows.map(({ id }) => id);
}
