import type { TenantTransaction } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** Takes a tax from everything that it is applied to, in one statement. Every owner's name sorts before `Tax`: it is B. */
export async function detachTax(tx: TenantTransaction, id: string): Promise<void> {
  await tx.$executeRaw`
    WITH entities AS (DELETE FROM "_BillingEntityTaxes" WHERE "B" = ${id}::uuid),
      customers AS (DELETE FROM "_CustomerTaxes" WHERE "B" = ${id}::uuid),
      plans AS (DELETE FROM "_PlanTaxes" WHERE "B" = ${id}::uuid),
      charges AS (DELETE FROM "_ChargeTaxes" WHERE "B" = ${id}::uuid),
      fixed_charges AS (DELETE FROM "_FixedChargeTaxes" WHERE "B" = ${id}::uuid),
      commitments AS (DELETE FROM "_MinimumCommitmentTaxes" WHERE "B" = ${id}::uuid)
    DELETE FROM "_AddOnTaxes" WHERE "B" = ${id}::uuid`;
}

/** Which taxes are applied to what: A is the owner, B the tax. */
export const TAX_TABLES = {
  plan: Prisma.raw('"_PlanTaxes"'),
  charge: Prisma.raw('"_ChargeTaxes"'),
  fixed_charge: Prisma.raw('"_FixedChargeTaxes"'),
  minimum_commitment: Prisma.raw('"_MinimumCommitmentTaxes"'),
} as const;

/** A tax and what it is to be applied to, both of the organization and held. */
export interface TaxLink {
  readonly ownerId: string;
  readonly taxId: string;
}

/** Applies taxes to many new objects of one kind, in one statement. */
export async function attachTaxes(
  tx: TenantTransaction,
  kind: keyof typeof TAX_TABLES,
  links: readonly TaxLink[],
): Promise<void> {
  if (links.length === 0) return;
  const [owners, taxes] = [links.map(({ ownerId }) => ownerId), links.map(({ taxId }) => taxId)];
  await tx.$executeRaw`
    INSERT INTO ${TAX_TABLES[kind]} ("A", "B") SELECT * FROM unnest(${owners}::uuid[], ${taxes}::uuid[])
    ON CONFLICT DO NOTHING`;
}

/** Applies taxes to objects of one kind in place of those that they have. */
export async function replaceTaxes(
  tx: TenantTransaction,
  kind: keyof typeof TAX_TABLES,
  owners: readonly { readonly id: string; readonly taxIds: readonly string[] }[],
): Promise<void> {
  if (owners.length === 0) return;
  await tx.$executeRaw`DELETE FROM ${TAX_TABLES[kind]} WHERE "A" = ANY(${owners.map(({ id }) => id)}::uuid[])`;
  await attachTaxes(
    tx,
    kind,
    owners.flatMap(({ id, taxIds }) => taxIds.map((taxId) => ({ ownerId: id, taxId }))),
  );
}
