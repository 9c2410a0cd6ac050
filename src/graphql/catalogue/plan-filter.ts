import { anyOf, anyText, either, flag, needing } from '../list/condition.ts';
import { type ListArgs, listFilter } from '../list/list-filter.ts';
import { search } from '../list/search.ts';

/** How lists of plans are narrowed and ordered. */
export const planFilter = listFilter('Plan', {
  conditions: {
    code: anyText('code', 'Only plans with one of these codes.'),
    interval: anyOf('PlanInterval', 'interval', 'Only plans with one of these billing periods.'),
    currency: anyText('amountCurrency', 'Only plans in one of these currencies.'),
    payInAdvance: flag('payInAdvance', 'Only plans paid in advance, or only the others.'),
    hasOverrides: needing(
      'subscription',
      either(
        'Only plans that subscriptions have overrides of, or only those without.',
        { children: { some: { deletedAt: null } } },
        { children: { none: { deletedAt: null } } },
      ),
    ),
    // Their prices and names are what was agreed with single customers.
    includeOverrides: needing(
      'subscription',
      either('Whether overrides made for subscriptions are listed too; false by default.', {}, {}),
    ),
    search: search('Words in the code or a name.'),
  },
  orders: ['code', 'name'],
  moneyOrders: ['amountCents'],
});

/** Overrides share the code of their plan; they are listed only where they are asked for. */
export const withoutOverrides = ({ filter }: ListArgs) => (filter?.includeOverrides ? {} : { parentId: null });
