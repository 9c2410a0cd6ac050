import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';

/** The dates that a draft is to have, as ISO texts. */
export interface DraftDates {
  readonly id: string;
  readonly issuingDate: string;
  readonly paymentDueDate: string;
  readonly expectedFinalizationDate: string;
  readonly netPaymentTerm: number;
}

/** Gives drafts their dates, in one statement; says which of them had others. What has become final meanwhile keeps its own. */
export async function dateDrafts(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  drafts: readonly DraftDates[],
): Promise<string[]> {
  if (drafts.length === 0) return [];
  const column = <N extends keyof DraftDates>(name: N) => drafts.map((draft) => draft[name]);
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE invoices i
    SET issuing_date = d.issued, payment_due_date = d.due, expected_finalization_date = d.final, net_payment_term = d.term,
      updated_at = ${now}
    FROM unnest(${column('id')}::uuid[], ${column('issuingDate')}::date[], ${column('paymentDueDate')}::date[],
      ${column('expectedFinalizationDate')}::date[], ${column('netPaymentTerm')}::int[]) AS d (id, issued, due, final, term)
    WHERE i.id = d.id AND i.organization_id = ${organizationId}::uuid AND i.status = 'draft'
      AND (i.issuing_date, i.payment_due_date, i.expected_finalization_date, i.net_payment_term)
        IS DISTINCT FROM (d.issued, d.due, d.final, d.term)
    RETURNING i.id::text AS id`;
  return rows.map(({ id }) => id);
}
