import { BILLABLE_METRICS } from '../../engine/catalogue/billable-metric.ts';
import { defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { resourceMutations } from '../write/resource.ts';
import { billableMetricFilter } from './catalogue-filter.ts';

defineNode('BillableMetricFilter', { resource: 'billable_metric' });

defineNode('BillableMetric', {
  filter: billableMetricFilter,
  resource: 'billable_metric',
  filled: { expression: '' },
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

resourceMutations(BILLABLE_METRICS, {
  deletion: 'The charges that price it end on all plans; fees and events stay, and its code is free again.',
});
