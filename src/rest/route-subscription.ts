import { camelCase, snakeCase } from '../billing/name-case.ts';
import { document } from './document.ts';
import { PAGE, pageMeta, pageOf } from './page.ts';
import type { Route, RouteRequest } from './route.ts';
import { BY_STATUS, subscriptionOf } from './route-query.ts';

interface Price {
  readonly type: 'Charge' | 'FixedCharge';
  readonly fragment: string;
}

const SUBSCRIPTION = '$externalId: String!, $status: SubscriptionStatus = active';

/** A query of a subscription that may be one of several of its name. */
export const BY_STATUS_AND_PAGE = { ...BY_STATUS, query: [...BY_STATUS.query, ...PAGE] } as const;

/** The endpoints that list, read and change the prices that a subscription has. */
export function subscriptionPrices({ type, fragment }: Price): { list: Route; find: Route; override: Route } {
  const name = snakeCase(type);
  const field = camelCase(name);
  const path = `/subscriptions/{external_id}/${name}s`;
  const one = `${path}/{${name}_code}`;
  const find = (query: string, shown: string) =>
    `query ${query}(${SUBSCRIPTION}, $${field}Code: String!) {
      subscription(externalId: $externalId, status: $status) { ${name}: ${field}(code: $${field}Code) { ${shown} } }
    }`;
  const named = (request: RouteRequest) => ({
    ...subscriptionOf(request),
    [`${field}Code`]: request.params[`${name}_code`],
  });
  return {
    list: {
      ...{ method: 'GET', path, permission: 'subscription:read', operation: `findAllSubscription${type}s` },
      document: document(
        `query findAllSubscription${type}s(${SUBSCRIPTION}, $page: Int = 1, $perPage: Int = 100) {
          subscription(externalId: $externalId, status: $status) {
            plan {
              list: ${field}sConnection(page: $page, perPage: $perPage, orderBy: { field: created_at, direction: asc }) {
                ${name}s: nodes { ...${type} }
                meta { ...PageMeta }
              }
            }
          }
        }`,
        fragment,
        pageMeta,
      ),
      ...BY_STATUS_AND_PAGE,
      variables: (request) => ({ ...subscriptionOf(request), ...pageOf(request.query) }),
      answer: ['subscription', 'plan', 'list'],
    },
    find: {
      ...{ method: 'GET', path: one, permission: 'subscription:read', operation: `findSubscription${type}` },
      document: document(find(`findSubscription${type}`, `...${type}`), fragment),
      ...BY_STATUS,
      variables: named,
      answer: ['subscription'],
    },
    override: {
      ...{ method: 'PUT', path: one, permission: 'subscription:write', operation: `overrideSubscription${type}` },
      root: name,
      document: document(
        `mutation overrideSubscription${type}(${SUBSCRIPTION}, $${field}Code: String!, $input: Subscription${type}Input!) {
          ${name}: updateSubscription${type}(
            externalSubscriptionId: $externalId, status: $status, ${field}Code: $${field}Code, input: $input
          ) { ...${type} }
        }`,
        fragment,
      ),
      lookup: document(find(`lookSubscription${type}`, 'svcId')),
      looksUp: named,
      ...BY_STATUS,
      variables: (request) => ({ ...named(request), input: request.body }),
    },
  };
}

/** Variables and arguments of documents about the filters of a charge that a subscription has. */
export const FILTERS = {
  all: '/subscriptions/{external_id}/charges/{charge_code}/filters',
  one: '/subscriptions/{external_id}/charges/{charge_code}/filters/{filter_id}',
  ofCharge: `${SUBSCRIPTION}, $chargeCode: String!`,
  ofFilter: `${SUBSCRIPTION}, $chargeCode: String!, $filterId: UUID!`,
  named: 'externalSubscriptionId: $externalId, status: $status, chargeCode: $chargeCode',
} as const;

/** What is asked of the charge. */
export const inCharge = (shown: string) =>
  `{ subscription(externalId: $externalId, status: $status) { charge(code: $chargeCode) { ${shown} } } }`;

export const chargeOf = (request: RouteRequest) => ({
  ...subscriptionOf(request),
  chargeCode: request.params.charge_code,
});

export const filterOf = (request: RouteRequest) => ({ ...chargeOf(request), filterId: request.params.filter_id });

const OF_SUBSCRIPTION = 'externalSubscriptionId: $externalId, status: $status';

/** Variables and arguments of documents about alerts on a subscription. */
export const ALERTS = {
  all: '/subscriptions/{external_id}/alerts',
  one: '/subscriptions/{external_id}/alerts/{code}',
  ofSubscription: SUBSCRIPTION,
  ofAlert: `${SUBSCRIPTION}, $code: String!`,
  named: OF_SUBSCRIPTION,
  found: `alert(${OF_SUBSCRIPTION}, code: $code)`,
} as const;

export const alertOf = (request: RouteRequest) => ({ ...subscriptionOf(request), code: request.params.code });
