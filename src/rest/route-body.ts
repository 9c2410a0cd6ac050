import type { Route } from './route.ts';

/** How bodies say features: values by the codes of privileges, by the codes of features. */
export const entitlementBody = {
  body: true,
  containers: { entitlements: 'object' },
  keyed: {
    entitlements: [
      ['feature_code', 'privileges'],
      ['privilege_code', 'value'],
    ],
  },
} as const satisfies Partial<Route>;
