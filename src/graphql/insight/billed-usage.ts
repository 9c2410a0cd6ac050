import { invalid } from '../../billing/errors.ts';
import type { BilledUsage, UsageScope } from '../../store/insight/analytics-usage.ts';
import { builder } from '../base/builder.ts';
import { currencyFields } from '../base/currency.ts';
import { enumRef } from '../base/enum.ts';

const Interval = builder.enumType('BilledUsageInterval', {
  description: 'Stretches of time that usage is added up in, in UTC.',
  values: {
    daily: { value: 'day', description: 'A day.' },
    weekly: { value: 'week', description: 'A week, from Monday.' },
    monthly: { value: 'month', description: 'A month.' },
  } as const,
});

export const BilledUsageFilter = builder.inputType('BilledUsageFilter', {
  description: 'Which usage is added up, and how.',
  fields: (t) => ({
    interval: t.field({ type: Interval, description: 'By what; by days unless said.' }),
    fromDate: t.field({
      type: 'Date',
      description: 'The first day; thirty days before the last one unless said. At most 1100 days.',
    }),
    toDate: t.field({ type: 'Date', description: 'The last day; today unless said.' }),
    customerType: t.field({ type: enumRef('CustomerType'), description: 'Only of customers of this kind.' }),
    customerCountry: t.field({ type: 'CountryCode', description: 'Only of customers in this country.' }),
    externalSubscriptionId: t.string({ description: 'Only of the subscription with this external identifier.' }),
    planCode: t.string({ description: 'Only of subscriptions of the plan with this code.' }),
    billableMetricCode: t.string({ description: 'Only of billable metrics with this code.' }),
    isBillableMetricRecurring: t.boolean({ description: 'Only of metrics that are recurring, or that are not.' }),
  }),
});

export const BilledUsageType = builder.objectRef<BilledUsage>('BilledUsage').implement({
  description: 'Usage of a billable metric that was billed in a stretch of time and currency.',
  fields: (t) => ({
    svcOrganizationId: t.field({
      type: 'UUID',
      description: 'The organization.',
      resolve: (_row, _args, { caller }) => caller.organizationId,
    }),
    startDate: t.field({ type: 'Date', description: 'The first day.', resolve: ({ fromDate }) => new Date(fromDate) }),
    endDate: t.field({ type: 'Date', description: 'The last day.', resolve: ({ toDate }) => new Date(toDate) }),
    billableMetricCode: t.exposeString('code', { description: 'Code of the billable metric.' }),
    isBillableMetricDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the metric is deleted.' }),
    ...currencyFields(t, 'Currency of the fees.'),
    amountCents: t.field({
      type: 'BigInt',
      description:
        'Fees without taxes, before coupons, in minor units. An exact sum, which may have more digits than 64 bits hold.',
      resolve: (row) => BigInt(row.amountCents),
    }),
    units: t.field({ type: 'Decimal', description: 'Units billed.', resolve: (row) => row.units }),
  }),
});

const DAY = 86_400_000;
const MOST_DAYS = 1100;

/** What is asked for. Throws a validation error where the days are not in order, or too many. */
export function usageScope(filter: typeof BilledUsageFilter.$inferInput | null | undefined, now: Date): UsageScope {
  const { interval, fromDate, toDate, ...given } = filter ?? {};
  const to = toDate ?? now;
  const from = fromDate ?? new Date(to.getTime() - 30 * DAY);
  if (from > to || to.getTime() - from.getTime() >= MOST_DAYS * DAY) {
    const limit = `not after the last day, and at most ${MOST_DAYS} days`;
    throw invalid({ from_date: ['value_is_out_of_range'] }, { from_date: { limit } });
  }
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const said = Object.entries(given).filter(([, value]) => value !== null && value !== '');
  const { customerCountry } = given;
  return {
    ...(Object.fromEntries(said) as Partial<UsageScope>),
    ...(customerCountry && { customerCountry: customerCountry.toUpperCase() }),
    ...{ fromDate: day(from), toDate: day(to), interval: interval ?? 'day' },
  };
}
