import { invalid } from '../../billing/errors.ts';
import type { AnalyticsScope } from '../../store/insight/analytics.ts';
import { receivables, walletBalances } from '../../store/insight/analytics-balance.ts';
import { invoiceCollection, invoicedUsageByMetric, overdueBalances } from '../../store/insight/analytics-month.ts';
import { recurringRevenue } from '../../store/insight/analytics-recurring.ts';
import { grossRevenue, invoicedUsage } from '../../store/insight/analytics-revenue.ts';
import { billedUsage } from '../../store/insight/analytics-usage.ts';
import { builder } from '../base/builder.ts';
import { requirePermission } from '../base/guard.ts';
import type { Context, Resource } from '../context.ts';
import { MonthlyCollectionType, MonthlyMetricUsageType, MonthlyOverdueType } from './analytics-month-type.ts';
import {
  MonthlyRevenueType,
  MonthlyUsageType,
  ReceivableType,
  RecurringRevenueType,
  WalletBalanceType,
} from './analytics-type.ts';
import { BilledUsageFilter, BilledUsageType, usageScope } from './billed-usage.ts';
import { MetricRevenueType, metricRevenues, PlanRevenueType, planRevenues } from './revenue-type.ts';

interface AnalyticsArgs {
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
  readonly months?: number | null | undefined;
  readonly currency?: string | null | undefined;
  readonly externalCustomerId?: string | null | undefined;
  readonly billingEntityCode?: string | null | undefined;
}

const MOST_MONTHS = 120;
const DEFAULT_MONTHS = 12;

/** Months since the year 0, so that they can be counted. */
const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
const firstDayOf = (month: number) =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;

/** The months that are meant: the twelve that end with this one, unless others are given. Throws validation errors. */
function scopeOf(args: AnalyticsArgs, organizationId: string, now: Date): AnalyticsScope {
  const to = monthOf(args.to ?? now);
  const last = args.months == null ? DEFAULT_MONTHS : Math.min(Math.max(args.months, 1), MOST_MONTHS);
  const from = args.from ? monthOf(args.from) : Math.max(to - last + 1, 12);
  if (from > to || to - from >= MOST_MONTHS) {
    const limit = `not after \`to\`, and at most ${MOST_MONTHS} months`;
    throw invalid({ from: ['value_is_out_of_range'] }, { from: { limit } });
  }
  return {
    organizationId,
    now,
    from: firstDayOf(from),
    to: firstDayOf(to),
    currency: args.currency?.toUpperCase() || undefined,
    externalCustomerId: args.externalCustomerId || undefined,
    billingEntityCode: args.billingEntityCode ?? undefined,
  };
}

const MOST_ROWS = 100;

function readFirst(first: number | null | undefined): number {
  if (first == null) return 20;
  if (first < 0 || first > MOST_ROWS) {
    throw invalid({ first: ['value_is_out_of_range'] }, { first: { limit: `0 to ${MOST_ROWS}` } });
  }
  return first;
}

/** Sums over everybody are figures; those of one customer are that customer's rows, for keys that may read these. */
function figuresOf(context: Context, { externalCustomerId }: AnalyticsScope, ...summed: Resource[]): Context['db'] {
  if (externalCustomerId !== undefined) for (const resource of summed) requirePermission(context, `${resource}:read`);
  return context.db;
}

const rankArgs = builder.args((t) => ({
  first: t.int({ description: 'How many to read, the greatest amounts first; 20 by default, at most 100.' }),
}));

const Analytics = builder.objectRef<AnalyticsScope>('Analytics').implement({
  description: 'Figures of a billing dashboard. Each field is read by one statement when it is asked for.',
  extensions: { resource: 'analytic' },
  fields: (t) => ({
    grossRevenue: t.field({
      type: [MonthlyRevenueType],
      description:
        'Revenue per month of issue and currency: the totals with taxes of invoices that are final, not self-billed and not ' +
        'lost in a dispute. Prepaid credits count when they are bought; refunds are not taken off.',
      resolve: (scope, _args, context) => grossRevenue(figuresOf(context, scope, 'invoice'), scope),
    }),
    invoicedUsage: t.field({
      type: [MonthlyUsageType],
      description: 'Usage on the invoices of gross revenue, per month of issue and currency.',
      resolve: (scope, _args, context) => invoicedUsage(figuresOf(context, scope, 'fee'), scope),
    }),
    invoicedUsageByBillableMetric: t.field({
      type: [MonthlyMetricUsageType],
      description:
        'Usage on the invoices of gross revenue by billable metric, per month of issue and currency: the newest month first, in it the greatest amounts.',
      resolve: (scope, _args, context) => invoicedUsageByMetric(figuresOf(context, scope, 'fee'), scope),
    }),
    billedUsage: t.field({
      type: [BilledUsageType],
      description:
        'Usage that was billed, on final invoices or at its event, by the days, weeks or months that its period ended in, by billable metric and ' +
        'currency. Not narrowed to months.',
      args: { filter: t.arg({ type: BilledUsageFilter, description: 'Which usage is added up, and how.' }) },
      resolve: (scope, { filter }, context) =>
        billedUsage(figuresOf(context, scope, 'fee'), scope, usageScope(filter, context.now)),
    }),
    invoiceCollection: t.field({
      type: [MonthlyCollectionType],
      description:
        'Totals of the invoices of gross revenue by the state of their payment, per month of issue and currency.',
      resolve: (scope, _args, context) => invoiceCollection(figuresOf(context, scope, 'invoice'), scope),
    }),
    overdueBalances: t.field({
      type: [MonthlyOverdueType],
      description: 'What is overdue now of the invoices of gross revenue, per month in which it was due, and currency.',
      resolve: (scope, _args, context) => overdueBalances(figuresOf(context, scope, 'invoice'), scope),
    }),
    monthlyRecurringRevenue: t.field({
      type: [RecurringRevenueType],
      description:
        'Recurring revenue (MRR) per month and currency: the present plan amounts of the subscriptions that were active, and past ' +
        'their trial, when the month ended in UTC (now, in the month that has not ended), brought to a year (weekly 52 times, ' +
        'monthly 12, quarterly 4, semiannual 2, yearly once) and divided by 12. Usage, fixed charges, minimum commitments, ' +
        'coupons and taxes are not part of it. Months to come have no figure.',
      resolve: (scope, _args, context) => recurringRevenue(figuresOf(context, scope, 'subscription', 'plan'), scope),
    }),
    revenueByPlan: t.field({
      type: [PlanRevenueType],
      description:
        "Fees of plans' subscriptions on the invoices of gross revenue, of every type (usage and fixed charges too), by plan and " +
        'currency, and by month; overrides count for their plan.',
      args: rankArgs,
      resolve: (scope, { first }, context) => planRevenues(figuresOf(context, scope, 'fee'), scope, readFirst(first)),
    }),
    revenueByBillableMetric: t.field({
      type: [MetricRevenueType],
      description: 'Fees for usage on the invoices of gross revenue by billable metric and currency, and by month.',
      args: rankArgs,
      resolve: (scope, { first }, context) => metricRevenues(figuresOf(context, scope, 'fee'), scope, readFirst(first)),
    }),
    receivables: t.field({
      type: [ReceivableType],
      description:
        'What is outstanding and what is overdue now, per currency, of the invoices of gross revenue of all months: totals less ' +
        'payments and less what credit notes were offset against. Not narrowed to months.',
      resolve: (scope, _args, context) => receivables(figuresOf(context, scope, 'invoice'), scope),
    }),
    walletBalances: t.field({
      type: [WalletBalanceType],
      description: 'What active wallets hold now, per currency. Not narrowed to months.',
      resolve: (scope, _args, context) => walletBalances(figuresOf(context, scope, 'wallet'), scope),
    }),
  }),
});

builder.queryField('analytics', (t) =>
  t.field({
    type: Analytics,
    description:
      'Figures of a billing dashboard. Months of invoices are those of their issuing dates, which are dates in the time zone ' +
      'that the invoice was issued in; months of subscriptions are months in UTC.',
    args: {
      from: t.arg({
        type: 'Date',
        description: 'Any day of the first month; by default eleven months before the last one. At most 120 months.',
      }),
      to: t.arg({ type: 'Date', description: 'Any day of the last month; by default this month.' }),
      months: t.arg.int({
        description:
          'How many months, the last one included, where `from` is not given: 1 to 120, other numbers as the nearest of these; 12 by default.',
      }),
      currency: t.arg.string({ description: 'Only this currency.' }),
      externalCustomerId: t.arg.string({
        description: 'Only the customer with this external identifier; for keys that may read what is summed.',
      }),
      billingEntityCode: t.arg.string({ description: 'Only the billing entity with this code.' }),
    },
    extensions: { permission: 'analytic:read' },
    resolve: (_root, args, { caller, now }: Context) => scopeOf(args, caller.organizationId, now),
  }),
);
