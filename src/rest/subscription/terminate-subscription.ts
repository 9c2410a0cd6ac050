import { document } from '../document.ts';
import { subscription } from '../fragments.ts';
import type { Route } from '../route.ts';

export const terminateSubscription: Route = {
  ...{ method: 'DELETE', path: '/subscriptions/{external_id}', permission: 'subscription:write' },
  operation: 'destroySubscription',
  document: document(
    `mutation destroySubscription($externalId: String!, $status: LiveSubscriptionStatus = active,
      $onTerminationCreditNote: OnTerminationCreditNote, $onTerminationInvoice: OnTerminationInvoice) {
      subscription: terminateSubscription(externalId: $externalId, status: $status,
        onTerminationCreditNote: $onTerminationCreditNote, onTerminationInvoice: $onTerminationInvoice) { ...Subscription }
    }`,
    subscription,
  ),
  query: ['status', 'on_termination_credit_note', 'on_termination_invoice'],
  formFaults: { on_termination_credit_note: 'invalid_value', on_termination_invoice: 'invalid_value' },
  variables: ({ params, query }) => ({
    ...{ externalId: params.external_id, status: query.status || undefined },
    onTerminationCreditNote: query.on_termination_credit_note || undefined,
    onTerminationInvoice: query.on_termination_invoice || undefined,
  }),
};
