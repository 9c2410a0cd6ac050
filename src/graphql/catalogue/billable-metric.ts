import { defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { billableMetricFilter } from './catalogue-filter.ts';

defineNode('BillableMetricFilter', { resource: 'billable_metric' });

defineNode('BillableMetric', {
  filter: billableMetricFilter,
  resource: 'billable_metric',
  fields: (t) => ({
    filters: t.relation('filters', { query: { where: { deletedAt: null }, orderBy: [{ key: 'asc' }, { id: 'asc' }] } }),
  }),
});

lookup('billableMetric', 'BillableMetric', {
  resource: 'billable_metric',
  description: 'A billable metric by its code.',
  args: codeArgs,
  query: ({ code }) => ({ where: { code, deletedAt: null } }),
});

listing('billableMetrics', 'BillableMetric', {
  resource: 'billable_metric',
  description: 'Billable metrics.',
});
