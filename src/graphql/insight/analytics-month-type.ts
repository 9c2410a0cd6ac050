import type { MonthlyCollection, MonthlyMetricUsage, MonthlyOverdue } from '../../store/insight/analytics-month.ts';
import { builder } from '../base/builder.ts';
import { currencyFields } from '../base/currency.ts';
import { enumRef } from '../base/enum.ts';
import { feesOf, firstDay } from './analytics-type.ts';

const WITHOUT_BOUND = 'An exact sum, which may have more digits than 64 bits hold.';

export const MonthlyCollectionType = builder.objectRef<MonthlyCollection>('MonthlyCollection').implement({
  description: 'What was invoiced in a month and currency, and is in one state of payment.',
  fields: (t) => ({
    month: t.field({ type: 'Date', description: 'First day of the month of issue.', resolve: firstDay }),
    paymentStatus: t.field({
      type: enumRef('InvoicePaymentStatus'),
      description: 'State of the payment.',
      resolve: ({ paymentStatus }) => paymentStatus,
    }),
    ...currencyFields(t, 'Currency of the invoices.'),
    amountCents: t.field({
      type: 'BigInt',
      description: `Totals with taxes, in minor units. ${WITHOUT_BOUND}`,
      resolve: (row) => BigInt(row.amountCents),
    }),
    invoicesCount: t.exposeInt('invoicesCount', { description: 'Number of invoices.' }),
  }),
});

export const MonthlyOverdueType = builder.objectRef<MonthlyOverdue>('MonthlyOverdue').implement({
  description: 'What is overdue now in a currency, of what was due in a month.',
  fields: (t) => ({
    month: t.field({ type: 'Date', description: 'First day of the month in which it was due.', resolve: firstDay }),
    ...currencyFields(t, 'Currency of the invoices.'),
    amountCents: t.field({
      type: 'BigInt',
      description: `What is still to be paid, in minor units. ${WITHOUT_BOUND}`,
      resolve: (row) => BigInt(row.amountCents),
    }),
    svcInvoiceIds: t.field({
      type: ['UUID'],
      description: 'The invoices, in the order in which they were due.',
      resolve: ({ invoiceIds }) => [...invoiceIds],
    }),
  }),
});

export const MonthlyMetricUsageType = builder.objectRef<MonthlyMetricUsage>('MonthlyMetricUsage').implement({
  description: 'Usage of a billable metric that was invoiced in a month and currency.',
  fields: (t) => ({
    month: t.field({ type: 'Date', description: 'First day of the month of issue.', resolve: firstDay }),
    billableMetricCode: t.exposeString('code', { description: 'Code of the billable metric.' }),
    ...feesOf(t),
  }),
});
