import { document } from '../document.ts';
import { alert } from '../fragments.ts';
import type { Route } from '../route.ts';
import { BY_STATUS, subscriptionLookup, subscriptionOf } from '../route-query.ts';
import { ALERTS } from '../route-subscription.ts';

const { all, ofSubscription, named } = ALERTS;

/** Makes an alert, or several of a list. */
export const createSubscriptionAlert: Route = {
  ...{ method: 'POST', path: all, permission: 'subscription:write', operation: 'createSubscriptionAlert' },
  root: 'alert',
  document: document(
    `mutation createSubscriptionAlert(${ofSubscription}, $input: CreateAlertInput!) {
      alert: createSubscriptionAlert(${named}, input: $input) { ...Alert }
    }`,
    alert,
  ),
  batch: {
    list: 'alerts',
    document: document(
      `mutation createSubscriptionAlerts(${ofSubscription}, $alerts: [CreateAlertInput!]!) {
        alerts: createSubscriptionAlerts(${named}, inputs: $alerts) { ...Alert }
      }`,
      alert,
    ),
    variables: (request) => ({
      ...subscriptionOf(request),
      alerts: (request.body as { alerts?: unknown }).alerts,
    }),
  },
  ...{ ...BY_STATUS, lookup: subscriptionLookup, looksUp: subscriptionOf },
  formFaults: { alert_type: 'invalid_type' },
  variables: (request) => ({ ...subscriptionOf(request), input: request.body }),
};
