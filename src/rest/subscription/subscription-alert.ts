import { document } from '../document.ts';
import { alert } from '../fragments.ts';
import { pageMeta, pageOf } from '../page.ts';
import type { Route } from '../route.ts';
import { BY_STATUS, subscriptionOf } from '../route-query.ts';
import { ALERTS, alertOf, BY_STATUS_AND_PAGE } from '../route-subscription.ts';

const { all, one, ofSubscription, ofAlert, found } = ALERTS;

/** The endpoints that read the alerts on a subscription. */
export const subscriptionAlertReads: readonly Route[] = [
  {
    ...{ method: 'GET', path: all, permission: 'subscription:read', operation: 'getSubscriptionAlerts' },
    document: document(
      `query getSubscriptionAlerts(${ofSubscription}, $page: Int = 1, $perPage: Int = 100) {
        subscription(externalId: $externalId, status: $status) { svcId }
        list: alerts(page: $page, perPage: $perPage, filter: { externalSubscriptionId: [$externalId] }) {
          alerts: nodes { ...Alert }
          meta { ...PageMeta }
        }
      }`,
      alert,
      pageMeta,
    ),
    ...BY_STATUS_AND_PAGE,
    variables: (request) => ({ ...subscriptionOf(request), ...pageOf(request.query) }),
    answer: ['list'],
  },
  {
    ...{ method: 'GET', path: one, permission: 'subscription:read', operation: 'getSubscriptionAlert' },
    document: document(`query getSubscriptionAlert(${ofAlert}) { alert: ${found} { ...Alert } }`, alert),
    ...BY_STATUS,
    variables: alertOf,
  },
];
