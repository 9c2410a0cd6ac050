import type { Draft } from '../document/shape.ts';
import type { Importer } from '../import/importer.ts';

/** Amount and currency of a new request are those of its invoices, as far as they are not paid. */
export async function fillPaymentRequests(drafts: Draft[], importer: Importer): Promise<void> {
  for (const draft of drafts) {
    const { row, found } = draft;
    if (row.amount_cents !== undefined && row.amount_currency !== undefined) continue;
    const invoices = importer.linked(draft, 'invoices');
    const [due] = await importer.sql.rows(
      `SELECT coalesce(sum(total_amount_cents - total_paid_amount_cents), 0)::text AS amount, max(currency) AS currency
       FROM invoices WHERE organization_id = $1::uuid AND id = ANY($2::uuid[])`,
      importer.organizationId,
      invoices,
    );
    row.amount_cents ??= due?.amount ?? '0';
    row.amount_currency ??= due?.currency ?? found.customer_id?.currency ?? (await importer.defaultCurrency());
  }
}

/** Customer and currency of a new payment are those of what it pays. */
export async function fillPayments(drafts: Draft[], importer: Importer): Promise<void> {
  for (const { row, found, place } of drafts) {
    row.customer_id ??= found.invoice_id?.customer_id ?? found.payment_request_id?.customer_id ?? undefined;
    row.amount_currency ??=
      found.invoice_id?.currency ?? found.payment_request_id?.amount_currency ?? (await importer.defaultCurrency());
    if (row.customer_id === undefined) importer.faults.add(`${place}.external_customer_id`, 'value_is_mandatory');
  }
}
