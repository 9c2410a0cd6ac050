import { addOn, billableMetric, charge, coupon, fixedCharge, plan, tax } from '../fragments.ts';
import { priceRoutes } from '../route-price.ts';
import { metadataRoutes, resourceRoutes } from '../route-table.ts';

/** The endpoints of what an application sells and how it is taxed. */
export const catalogueRoutes = [
  ...resourceRoutes({ type: 'Tax', path: '/taxes', fragment: tax, orderBy: 'name' }),
  ...resourceRoutes({ type: 'AddOn', path: '/add_ons', fragment: addOn }),
  ...resourceRoutes({ type: 'BillableMetric', path: '/billable_metrics', fragment: billableMetric }),
  ...resourceRoutes({
    type: 'Coupon',
    path: '/coupons',
    fragment: coupon,
    formFaults: { expiration_at: 'invalid_date' },
    dependsOnState: true,
  }),
  ...resourceRoutes({ type: 'Plan', path: '/plans', fragment: plan }),
  ...metadataRoutes({ type: 'Plan', path: '/plans' }),
  ...priceRoutes({ type: 'Charge', fragment: charge }),
  ...priceRoutes({ type: 'FixedCharge', fragment: fixedCharge }),
];
