import { formatDate, localDate } from '../../billing/period/calendar.ts';
import type { CreditedItem, CreditNoteDocument } from '../../pdf/credit-note-document.ts';
import { shownZone } from '../account/period-row.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantClient } from '../database/tenant.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { customerOf, day } from './invoice-document.ts';
import { CUSTOMER_ROW, ENTITY_ROW } from './invoice-row.ts';

const FEE = {
  select: {
    itemName: true,
    itemCode: true,
    itemInvoiceDisplayName: true,
    taxesRate: true,
    fromDate: true,
    toDate: true,
    subscription: { select: { name: true, plan: { select: { name: true, invoiceDisplayName: true } } } },
  },
} as const;

/** The columns that a credit note's document is made of. */
const NOTE_ROW = {
  number: true,
  currency: true,
  issuingDate: true,
  reason: true,
  description: true,
  couponsAdjustmentAmountCents: true,
  subTotalExcludingTaxesAmountCents: true,
  taxesAmountCents: true,
  taxesRate: true,
  totalAmountCents: true,
  creditAmountCents: true,
  refundAmountCents: true,
  offsetAmountCents: true,
  customer: { select: CUSTOMER_ROW },
  invoice: { select: { number: true, selfBilled: true, billingEntity: { select: ENTITY_ROW } } },
  items: { orderBy: OLDEST_FIRST, select: { amountCents: true, fee: FEE } },
} satisfies Prisma.CreditNoteSelect;

type NoteRow = Prisma.CreditNoteGetPayload<{ select: typeof NOTE_ROW }>;

// What was imported without a rate has 0 in its column.
const rateOf = ({ taxesRate }: Pick<NoteRow, 'taxesRate'>) => (taxesRate.isZero() ? null : taxesRate.toFixed());

function itemOf({ fee, amountCents }: NoteRow['items'][number], note: NoteRow): CreditedItem {
  const zone = shownZone(note.customer);
  const dayOf = (moment: Date | null | undefined) => (moment ? formatDate(localDate(moment.getTime(), zone)) : null);
  const { subscription } = fee ?? {};
  return {
    name: fee?.itemInvoiceDisplayName || fee?.itemName || note.invoice.number,
    otherNames: [fee?.itemName, fee?.itemCode],
    subscription: subscription
      ? subscription.name || subscription.plan.invoiceDisplayName || subscription.plan.name
      : null,
    fromDate: dayOf(fee?.fromDate),
    toDate: dayOf(fee?.toDate),
    taxesRate: fee ? fee.taxesRate.toFixed() : rateOf(note),
    amountCents,
  };
}

/** The document of an organization's credit note; null where it has none with this identifier that is final. */
export async function readCreditNoteDocument(db: TenantClient, id: string): Promise<CreditNoteDocument | null> {
  const row = await db.creditNote.findFirst({ where: { id, status: 'finalized' }, select: NOTE_ROW });
  if (!row) return null;
  const { invoice, customer, items, issuingDate, ...members } = row;
  return {
    ...members,
    issuingDate: day(issuingDate),
    taxesRate: rateOf(row),
    documentLocale: customer.documentLocale,
    selfBilled: invoice.selfBilled,
    billingEntity: invoice.billingEntity,
    customer: customerOf(customer),
    invoiceNumber: invoice.number,
    items: items.map((item) => itemOf(item, row)),
  };
}
