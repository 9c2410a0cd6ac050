import type { GrownLine } from '../../billing/report/daily-usage.ts';
import { recordedLines } from '../../store/job/daily-usage.ts';
import { builder } from '../base/builder.ts';
import { KeyValue, keyValues } from '../base/key-value.ts';
import { dates, moments } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';
import { defineNode } from '../list/node.ts';

const DailyUsageLine = builder.objectRef<GrownLine>('DailyUsageLine').implement({
  description: 'What was used of a charge by the end of a day, by filter and group.',
  // They stand in the row of their record: no other is read for them.
  extensions: { resource: 'customer_usage', price: -1 },
  fields: (t) => ({
    svcChargeId: t.field({ type: 'UUID', description: 'Identifier of the charge.', resolve: (line) => line.chargeId }),
    chargeCode: t.exposeString('chargeCode', { description: 'Code of the charge.' }),
    billableMetricCode: t.exposeString('metricCode', { description: 'Code of the metric.' }),
    svcChargeFilterId: t.field({
      type: 'UUID',
      nullable: true,
      description: 'Identifier of the filter of the charge; null for what no filter matches.',
      resolve: (line) => line.filterId,
    }),
    groupValues: t.field({
      type: [KeyValue],
      description: 'Values of the pricing group keys.',
      extensions: { price: -1 },
      resolve: (line) => keyValues(line.groupedBy),
    }),
    units: t.field({
      type: 'Decimal',
      description: 'Units since the start of the period.',
      resolve: (line) => line.units,
    }),
    eventsCount: t.exposeInt('eventsCount', { description: 'Events since the start of the period.' }),
    amountCents: t.field({
      type: 'BigInt',
      description: 'What they come to without taxes, in minor units.',
      resolve: (line) => line.amountCents,
    }),
    addedUnits: t.field({
      type: 'Decimal',
      description: 'How many more that are than in the record before it of the same period.',
      resolve: (line) => line.addedUnits,
    }),
    addedEventsCount: t.exposeInt('addedEventsCount', { description: 'The same of events.' }),
    addedAmountCents: t.field({
      type: 'BigInt',
      description: 'The same of the amount, in minor units.',
      resolve: (line) => line.addedAmountCents,
    }),
  }),
});

defineNode('DailyUsage', {
  filter: listFilter('DailyUsage', {
    conditions: {
      usageDate: dates('usageDate', 'Only of these days.'),
      createdAt: moments('createdAt', 'Only records created in this time.'),
    },
    orders: ['usageDate'],
  }),
  resource: 'customer_usage',
  omit: ['subscription', 'lines'],
  fields: (t) => ({
    lines: t.field({
      type: [DailyUsageLine],
      description: 'The same by charge, filter and group.',
      select: { lines: true },
      resolve: ({ lines }) => recordedLines(lines),
    }),
  }),
});
