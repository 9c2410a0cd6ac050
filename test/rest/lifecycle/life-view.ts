import { Decimal } from '../../../src/billing/money/decimal.ts';
import { snakeCase } from '../../../src/billing/name-case.ts';
import type { Prisma } from '../../../src/store/generated/prisma/client.ts';
import type { View } from '../../billing/vectors/lifecycle-type.ts';
import type { Json } from '../../billing/vectors/vector-type.ts';

/** What is read of an invoice that no list has. */
export const HIDDEN = {
  ...{ appliedTaxes: true, billingPeriods: true },
  fees: { orderBy: { createdAt: 'asc' }, include: { appliedTaxes: true } },
} as const;

type HiddenRow = Prisma.InvoiceGetPayload<{ include: typeof HIDDEN }>;

/** An object of the API under the names that claims have for it. */
const named = (body: Json): View => ({ ...body, id: String(body.svc_id) });

export function feeView(fee: Json): View {
  const item = fee.item as Json;
  const { filters: values, filter_invoice_display_name: name } = item;
  const { svc_charge_filter_id: filter } = fee;
  return {
    ...named(fee),
    invoice: fee.svc_invoice_id,
    subscription: fee.svc_subscription_id,
    grouped_by: item.grouped_by,
    charge_filter: filter && {
      ...{ svc_charge_filter_id: filter, invoice_display_name: name, values, value_keys: Object.keys(values ?? {}) },
    },
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
  const precise = new Map((items as Json[]).map((item) => [item.svc_id, item.precise_amount_cents]));
  const taxes = String(note.taxes_amount_cents);
  return {
    ...named(note),
    status,
    invoice: note.svc_invoice_id,
    items: (note.items as Json[]).map((item) => ({ ...item, precise_amount_cents: precise.get(item.svc_id) })),
    applied_taxes: taxes === '0' ? [] : [{ amount_cents: taxes }],
  };
}

export const plainView = named;

/** An alert, without what it last saw: nothing looks at alerts yet. */
export const alertView = ({ previous_value: _, last_processed_at: __, ...alert }: Json): View => named(alert);

/** What the graph shows, under the names of REST. */
export function inSnakeCase(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map(inSnakeCase);
  if (typeof shown !== 'object' || shown === null) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [snakeCase(name), inSnakeCase(value)]));
}

/** What only the database has, under the names of the API. */
export function rowView(row: object): View {
  const members = Object.entries(row).map(([name, value]) => [snakeCase(name), shownValue(value)]);
  const view = Object.fromEntries(members);
  return { ...view, svc_id: view.id };
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return value.toISOString();
  if (Decimal.isDecimal(value)) return (value as Decimal).toFixed();
  return value;
}

/** A row of an invoice that no list has. */
export function hiddenView({ fees, billingPeriods, appliedTaxes, ...row }: HiddenRow): View {
  const shown = fees.map(({ appliedTaxes: taxes, ...fee }) => ({
    ...rowView(fee),
    svc_invoice_id: fee.invoiceId,
    svc_subscription_id: fee.subscriptionId,
    svc_charge_filter_id: fee.chargeFilterId,
    applied_taxes: taxes.map(rowView),
    item: {
      ...{ type: fee.feeType, code: fee.itemCode, name: fee.itemName, grouped_by: fee.groupedBy },
      ...{ filters: fee.filters, filter_invoice_display_name: fee.filterInvoiceDisplayName },
    },
  }));
  const periods = billingPeriods.map((period) => ({ ...rowView(period), svc_subscription_id: period.subscriptionId }));
  const invoice = { ...rowView(row), fees: shown, billing_periods: periods, applied_taxes: appliedTaxes.map(rowView) };
  return invoiceView(invoice, row);
}
