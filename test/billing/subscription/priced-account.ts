import { eventsInMemory } from '../../../src/billing/aggregate/usage-source.ts';
import type { PlanChargeInput } from '../../../src/billing/catalogue/plan.ts';
import type { SubscriptionInput } from '../../../src/billing/customer/subscription.ts';
import type { CustomerAccount } from '../../../src/billing/invoice/account.ts';
import { ZERO } from '../../../src/billing/money/decimal.ts';
import type { SubscriptionEvent } from '../../../src/billing/usage/usage.ts';

/** A subscription of a monthly plan with these charges, since a moment. */
export const subscriptionOf = (charges: readonly PlanChargeInput[], start: number): SubscriptionInput => ({
  ...{ id: 'sub', externalId: 'sub', stored: true, status: 'active', billingTime: 'calendar' },
  ...{ subscriptionAt: start, startedAt: start, createdAt: start },
  ...{ endingAt: null, terminatedAt: null, previousId: null, nextId: null },
  plan: {
    ...{ id: 'plan', code: 'plan', name: 'Plan', interval: 'monthly', amountCents: 0n, currency: 'EUR' },
    ...{ payInAdvance: false, trialDays: ZERO, billChargesMonthly: false, billFixedChargesMonthly: false },
    ...{ taxes: [], charges, fixedCharges: [], commitment: null, usageThresholds: [] },
  },
});

/** An account in Paris with these events. */
export function accountOf(subscription: SubscriptionInput, events: readonly SubscriptionEvent[]): CustomerAccount {
  return {
    customer: {
      id: 'c',
      externalId: 'c',
      stored: true,
      finalizeZeroAmountInvoice: 'inherit',
      taxes: [],
      timezone: 'Europe/Paris',
    },
    billingEntity: {
      ...{ id: 'e', code: 'e', name: 'E', finalizeZeroAmountInvoice: true, taxes: [] },
      ...{ documentNumbering: 'per_customer', documentNumberPrefix: 'E' },
    },
    ...{ subscriptions: [subscription], usage: eventsInMemory(events) },
    ...{ pastInvoices: [], coupons: [], creditNotes: [], wallets: [] },
  };
}
