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
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${[...new Set(ids)]}::uuid[]) ORDER BY id FOR UPDATE`;
}

/** The customer who has an external identifier, held like the others; undefined where nobody has it. */
export async function lockCustomer(
  tx: TenantTransaction,
  { organizationId }: Actor,
  externalId: string,
): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM customers
    WHERE organization_id = ${organizationId}::uuid AND external_id = ${externalId} AND deleted_at IS NULL FOR UPDATE`;
  return row?.id;
}

/**
 * Keeps others from making customers until the transaction ends: of two who would make the same one, the second finds it then. Rows of
 * the organization are made and changed meanwhile.
 */
export async function lockRanks(tx: TenantTransaction, { organizationId }: Actor): Promise<void> {
  await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
}

/** The rank of the next customer: none is given twice, also not that of a deleted one. */
export async function nextRank(tx: TenantTransaction, { organizationId }: Actor): Promise<number> {
  const [last] = await tx.$queryRaw<{ rank: number | null }[]>`
    SELECT max(sequential_id) AS rank FROM customers WHERE organization_id = ${organizationId}::uuid`;
  return (last?.rank ?? 0) + 1;
}

/** Whether something was billed to a customer or is to be, in the currency and by the entity that it has now. */
export async function isBilled(tx: TenantTransaction, { organizationId }: Actor, id: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ billed: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM subscriptions WHERE customer_id = ${id}::uuid)
      OR EXISTS (SELECT 1 FROM invoices WHERE customer_id = ${id}::uuid)
      OR EXISTS (SELECT 1 FROM wallets WHERE customer_id = ${id}::uuid)
      OR EXISTS (SELECT 1 FROM applied_coupons WHERE customer_id = ${id}::uuid AND amount_currency IS NOT NULL)
      AS billed
    FROM organizations WHERE id = ${organizationId}::uuid`;
  return row?.billed ?? false;
}
