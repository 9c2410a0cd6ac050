import type { View } from '../../billing/vectors/lifecycle-type.ts';
import type { Json } from '../../billing/vectors/vector-type.ts';

/** An object of the API under the names that claims have for it. */
const named = (body: Json): View => ({ ...body, id: String(body.svc_id) });

export function feeView(fee: Json): View {
  const item = fee.item as Json;
  return {
    ...named(fee),
    invoice: fee.svc_invoice_id,
    subscription: fee.svc_subscription_id,
    grouped_by: item.grouped_by,
  };
}

/** An invoice of REST, with what only the graph shows of it. */
export function invoiceView(invoice: Json, { voidedAt, taxStatus }: Json): View {
  const fees = ((invoice.fees ?? []) as Json[]).map(feeView);
  const periods = (invoice.billing_periods ?? []) as Json[];
  return {
    ...named(invoice),
    fees,
    voided: voidedAt != null,
    tax_status: taxStatus,
    fee_count: fees.length,
    charge_fee_count: fees.filter(({ item }) => (item as Json).type === 'charge').length,
    billing_periods: periods.map((period) => ({ ...period, subscription: period.svc_subscription_id })),
  };
}

/** A credit note of REST, with what only the graph shows of it. All that a note of an ended subscription taxes is one item. */
export function creditNoteView(note: Json, { status, items = [] }: Json): View {
  const precise = new Map((items as Json[]).map((item) => [item.svcId, item.preciseAmountCents]));
  const taxes = String(note.taxes_amount_cents);
  return {
    ...named(note),
    status,
    items: (note.items as Json[]).map((item) => ({ ...item, precise_amount_cents: precise.get(item.svc_id) })),
    applied_taxes: taxes === '0' ? [] : [{ amount_cents: taxes }],
  };
}

export const plainView = named;
