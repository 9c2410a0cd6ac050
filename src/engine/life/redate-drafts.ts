import type { DocumentSettings } from '../../billing/customer/customer.ts';
import { redated } from '../../billing/invoice/date.ts';
import { formatDate, parseDate } from '../../billing/period/calendar.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import type { Prisma } from '../../store/generated/prisma/client.ts';
import { dateDrafts } from '../../store/invoice/draft-date.ts';
import { customersWithDueDrafts, dueDrafts } from '../../store/invoice/invoice-life.ts';
import { allChanged, type Changed } from '../changed.ts';
import { live, type Stage } from './live.ts';

const OWN = {
  invoiceGracePeriod: true,
  netPaymentTerm: true,
  subscriptionInvoiceIssuingDateAnchor: true,
  subscriptionInvoiceIssuingDateAdjustment: true,
} as const;

/** How documents are dated, by the names of the columns of customers and billing entities. */
type DateColumns = { readonly [N in keyof typeof OWN]: Prisma.CustomerGetPayload<{ select: typeof OWN }>[N] };

/** Whose settings have changed. Customers' own ones come before those of their entities. */
export type Dated = { readonly billingEntityId: string } | { readonly customerId: string };

const settingsOf = (row: DateColumns): DocumentSettings => ({
  invoiceGracePeriod: row.invoiceGracePeriod,
  netPaymentTerm: row.netPaymentTerm,
  issuingDateAnchor: row.subscriptionInvoiceIssuingDateAnchor,
  issuingDateAdjustment: row.subscriptionInvoiceIssuingDateAdjustment,
});

const isSame = (one: DateColumns, other: DateColumns) =>
  (Object.keys(OWN) as (keyof DateColumns)[]).every((name) => one[name] === other[name]);

const day = (date: Date) => parseDate(date.toISOString().slice(0, 10));

/** Gives drafts the dates that follow from other settings; says which ones had others. */
async function redate({ tx, actor }: Stage, whose: Dated, before: DateColumns, after: DateColumns): Promise<string[]> {
  const drafts = await tx.invoice.findMany({
    where: { ...whose, status: 'draft', expectedFinalizationDate: { not: null } },
    select: {
      ...{ id: true, expectedFinalizationDate: true, customer: { select: OWN }, billingEntity: { select: OWN } },
      billingPeriods: { where: { invoicingReason: 'subscription_periodic' }, select: { id: true }, take: 1 },
    },
  });
  const dated = drafts.flatMap(({ id, expectedFinalizationDate, customer, billingEntity, billingPeriods }) => {
    if (!expectedFinalizationDate) return [];
    const draft = { expectedFinalizationDate: day(expectedFinalizationDate), periodic: billingPeriods.length > 0 };
    const by = (changed: DateColumns) =>
      'customerId' in whose
        ? { customer: settingsOf(changed), entity: settingsOf(billingEntity) }
        : { customer: settingsOf(customer), entity: settingsOf(changed) };
    const dates = redated(draft, by(before), by(after));
    return [
      {
        ...{ id, netPaymentTerm: dates.netPaymentTerm, issuingDate: formatDate(dates.issuingDate) },
        paymentDueDate: formatDate(dates.paymentDueDate),
        expectedFinalizationDate: formatDate(dates.expectedFinalizationDate),
      },
    ];
  });
  return dateDrafts(tx, actor, dated);
}

/** Of so many customers drafts become final in the request that changes their days. */
const AT_ONCE = 25;

/** Makes drafts final whose days are over by now; of very many customers those that are left become so with the next run of what is due. */
async function finalizeDue(stage: Stage, whose: Dated): Promise<Changed> {
  const { tx, actor } = stage;
  const customers = await customersWithDueDrafts(tx, actor, whose, AT_ONCE);
  if (customers.length === 0) return {};
  await lockCustomers(tx, actor, customers);
  const changed: Changed[] = [];
  for (const { customerId, billingEntityId, externalIds, invoiceIds } of await dueDrafts(tx, actor, whose, customers)) {
    const steps = [{ at: actor.now.getTime(), do: 'finalize_drafts' as const, onlyDue: true }];
    changed.push(await live(stage, { customerId, billingEntityId, externalIds }, { steps, invoiceIds }));
  }
  return allChanged(changed);
}

/**
 * Dates the drafts of a customer or a billing entity anew whose settings have changed and are stored by now, and makes those final whose days
 * are over with them. Source: engine-money 2.5.
 */
export async function redateDrafts(
  stage: Stage,
  whose: Dated,
  before: DateColumns,
  after: DateColumns,
): Promise<Changed> {
  if (isSame(before, after)) return {};
  const invoices = await redate(stage, whose, before, after);
  return invoices.length === 0 ? {} : allChanged([{ invoices }, await finalizeDue(stage, whose)]);
}
