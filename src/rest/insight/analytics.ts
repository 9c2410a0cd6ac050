import type { Route } from '../route.ts';
import { figure } from './figure.ts';
import { findAllUsages } from './find-all-usages.ts';

const MONEY = 'month amount_cents: amountCents currency';

/** The endpoints of figures. */
export const analyticsRoutes: readonly Route[] = [
  figure({
    ...{ operation: 'findAllGrossRevenues', path: 'gross_revenue', isOfCustomer: true },
    selection: `gross_revenues: grossRevenue { ${MONEY} invoices_count: invoicesCount }`,
  }),
  figure({
    ...{ operation: 'findAllInvoiceCollections', path: 'invoice_collection' },
    selection: `invoice_collections: invoiceCollection { ${MONEY} payment_status: paymentStatus invoices_count: invoicesCount }`,
  }),
  figure({
    ...{ operation: 'findAllInvoicedUsages', path: 'invoiced_usage' },
    selection: `invoiced_usages: invoicedUsageByBillableMetric { ${MONEY} code: billableMetricCode }`,
  }),
  figure({ operation: 'findAllMrrs', path: 'mrr', selection: `mrrs: monthlyRecurringRevenue { ${MONEY} }` }),
  figure({
    ...{ operation: 'findAllOverdueBalances', path: 'overdue_balance', isOfCustomer: true },
    selection: `overdue_balances: overdueBalances { ${MONEY} svc_invoice_ids: svcInvoiceIds }`,
  }),
  findAllUsages,
];
