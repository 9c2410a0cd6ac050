import { document } from '../document.ts';
import { alert } from '../fragments.ts';
import type { Route } from '../route.ts';
import { BY_STATUS, subscriptionOf } from '../route-query.ts';
import { ALERTS, alertOf } from '../route-subscription.ts';

const { all, one, ofSubscription, ofAlert, named, found } = ALERTS;
const WRITE = 'subscription:write';

/** The endpoints that change and delete the alerts on a subscription. */
export const subscriptionAlertWrites: readonly Route[] = [
  {
    ...{ method: 'PUT', path: one, permission: WRITE, operation: 'updateSubscriptionAlert', root: 'alert' },
    document: document(
      `mutation updateSubscriptionAlert(${ofAlert}, $input: UpdateAlertInput!) {
        alert: updateSubscriptionAlert(${named}, code: $code, input: $input) { ...Alert }
      }`,
      alert,
    ),
    lookup: document(`query look(${ofAlert}) { ${found} { svcId } }`),
    ...{ ...BY_STATUS, looksUp: alertOf },
    variables: (request) => ({ ...alertOf(request), input: request.body }),
  },
  {
    ...{ method: 'DELETE', path: one, permission: WRITE, operation: 'deleteSubscriptionAlert' },
    document: document(
      `mutation deleteSubscriptionAlert(${ofAlert}) {
        alert: destroySubscriptionAlert(${named}, code: $code) { ...Alert }
      }`,
      alert,
    ),
    ...BY_STATUS,
    variables: alertOf,
  },
  {
    ...{ method: 'DELETE', path: all, permission: WRITE, operation: 'deleteAllSubscriptionAlerts', empty: true },
    document: document(
      `mutation deleteAllSubscriptionAlerts(${ofSubscription}) {
        subscription: destroySubscriptionAlerts(${named}) { svcId }
      }`,
    ),
    ...BY_STATUS,
    variables: subscriptionOf,
  },
];
