import type { DocumentSettings } from '../../billing/customer/customer.ts';
import { redated } from '../../billing/invoice/date.ts';
import { formatDate, parseDate } from '../../billing/period/calendar.ts';
import type { Actor } from '../../store/access/audit.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import type { Prisma } from '../../store/generated/prisma/client.ts';
import { dateDrafts } from '../../store/invoice/draft-date.ts';
import type { Changed } from '../changed.ts';

const OWN = {
  invoiceGracePeriod: true,
  netPaymentTerm: true,
  subscriptionInvoiceIssuingDateAnchor: true,
  subscriptionInvoiceIssuingDateAdjustment: true,
} as const;

/** How documents are dated, by the names of the columns of customers and billing entities. */
type DateColumns = { readonly [N in keyof typeof OWN]: Prisma.CustomerGetPayload<{ select: typeof OWN }>[N] };

const settingsOf = (row: DateColumns): DocumentSettings => ({
  invoiceGracePeriod: row.invoiceGracePeriod,
  netPaymentTerm: row.netPaymentTerm,
  issuingDateAnchor: row.subscriptionInvoiceIssuingDateAnchor,
  issuingDateAdjustment: row.subscriptionInvoiceIssuingDateAdjustment,
});

const isSame = (one: DateColumns, other: DateColumns) =>
  (Object.keys(OWN) as (keyof DateColumns)[]).every((name) => one[name] === other[name]);

const day = (date: Date) => parseDate(date.toISOString().slice(0, 10));

/**
 * Dates the drafts of a billing entity anew, whose settings have changed; customers' own settings come before them. Drafts that
 * are due by now become final when drafts are finalized next. Says which ones have other dates.
 */
export async function redateDrafts(
  tx: TenantTransaction,
  actor: Actor,
  billingEntityId: string,
  before: DateColumns,
  after: DateColumns,
): Promise<Changed> {
  if (isSame(before, after)) return {};
  const drafts = await tx.invoice.findMany({
    where: { billingEntityId, status: 'draft', expectedFinalizationDate: { not: null } },
    select: {
      ...{ id: true, expectedFinalizationDate: true, customer: { select: OWN } },
      billingPeriods: { where: { invoicingReason: 'subscription_periodic' }, select: { id: true }, take: 1 },
    },
  });
  const dated = drafts.flatMap(({ id, expectedFinalizationDate, customer, billingPeriods }) => {
    if (!expectedFinalizationDate) return [];
    const draft = {
      expectedFinalizationDate: day(expectedFinalizationDate),
      periodic: billingPeriods.length > 0,
    };
    const dates = redated(draft, settingsOf(customer), settingsOf(before), settingsOf(after));
    return [
      {
        ...{ id, netPaymentTerm: dates.netPaymentTerm, issuingDate: formatDate(dates.issuingDate) },
        paymentDueDate: formatDate(dates.paymentDueDate),
        expectedFinalizationDate: formatDate(dates.expectedFinalizationDate),
      },
    ];
  });
  return { invoices: await dateDrafts(tx, actor, dated) };
}
