import { anyOf, anyText, everOfCustomer, moments, needing, ofBillingEntity, ofCustomer } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';
import { search } from '../list/search.ts';

/** How lists of subscriptions are narrowed and ordered. */
export const subscriptionFilter = listFilter('Subscription', {
  renamed: { billingEntityCodes: 'billingEntityCode' },
  conditions: {
    status: anyOf('SubscriptionStatus', 'status', 'Only subscriptions in one of these states.'),
    planCode: anyText('plan.code', 'Only subscriptions of plans with one of these codes, or of overrides of them.'),
    externalCustomerId: anyText(ofCustomer, 'Only subscriptions of customers with one of these external identifiers.'),
    everExternalCustomerId: everOfCustomer('subscriptions'),
    planAmountCurrency: needing(
      'plan',
      anyText('plan.amountCurrency', 'Only subscriptions of plans in one of these currencies.'),
    ),
    externalId: anyText('externalId', 'Only subscriptions with one of these external identifiers.'),
    billingTime: anyOf('BillingTime', 'billingTime', 'Only subscriptions billed at one of these times.'),
    billingEntityCode: anyText(
      ofBillingEntity,
      "Only subscriptions billed by one of the entities with these codes: their own, else the customer's.",
    ),
    startedAt: moments('startedAt', 'Only subscriptions that started in this time.'),
    terminatedAt: moments('terminatedAt', 'Only subscriptions terminated in this time.'),
    search: search(
      'Words in the external identifier or the name, or in what lists of customers and of plans find its customer and its plan by.',
      ['customer', 'plan'],
    ),
  },
  orders: ['subscriptionAt', 'startedAt', 'endingAt', 'externalId'],
});
