import { charge, fixedCharge } from '../fragments.ts';
import type { Route } from '../route.ts';
import { subscriptionPrices } from '../route-subscription.ts';

const charges = subscriptionPrices({ type: 'Charge', fragment: charge });
const fixedCharges = subscriptionPrices({ type: 'FixedCharge', fragment: fixedCharge });

/** The endpoints of the prices that a subscription has; one charge is read by an endpoint of the specification. */
export const subscriptionPriceRoutes: readonly Route[] = [
  ...[charges.list, charges.override],
  ...[fixedCharges.list, fixedCharges.find, fixedCharges.override],
];
