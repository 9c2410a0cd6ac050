import { ADD_ONS } from '../../engine/catalogue/add-on.ts';
import { PRICING_UNITS } from '../../engine/catalogue/pricing-unit.ts';
import { BY_CODE } from '../../store/database/row-order.ts';
import { defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { resourceMutations } from '../write/resource.ts';
import { addOnFilter, pricingUnitFilter } from './catalogue-filter.ts';

defineNode('AddOn', {
  filter: addOnFilter,
  resource: 'add_on',
  fields: (t) => ({ taxes: t.relation('taxes', { query: { orderBy: BY_CODE } }) }),
});

defineNode('PricingUnit', { filter: pricingUnitFilter, resource: 'pricing_unit' });

lookup('addOn', 'AddOn', {
  resource: 'add_on',
  description: 'An add-on by its code.',
  args: codeArgs,
  query: ({ code }) => ({ where: { code, deletedAt: null } }),
});

listing('addOns', 'AddOn', { resource: 'add_on', description: 'Add-ons.' });

resourceMutations(ADD_ONS, {
  deletion: 'The fixed charges that price it end on all plans; fees keep it, and its code is free again.',
});

lookup('pricingUnit', 'PricingUnit', {
  resource: 'pricing_unit',
  description: 'A pricing unit by its code.',
  args: codeArgs,
  query: ({ code }) => ({ where: { code } }),
});

listing('pricingUnits', 'PricingUnit', {
  resource: 'pricing_unit',
  description: 'Pricing units.',
});

resourceMutations(PRICING_UNITS, {});
