import type { Actor } from '../access/audit.ts';
import { BY_CODE } from '../database/row-order.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';

/** Takes a custom section from all that prints it, in one statement. Entities and customers sort before sections: theirs is A. */
export async function detachSection(tx: TenantTransaction, id: string): Promise<void> {
  await tx.$executeRaw`
    WITH entities AS (DELETE FROM "_BillingEntitySections" WHERE "B" = ${id}::uuid),
      customers AS (DELETE FROM "_CustomerSections" WHERE "B" = ${id}::uuid)
    DELETE FROM applied_invoice_custom_sections WHERE invoice_custom_section_id = ${id}::uuid`;
}

/** Codes of the sections that are chosen for a subscription. */
export async function chosenSections(tx: TenantTransaction, subscriptionId: string): Promise<string[]> {
  const rows = await tx.appliedInvoiceCustomSection.findMany({
    where: { subscriptionId },
    select: { invoiceCustomSection: { select: { code: true } } },
    orderBy: { invoiceCustomSection: { code: 'asc' } },
  });
  return rows.map(({ invoiceCustomSection }) => invoiceCustomSection.code);
}

/** Chooses sections for a subscription in place of those that it has; says the codes that there are of them. */
export async function chooseSections(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  subscriptionId: string,
  codes: readonly string[],
): Promise<string[]> {
  const sections = await tx.invoiceCustomSection.findMany({
    where: { code: { in: [...codes] }, deletedAt: null },
    select: { id: true, code: true },
    orderBy: BY_CODE,
  });
  await tx.appliedInvoiceCustomSection.deleteMany({ where: { subscriptionId } });
  const data = sections.map(({ id: invoiceCustomSectionId }) => ({
    ...{ id: newId(now), organizationId, subscriptionId, invoiceCustomSectionId, createdAt: now },
  }));
  if (data.length > 0) await tx.appliedInvoiceCustomSection.createMany({ data });
  return sections.map(({ code }) => code);
}
