import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';

const CREDITED: Readonly<Record<string, { column: string; sql: string }>> = {
  coupon: {
    column: 'applied_coupon_id',
    sql: `SELECT a.id::text FROM applied_coupons a JOIN coupons c ON c.id = a.coupon_id
          WHERE a.organization_id = $1::uuid AND a.customer_id = (SELECT customer_id FROM invoices WHERE id = $2::uuid)
            AND (c.id::text = $3 OR a.id::text = $3 OR ($3 IS NULL AND c.code = $4))
          ORDER BY a.created_at, a.id LIMIT 1`,
  },
  credit_note: {
    column: 'credit_note_id',
    sql: `SELECT id::text FROM credit_notes WHERE organization_id = $1::uuid AND $2::text IS NOT NULL
            AND (id::text = $3 OR ($3 IS NULL AND number = $4)) ORDER BY created_at, id LIMIT 1`,
  },
  invoice: {
    column: 'progressive_billing_invoice_id',
    sql: `SELECT id::text FROM invoices WHERE organization_id = $1::uuid AND $2::text IS NOT NULL
            AND (id::text = $3 OR ($3 IS NULL AND number = $4)) ORDER BY created_at, id LIMIT 1`,
  },
};

const OWN_COLUMNS = Object.entries(CREDITED).map(([type, { column }]) => ({ type, column }));

/** The coupon, note or invoice behind a credit is found by the item when no reference names it. */
export async function prepareCredits(drafts: Draft[], importer: Importing): Promise<void> {
  for (const { row } of drafts) {
    row.item_type ??= OWN_COLUMNS.find(({ column }) => row[column] != null)?.type;
    const credited = CREDITED[String(row.item_type)];
    if (!credited || row[credited.column] !== undefined) continue;
    const item = [row.item_id, row.item_code].map((value) => (typeof value === 'string' ? value : null));
    const [found] = await importer.sql.rows(credited.sql, importer.organizationId, String(row.invoice_id), ...item);
    if (found) row[credited.column] = String(found.id);
  }
}

const ITEM_SQL = `
  SELECT a.id::text AS id, c.id::text AS item_id, c.code, c.name FROM applied_coupons a JOIN coupons c ON c.id = a.coupon_id
   WHERE a.organization_id = $1::uuid AND a.id = ANY($2::uuid[])
  UNION ALL SELECT n.id::text, n.id::text, n.number, i.number FROM credit_notes n JOIN invoices i ON i.id = n.invoice_id
   WHERE n.organization_id = $1::uuid AND n.id = ANY($2::uuid[])
  UNION ALL SELECT id::text, id::text, number, number FROM invoices WHERE organization_id = $1::uuid AND id = ANY($2::uuid[])`;

/** Item, currency and moment of new credits. */
export async function fillCredits(drafts: Draft[], importer: Importing): Promise<void> {
  const owner = ({ row }: Draft) => row[CREDITED[String(row.item_type)]?.column ?? ''];
  const ids = drafts.map(owner).filter((id) => typeof id === 'string');
  const rows = await importer.sql.rows(ITEM_SQL, importer.organizationId, ids);
  const items = new Map(rows.map((found) => [found.id, found]));
  for (const draft of drafts) {
    const { row, place, parent } = draft;
    const item = items.get(String(owner(draft)));
    row.item_id ??= item?.item_id;
    row.item_code ??= item?.code;
    row.item_name ??= item?.name ?? row.item_code;
    row.amount_currency ??= parent?.row.currency ?? (await importer.invoiceCurrency(String(row.invoice_id)));
    row.before_taxes ??= row.item_type !== 'credit_note';
    const missing =
      row.item_type === undefined ? '.item.type' : row.item_id === undefined ? '.item.svc_item_id' : undefined;
    if (missing) importer.faults.add(`${place}${missing}`, 'value_is_mandatory');
  }
}
