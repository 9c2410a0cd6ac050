import { document } from '../document.ts';
import { extendedSubscription, subscription } from '../fragments.ts';
import type { Route } from '../route.ts';

const WRITE = 'subscription:write';
const SHOWN = '...Subscription progressive_billing_disabled: progressiveBillingDisabled';
const formFaults = {
  ...{ on_termination_credit_note: 'invalid_value', on_termination_invoice: 'invalid_value' },
  ...{ ending_at: 'invalid_date', subscription_at: 'invalid_date', payment_method: 'invalid_payment_method' },
  ...{ activation_rules: 'invalid_format', timeout_hours: 'value_must_be_positive_or_zero' },
};

/** The endpoints that make and change subscriptions. */
export const subscriptionWrites: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/subscriptions', permission: WRITE, root: 'subscription' },
    operation: 'createSubscription',
    document: document(
      `mutation createSubscription($input: CreateSubscriptionInput!) {
        subscription: createSubscription(input: $input) { ...ExtendedSubscription }
      }`,
      extendedSubscription,
    ),
    formFaults,
    // An amount is authorized by a payment provider, and this gateway is connected to none.
    forbidden: { authorization: 'feature_not_available' },
    variables: ({ body }) => ({ input: body }),
  },
  {
    ...{ method: 'PUT', path: '/subscriptions/{external_id}', permission: WRITE, root: 'subscription' },
    operation: 'updateSubscription',
    document: document(
      `mutation updateSubscription($externalId: String!, $status: LiveSubscriptionStatus, $input: UpdateSubscriptionInput!) {
        subscription: updateSubscription(externalId: $externalId, status: $status, input: $input) { ${SHOWN} }
      }`,
      subscription,
    ),
    lookup: document(
      `query look($externalId: String!, $status: SubscriptionStatus) { subscription(externalId: $externalId, status: $status) { svcId } }`,
    ),
    looksUp: ({ params, query }) => ({ externalId: params.external_id, status: query.status || null }),
    query: ['status'],
    formFaults,
    variables: ({ params, query, body }) => ({
      ...{ externalId: params.external_id, status: query.status || null, input: body },
    }),
  },
];
