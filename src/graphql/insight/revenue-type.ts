import DataLoader from 'dataloader';
import type { AnalyticsScope } from '../../store/insight/analytics.ts';
import {
  type Earner,
  METRICS,
  type MonthOfRevenue,
  monthsOfRevenue,
  PLANS,
  type RevenueOf,
  revenueBy,
} from '../../store/insight/analytics-revenue.ts';
import { builder, type Types } from '../base/builder.ts';
import { derivesFrom } from '../base/guard.ts';
import type { Context } from '../context.ts';
import { feesOf, firstDay } from './analytics-type.ts';

/** What a plan or a metric earned, with the months in which it did. */
type Revenue = RevenueOf & { months(): Promise<MonthOfRevenue[]> };

/** What earned most. Their months are read by one statement for all of them, when they are asked for. */
async function revenues(db: Context['db'], scope: AnalyticsScope, earner: Earner, most: number): Promise<Revenue[]> {
  const months = new DataLoader<string, MonthOfRevenue[]>(async (ids) => {
    const found = await monthsOfRevenue(db, scope, earner, ids);
    return ids.map((id) => found.filter((row) => row.id === id));
  });
  const rows = await revenueBy(db, scope, earner, most);
  return rows.map((row) => ({
    ...row,
    months: async () => (await months.load(row.id)).filter(({ currency }) => currency === row.currency),
  }));
}

export const planRevenues = (db: Context['db'], scope: AnalyticsScope, most: number) =>
  revenues(db, scope, PLANS, most);
export const metricRevenues = (db: Context['db'], scope: AnalyticsScope, most: number) =>
  revenues(db, scope, METRICS, most);

const MONTHS = 'by month of issue, the earliest first; months without fees are not listed.';

const month = (t: PothosSchemaTypes.ObjectFieldBuilder<Types, MonthOfRevenue>) =>
  t.field({ type: 'Date', description: 'First day of the month of issue.', resolve: firstDay });

const units = <Row extends RevenueOf | MonthOfRevenue>(t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>) =>
  t.field({ type: 'Decimal', description: 'Units invoiced.', resolve: (row) => row.units ?? '0' });

const PlanRevenueMonth = builder.objectRef<MonthOfRevenue>('PlanRevenueMonth').implement({
  description: 'What a plan earned in a month and currency.',
  fields: (t) => ({ month: month(t), ...feesOf(t) }),
});

const MetricRevenueMonth = builder.objectRef<MonthOfRevenue>('MetricRevenueMonth').implement({
  description: 'What the usage of a billable metric earned in a month and currency.',
  fields: (t) => ({ month: month(t), ...feesOf(t), units: units(t) }),
});

export const PlanRevenueType = builder.objectRef<Revenue>('PlanRevenue').implement({
  description: 'What a plan earned in a currency.',
  fields: (t) => ({
    planCode: t.exposeString('code', { description: 'Code of the plan.' }),
    planName: t.exposeString('name', { description: 'Name of the plan.', ...derivesFrom('plan') }),
    ...feesOf(t),
    months: t.field({
      type: [PlanRevenueMonth],
      description: `The same fees ${MONTHS}`,
      resolve: (row) => row.months(),
    }),
  }),
});

export const MetricRevenueType = builder.objectRef<Revenue>('MetricRevenue').implement({
  description: 'What the usage of a billable metric earned in a currency.',
  fields: (t) => ({
    billableMetricCode: t.exposeString('code', { description: 'Code of the metric.' }),
    billableMetricName: t.exposeString('name', {
      description: 'Name of the metric.',
      ...derivesFrom('billable_metric'),
    }),
    ...feesOf(t),
    units: units(t),
    months: t.field({
      type: [MetricRevenueMonth],
      description: `The same fees ${MONTHS}`,
      resolve: (row) => row.months(),
    }),
  }),
});
