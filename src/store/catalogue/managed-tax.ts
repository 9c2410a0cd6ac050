import { isManagedTax, MANAGED_TAXES } from '../../billing/vat/vat-tax.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';

/** Makes those of the taxes of managed VAT that are not there, in one statement; all of them unless some codes are named. */
export async function addManagedTaxes(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  codes?: readonly string[],
): Promise<void> {
  const wanted = MANAGED_TAXES.filter(({ code }) => codes?.includes(code) ?? isManagedTax(code));
  if (wanted.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO taxes (id, organization_id, code, name, description, rate, auto_generated, created_at, updated_at)
    SELECT t.id, ${organizationId}::uuid, t.code, t.name, t.description, t.rate, true, ${now}, ${now}
    FROM unnest(${wanted.map(() => newId(now))}::uuid[], ${wanted.map(({ code }) => code)}::text[],
      ${wanted.map(({ name }) => name)}::text[], ${wanted.map(({ description }) => description)}::text[],
      ${wanted.map(({ rate }) => rate)}::numeric[]) AS t (id, code, name, description, rate)
    ON CONFLICT (organization_id, code) WHERE deleted_at IS NULL DO NOTHING`;
}
