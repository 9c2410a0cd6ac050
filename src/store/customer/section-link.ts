import type { TenantTransaction } from '../database/tenant.ts';

/** Takes a custom section from all that prints it, in one statement. Entities and customers sort before sections: theirs is A. */
export async function detachSection(tx: TenantTransaction, id: string): Promise<void> {
  await tx.$executeRaw`
    WITH entities AS (DELETE FROM "_BillingEntitySections" WHERE "B" = ${id}::uuid),
      customers AS (DELETE FROM "_CustomerSections" WHERE "B" = ${id}::uuid)
    DELETE FROM applied_invoice_custom_sections WHERE invoice_custom_section_id = ${id}::uuid`;
}
