import { creditNoteNumber } from '../../../billing/invoice/numbering.ts';
import { formatDate, localDate } from '../../../billing/period/calendar.ts';
import {
  CreditNoteCreditStatus,
  CreditNoteReason,
  CreditNoteRefundStatus,
  CreditNoteStatus,
} from '../../generated/prisma/enums.ts';
import { objectsIn } from '../default/invoice.ts';
import { zonesOf } from '../default/zone.ts';
import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { choice, field, ref, shape, stamps } from '../document/shape.ts';

const cents = (name: string, nullable = true) =>
  field(`${name}_amount_cents`, 'cents', nullable ? { initial: 0 } : { nullable });

const ITEM = shape({
  name: 'credit_note_item',
  table: 'credit_note_items',
  fields: [
    field('amount_cents', 'cents', { required: true }),
    field('precise_amount_cents', 'decimal', { nullable: false }),
    field('amount_currency', 'currency', { nullable: false }),
    ...stamps(),
  ],
  refs: [ref('fee_id', 'fee', ['svc_fee_id', 'fee.svc_id'])],
  fill: (drafts, importer) => {
    for (const { row, parent, found } of drafts) {
      row.precise_amount_cents ??= row.amount_cents;
      row.amount_currency ??= parent?.row.currency ?? found.fee_id?.amount_currency;
      if (row.amount_currency === undefined) importer.faults.add(`${parent?.place}.currency`, 'value_is_mandatory');
    }
  },
});

async function fillCreditNotes(drafts: Draft[], importer: Importing): Promise<void> {
  const next = new Map<string, number>();
  for (const { row, found } of drafts) row.customer_id ??= found.invoice_id?.customer_id;
  const zoneFor = await zonesOf(drafts, importer);
  for (const draft of drafts) {
    const { row, found, item } = draft;
    const invoice = found.invoice_id;
    const rank =
      (next.get(String(row.invoice_id)) ?? (await importer.count('credit_notes', 'invoice_id', row.invoice_id))) + 1;
    next.set(String(row.invoice_id), rank);
    row.sequential_id ??= String(rank);
    row.currency ??= invoice?.currency;
    row.number ??= creditNoteNumber(String(invoice?.number), String(row.sequential_id));
    const made = Date.parse(String(row.created_at ?? importer.now));
    row.issuing_date ??= formatDate(localDate(made, zoneFor(draft)));
    fillAmounts(row, objectsIn(item, 'items').length > 0 ? item : {});
  }
}

function fillAmounts(row: Draft['row'], item: Draft['item']): void {
  const of = (name: string) => BigInt(String(row[`${name}_amount_cents`] ?? 0));
  const items = objectsIn(item, 'items').reduce(
    (sum, { amount_cents: amount }) => sum + BigInt(/^\d+$/.test(String(amount)) ? String(amount) : 0),
    0n,
  );
  const given = of('credit') + of('refund') + of('offset');
  row.sub_total_excluding_taxes_amount_cents ??= (
    items > 0n ? items - of('coupons_adjustment') : given - of('taxes')
  ).toString();
  row.total_amount_cents ??= (given > 0n ? given : of('sub_total_excluding_taxes') + of('taxes')).toString();
  row.credit_amount_cents ??= (given > 0n ? 0n : of('total')).toString();
  row.balance_amount_cents ??= row.credit_amount_cents;
  const balance = BigInt(String(row.balance_amount_cents));
  if (row.credit_status === undefined && of('credit') > 0n) row.credit_status = balance > 0n ? 'available' : 'consumed';
  if (row.refund_status === undefined && of('refund') > 0n) row.refund_status = 'pending';
}

/** A note that gives money of an invoice back. */
export const CREDIT_NOTE = shape({
  name: 'credit_note',
  table: 'credit_notes',
  section: 'credit_notes',
  key: ['number'],
  codeColumn: 'number',
  fields: [
    field('number', 'text', { nullable: false }),
    field('sequential_id', 'integer', { nullable: false }),
    field('issuing_date', 'date', { nullable: false }),
    choice('status', CreditNoteStatus, { initial: 'finalized' }),
    choice('credit_status', CreditNoteCreditStatus),
    choice('refund_status', CreditNoteRefundStatus),
    choice('reason', CreditNoteReason, { initial: 'other' }),
    field('description', 'text'),
    field('currency', 'currency', { nullable: false }),
    cents('total', false),
    cents('credit', false),
    cents('balance', false),
    cents('refund'),
    cents('offset'),
    cents('sub_total_excluding_taxes', false),
    cents('coupons_adjustment'),
    cents('taxes'),
    field('taxes_rate', 'rate', { initial: 0 }),
    ...stamps('updated'),
  ],
  refs: [
    ref('customer_id', 'customer', ['svc_customer_id'], ['external_customer_id', 'customer.external_id']),
    ref('invoice_id', 'invoice', ['svc_invoice_id'], ['invoice_number'], { required: true }),
  ],
  children: [{ member: 'items', shape: () => ITEM, parent: 'credit_note_id' }],
  lookup: ['number', 'invoice_id'],
  fill: fillCreditNotes,
});
