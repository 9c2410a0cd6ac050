import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';

/** Amount and currency of a new request are those of its invoices, as far as they are not paid. */
export async function fillPaymentRequests(drafts: Draft[], importer: Importing): Promise<void> {
  for (const { row, found, links } of drafts) {
    if (row.amount_cents !== undefined && row.amount_currency !== undefined) continue;
    const [due] = await importer.sql.rows(
      `SELECT coalesce(sum(total_amount_cents - total_paid_amount_cents), 0)::text AS amount, max(currency) AS currency
       FROM invoices WHERE organization_id = $1::uuid AND id = ANY($2::uuid[])`,
      importer.organizationId,
      links.invoices ?? [],
    );
    row.amount_cents ??= due?.amount ?? '0';
    row.amount_currency ??= due?.currency ?? found.customer_id?.currency ?? (await importer.defaultCurrency());
  }
}

/** Customer and currency of a new payment are those of what it pays. */
export async function fillPayments(drafts: Draft[], importer: Importing): Promise<void> {
  for (const { row, found, place } of drafts) {
    row.customer_id ??= found.invoice_id?.customer_id ?? found.payment_request_id?.customer_id ?? undefined;
    row.amount_currency ??=
      found.invoice_id?.currency ?? found.payment_request_id?.amount_currency ?? (await importer.defaultCurrency());
    if (row.customer_id === undefined) importer.faults.add(`${place}.external_customer_id`, 'value_is_mandatory');
  }
}
