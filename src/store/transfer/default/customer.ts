import { customerSlug } from '../../../billing/invoice/numbering.ts';
import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';

/** Billing entity, rank and short name of new customers. */
export async function fillCustomers(drafts: Draft[], importer: Importing): Promise<void> {
  const standard = await importer.defaultEntity();
  const [last] = await importer.sql.rows(
    'SELECT coalesce(max(sequential_id), 0)::text AS rank FROM customers WHERE organization_id = $1::uuid',
    importer.organizationId,
  );
  const given = drafts.map(({ row }) => Number(row.sequential_id ?? 0));
  let rank = Math.max(Number(last?.rank ?? 0), ...given);
  for (const { row, found } of drafts) {
    row.billing_entity_id ??= standard.id;
    row.sequential_id ??= String(++rank);
    const prefix = (found.billing_entity_id ?? standard).document_number_prefix ?? '';
    row.slug ??= customerSlug(prefix, String(row.sequential_id));
  }
}

/** Whose provider nobody says is kept by that of its customer. */
export function fillPaymentMethods(drafts: Draft[]): void {
  for (const { row, found } of drafts) row.provider_type ??= found.customer_id?.payment_provider ?? null;
}
