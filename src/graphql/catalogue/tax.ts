import { TAXES } from '../../engine/catalogue/tax.ts';
import { defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { resourceMutations } from '../write/resource.ts';
import { taxFilter } from './catalogue-filter.ts';

defineNode('Tax', { filter: taxFilter, resource: 'tax' });

lookup('tax', 'Tax', {
  resource: 'tax',
  description: 'A tax by its code.',
  args: codeArgs,
  query: ({ code }) => ({ where: { code, deletedAt: null } }),
});

listing('taxes', 'Tax', { resource: 'tax', description: 'Taxes.' });

resourceMutations(TAXES, {
  deletion: 'What it is applied to has it no longer; issued documents keep it, and its code is free again.',
});
