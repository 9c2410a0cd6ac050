import { defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { taxFilter } from './catalogue-filter.ts';

defineNode('Tax', { filter: taxFilter, resource: 'tax' });

lookup('tax', 'Tax', {
  resource: 'tax',
  description: 'A tax by its code.',
  args: codeArgs,
  query: ({ code }) => ({ where: { code, deletedAt: null } }),
});

listing('taxes', 'Tax', { resource: 'tax', description: 'Taxes.' });
