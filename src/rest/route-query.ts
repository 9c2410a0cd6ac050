import { document } from './document.ts';
import type { RouteRequest } from './route.ts';

type Sent = RouteRequest['query'][string];

/** Without a value nothing is asked. */
export const listed = (sent: Sent) => (Array.isArray(sent) && sent.length > 0 ? sent : undefined);
export const said = (sent: Sent) => (sent === '' ? undefined : sent);

/** What a body calls the object that it is about. None has an empty name. */
export function nameIn(body: unknown, member: string): string {
  const name = (body as Readonly<Record<string, unknown>> | undefined)?.[member];
  return typeof name === 'string' || typeof name === 'number' ? String(name) : '';
}

/** Looks the customer of the path up. */
export const customerLookup = document(
  'query findCustomer($externalCustomerId: String!) { customer(externalId: $externalCustomerId) { svcId } }',
);

/** Of a subscription: the state that is meant, by its name or the one that the reference has too. */
export const BY_STATUS = {
  query: ['subscription_status'],
  queryAliases: { status: 'subscription_status' },
} as const;

/** The subscription of the path. An empty state is that of no subscription, and no subscription has an empty name. */
export const subscriptionOf = ({ params, query }: RouteRequest) => ({
  externalId: query.subscription_status === '' ? '' : params.external_id,
  status: query.subscription_status || undefined,
});

/** Looks the subscription of the path up. */
export const subscriptionLookup = document(
  `query findSubscription($externalId: String!, $status: SubscriptionStatus = active) {
    subscription(externalId: $externalId, status: $status) { svcId }
  }`,
);

const TRUE = ['true', '1', 't', 'yes', 'y', 'on'];
const FALSE = ['false', '0', 'f', 'no', 'n', 'off'];

/** True or false of the query as clients of the reference write it; any other text stays as it is and fits nothing. */
export function looseBoolean(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  const small = text.toLowerCase();
  return TRUE.includes(small) || (!FALSE.includes(small) && text);
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A list that is written as JSON; what is none stays as it is and fits nothing. */
export const jsonList = parsed;

const isValue = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** Values by names, written as JSON, as keys with lists of values; other values fit nothing, so that the fault names the parameter. */
export function keysWithValues(text: unknown): unknown {
  const members = parsed(text);
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return members;
  const keys = Object.entries(members).map(([key, values]) => ({ key, values: [values].flat() }));
  return keys.every(({ values }) => values.every(isValue)) ? keys : text;
}

/** Pairs written as JSON, or as `metadata[tier]=gold`; of several of a key the last. */
export function pairs(sent: Sent) {
  const read = keysWithValues(sent);
  return Array.isArray(read) ? read.map(({ key, values }) => ({ key, value: values.at(-1) })) : read;
}

/** Names that clients of the reference send. */
export const FORMER_NAMES = {
  ...{ filter_by_charge_id: 'charge_id', filter_by_charge_code: 'charge_code', filter_by_group: 'group' },
  ...{ filter_by_metric_code: 'billable_metric_code', filter_by_billable_metric_code: 'billable_metric_code' },
};
