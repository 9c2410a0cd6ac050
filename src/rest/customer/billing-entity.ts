import { billingEntity } from '../fragments.ts';
import { resourceRoutes } from '../route-table.ts';

/** The endpoints of billing entities. */
export const billingEntityRoutes = resourceRoutes({
  ...{ type: 'BillingEntity', path: '/billing_entities', fragment: billingEntity },
  operations: { list: 'listBillingEntities', find: 'getBillingEntity' },
  orderBy: 'created_at',
  ...{ isWhole: true, isKept: true, isBare: true },
});
