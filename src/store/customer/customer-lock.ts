import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';

/**
 * Keeps others from issuing invoices to customers, and so from using what they can pay with, until the transaction ends; in an
 * order that cannot block itself. To be taken before the accounts are loaded, and before counters are held.
 */
export async function lockCustomers(
  tx: TenantTransaction,
  { organizationId }: Actor,
  ids: readonly string[],
): Promise<void> {
  await tx.$queryRaw`
    SELECT id FROM customers
    WHERE organization_id = ${organizationId}::uuid AND id::text = ANY(${[...new Set(ids)]}) ORDER BY id FOR UPDATE`;
}
