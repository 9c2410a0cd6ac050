import { notFound } from '../../billing/errors.ts';
import { BY_CODE, OLDEST_FIRST } from '../../store/database/row-order.ts';
import { chosen, connection, defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { planFilter, withoutOverrides } from './plan-filter.ts';

const LIVE_OLDEST_FIRST = {
  where: { deletedAt: null },
  orderBy: OLDEST_FIRST,
};
const liveWithCode = ({ code }: { code: string }) => ({ where: { code, deletedAt: null } });

defineNode('MinimumCommitment', {
  resource: 'plan',
  omit: ['plan'],
  fields: (t) => ({ taxes: t.relation('taxes', { query: { orderBy: BY_CODE } }) }),
});

defineNode('UsageThreshold', { resource: 'plan', omit: ['plan'] });

defineNode('Plan', {
  filter: planFilter,
  resource: 'plan',
  fields: (t) => ({
    taxes: t.relation('taxes', { query: { orderBy: BY_CODE } }),
    charges: t.relation('charges', { query: LIVE_OLDEST_FIRST }),
    charge: chosen(t, 'charges', {
      type: 'Charge',
      description: 'The charge with this code.',
      args: codeArgs,
      query: liveWithCode,
      onMissing: () => notFound('charge'),
    }),
    fixedCharges: t.relation('fixedCharges', { query: LIVE_OLDEST_FIRST }),
    fixedCharge: chosen(t, 'fixedCharges', {
      type: 'FixedCharge',
      description: 'The fixed charge with this code.',
      args: codeArgs,
      query: liveWithCode,
      onMissing: () => notFound('fixed_charge'),
    }),
    usageThresholds: t.relation('usageThresholds', {
      query: { where: { deletedAt: null }, orderBy: [{ amountCents: 'asc' }, { id: 'asc' }] },
    }),
    subscriptions: connection(t, 'Plan', 'subscriptions', {
      model: 'Subscription',
      resource: 'subscription',
      foreignKey: 'planId',
    }),
  }),
});

lookup('plan', 'Plan', {
  resource: 'plan',
  description: 'A plan by its code. Overrides of subscriptions share the code of their plan and are not found here.',
  args: codeArgs,
  query: ({ code }) => ({ where: { code, deletedAt: null, parentId: null } }),
});

listing('plans', 'Plan', {
  resource: 'plan',
  description: 'Plans, without the overrides made for subscriptions.',
  where: withoutOverrides,
});
