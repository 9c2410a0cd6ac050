import type { FieldRef } from '@pothos/core';
import { notFound } from '../../billing/errors.ts';
import type { CustomerAccount } from '../../billing/invoice/account.ts';
import { usageReport } from '../../billing/report/current-usage.ts';
import {
  type SeriesInterval,
  type SeriesPoint,
  seriesWindows,
  usageSeries,
} from '../../billing/report/usage-series.ts';
import { atOneMoment, type UsageMoment } from '../../store/account/used-subscription.ts';
import { builder, type Types } from '../base/builder.ts';
import { type Selecting, selectedField } from '../base/column.ts';
import type { Context } from '../context.ts';

const Interval = builder.enumType('UsageSeriesInterval', {
  description: 'How long a point of a series of usage is, in the time zone of the customer.',
  values: {
    hour: { description: 'An hour, counted from the begin of its day.' },
    day: { description: 'A day: of 23 or 25 hours where the clock changes.' },
    month: { description: 'A calendar month.' },
  } satisfies Record<SeriesInterval, object>,
});

const UsagePoint = builder.objectRef<SeriesPoint>('UsagePoint').implement({
  description: 'Usage of a stretch of time.',
  extensions: { resource: 'customer_usage', price: -1 },
  fields: (t) => ({
    fromDatetime: t.field({
      type: 'DateTime',
      description: 'Its first moment.',
      resolve: ({ from }) => new Date(from),
    }),
    toDatetime: t.field({ type: 'DateTime', description: 'Its last moment.', resolve: ({ to }) => new Date(to) }),
    units: t.field({
      type: 'Decimal',
      description:
        'Units of these events alone, before the rounding of the metric: a number, a sum, the largest or the last value, how many different values; of a weighted sum its mean level.',
      resolve: ({ units }) => units,
    }),
    eventsCount: t.exposeInt('eventsCount', { description: 'Number of events; of a unique count that of its units.' }),
  }),
});

const seriesArgs = builder.args((t) => ({
  chargeCode: t.string({ required: true, description: 'Code of the charge whose metric is meant.' }),
  interval: t.field({ type: Interval, defaultValue: 'day', description: 'How long a point is.' }),
  from: t.field({ type: 'DateTime', description: 'The first moment; the start of the period that runs without it.' }),
  to: t.field({ type: 'DateTime', description: 'The last moment, this one at most; this one without it.' }),
}));

interface SeriesArgs {
  readonly chargeCode: string;
  readonly interval?: SeriesInterval | null | undefined;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

const SUBSCRIPTION = { id: true, externalId: true, status: true };

/** Each point is a statement: there are few, and no event is loaded. Throws what `seriesWindows` throws, and for a charge that is not there. */
async function seriesOf(
  row: Readonly<Record<string, unknown>>,
  { chargeCode, interval, from, to }: SeriesArgs,
  { db, now, signal }: Context,
): Promise<SeriesPoint[] | null> {
  if (row.status !== 'active') return null;
  const read = async (moment: UsageMoment) => {
    const used = moment.used.find(({ subscription }) => subscription.id === row.id);
    const report = used && usageReport(used.account, used.subscription, { chargeCode }, now.getTime());
    const [charge] = report?.charges ?? [];
    if (!used || !report) return null;
    if (!charge) throw notFound('charge');
    const { period } = report;
    const range = { from: from?.getTime() ?? period.from, to: Math.min(to?.getTime() ?? now.getTime(), now.getTime()) };
    const windows = seriesWindows(range, interval ?? 'day', period.timezone);
    const points = ({ usage }: CustomerAccount) => usageSeries(report, charge, windows, usage);
    return points(await moment.answered(used, points));
  };
  return atOneMoment(db, [String(row.externalId)], read, signal);
}

/** Usage over time, as a field of a subscription. */
export const usageSeriesField = (t: Selecting): Record<string, FieldRef<Types>> => ({
  usageSeries: selectedField(t, {
    type: [UsagePoint],
    nullable: true,
    description:
      "Usage of a charge's metric hour by hour, day by day or month by month, for charts: at most a hundred points, those without usage too. Of counts and sums they add up to the usage of the whole. Null unless the subscription is active.",
    args: seriesArgs,
    extensions: { price: 100 },
    select: SUBSCRIPTION,
    resolve: (row, given, context) => seriesOf(row, given, context),
  }),
});
