import { document } from '../document.ts';
import { subscription } from '../fragments.ts';
import type { Route, RouteRequest } from '../route.ts';

const MEMBERS = ['status', 'on_termination_credit_note', 'on_termination_invoice'] as const;

/** What the query says, else the body; nothing is said by an empty value. */
function sent({ query, body }: RouteRequest): Partial<Record<(typeof MEMBERS)[number], unknown>> {
  const members = (body ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(MEMBERS.map((name) => [name, query[name] || (members[name] ?? undefined) || undefined]));
}

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
  query: [...MEMBERS],
  body: true,
  lookup: document(
    `query look($externalId: String!, $status: SubscriptionStatus = active) {
      subscription(externalId: $externalId, status: $status) { svcId }
    }`,
  ),
  looksUp: (request) => ({ externalId: request.params.external_id, status: sent(request).status }),
  formFaults: { on_termination_credit_note: 'invalid_value', on_termination_invoice: 'invalid_value' },
  variables: (request) => {
    const { status, on_termination_credit_note, on_termination_invoice } = sent(request);
    return {
      ...{ externalId: request.params.external_id, status },
      ...{ onTerminationCreditNote: on_termination_credit_note, onTerminationInvoice: on_termination_invoice },
    };
  },
};
