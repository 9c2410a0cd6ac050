import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';

const RANK_DIGITS = 3;

/** Billing entity, rank and short name of new customers: `ACM-1A2B-007` is the seventh of the organization. */
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
    row.slug ??= `${prefix}-${String(row.sequential_id).padStart(RANK_DIGITS, '0')}`;
  }
}
