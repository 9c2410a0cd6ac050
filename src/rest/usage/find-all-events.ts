import { document } from '../document.ts';
import { pageMeta, pageNumber, pageSize } from '../page.ts';
import type { Route } from '../route.ts';
import { event } from './fragment.ts';

export const findAllEvents: Route = {
  method: 'GET',
  path: '/events',
  permission: 'event:read',
  operation: 'findAllEvents',
  document: document(
    `query findAllEvents(
      $page: Int = 1, $perPage: Int = 100, $externalSubscriptionId: String, $code: String,
      $timestampFromStartedAt: Boolean, $timestampFrom: DateTime, $timestampTo: DateTime
    ) {
      list: events(
        page: $page, perPage: $perPage, externalSubscriptionId: $externalSubscriptionId, code: $code,
        sinceStart: $timestampFromStartedAt, filter: { timestamp: { from: $timestampFrom, through: $timestampTo } },
        orderBy: { field: timestamp, direction: desc }
      ) {
        events: nodes { ...Event }
        meta { ...PageMeta }
      }
    }`,
    event,
    pageMeta,
  ),
  query: [
    ...['page', 'per_page', 'external_subscription_id', 'code'],
    ...['timestamp_from_started_at', 'timestamp_from', 'timestamp_to'],
  ],
  formFaults: { timestamp_from: 'invalid_date', timestamp_to: 'invalid_date' },
  variables: ({ query }) => {
    const sinceStart = query.timestamp_from_started_at;
    return {
      page: pageNumber(query.page),
      perPage: pageSize(query.per_page),
      externalSubscriptionId: query.external_subscription_id || undefined,
      code: query.code || undefined,
      timestampFromStartedAt: sinceStart === 'true' || (sinceStart === 'false' ? false : sinceStart || undefined),
      timestampFrom: query.timestamp_from || undefined,
      timestampTo: query.timestamp_to || undefined,
    };
  },
  answer: ['list'],
};
