import { createSubscription } from '../../engine/subscription/create-subscription.ts';
import { terminateSubscription } from '../../engine/subscription/terminate-subscription.ts';
import { updateSubscription } from '../../engine/subscription/update-subscription.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import { UsageThresholdInput } from '../catalogue/plan-input.ts';
import { inGivenForm } from '../catalogue/typed-input.ts';
import { actorOf, refusesIgnored } from '../context.ts';
import { CustomSectionChoiceInput } from '../customer/invoice-custom-section.ts';
import { PaymentMethodReferenceInput } from '../payment/payment-method.ts';
import { mutation } from '../write/mutation.ts';
import { ActivationRuleInput } from './activation-rule.ts';
import { PlanOverridesInput, withOverrides } from './override-input.ts';

const WaitingStatus = builder.enumType('LiveSubscriptionStatus', {
  description: 'Whether a subscription runs or waits.',
  values: {
    active: { description: 'It runs.' },
    pending: { description: 'It waits for its date, or to follow another one.' },
    incomplete: { description: 'It waits to be paid: nothing of it can change, and it does not end by hand.' },
  } as const,
});

type TermFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** Members that a subscription has from the begin and that can be changed. */
const termFields = (t: TermFields) => ({
  name: t.string({ description: 'Name printed on documents.' }),
  endingAt: t.field({
    type: 'DateTime',
    description:
      'When it is going to end: on a day after today, and after that of its start (`ending_at: invalid_date`).',
  }),
  consolidateInvoice: t.boolean({
    description: "Whether it shares its invoice with the customer's other subscriptions. True by default.",
  }),
  progressiveBillingDisabled: t.boolean({
    description: 'Whether no amount of usage triggers an invoice, whatever thresholds there are. False by default.',
  }),
  usageThresholds: t.field({
    type: [UsageThresholdInput],
    description:
      'Amounts of usage that trigger an invoice of this subscription, in place of those of its plan: each once, and one that is recurring. They replace the former ones as a whole; with an empty list those of the plan count. Not together with thresholds among the overrides of the plan (`incompatible_params`).',
  }),
  onTerminationCreditNote: t.field({
    type: enumRef('OnTerminationCreditNote'),
    description:
      'What happens at its end to the unused part of a period paid in advance; nothing is kept of it on a plan in arrears.',
  }),
  onTerminationInvoice: t.field({
    type: enumRef('OnTerminationInvoice'),
    description: 'Whether its end makes an invoice. `generate` by default.',
  }),
  activationRules: t.field({
    type: [ActivationRuleInput],
    description:
      'What must happen before it becomes active; all of them, while it has not begun (`subscription_not_pending`). Left aside where it begins on a past day, or nothing is billed at its start.',
  }),
  invoiceCustomSection: t.field({
    type: CustomSectionChoiceInput,
    description:
      'Which custom sections its invoices print. Those of the customer by default, else of the billing entity; or those of the subscription that it follows.',
  }),
  paymentMethod: t.field({
    type: PaymentMethodReferenceInput,
    description:
      "Who collects what it costs, and by which of the customer's methods (`payment_method: invalid_payment_method`). A provider by the default method, or as the subscription says that it follows.",
  }),
});

const CreateSubscriptionInput = builder.inputType('CreateSubscriptionInput', {
  description: 'A customer who is subscribed to a plan.',
  fields: (t) => ({
    externalCustomerId: t.string({
      required: true,
      description: "The customer's identifier in the caller's application. A customer that is unknown is made.",
    }),
    externalId: t.string({
      required: true,
      description: "The subscription's identifier in the caller's application: one that runs, in an organization.",
    }),
    planCode: t.string({ required: true, description: 'Code of the plan.' }),
    billingEntityCode: t.string({ description: "Code of the entity that bills it; the customer's without it." }),
    billingTime: t.field({
      type: enumRef('BillingTime'),
      description: 'What periods follow. The calendar by default.',
    }),
    subscriptionAt: t.field({
      type: 'DateTime',
      description:
        'When it begins. From a past day on nothing is billed of the days before today; from a later one on it waits. Now by default.',
    }),
    planOverrides: t.field({
      type: PlanOverridesInput,
      description:
        'What of the plan is another for this subscription, which gets a plan of its own. Left aside where the subscription keeps its plan, or waits for its date and gets another.',
    }),
    ...termFields(t),
  }),
});

const UpdateSubscriptionInput = builder.inputType('UpdateSubscriptionInput', {
  description: 'Terms of a subscription. What is absent stays; null takes the name or the end away.',
  fields: (t) => ({
    subscriptionAt: t.field({
      type: 'DateTime',
      description:
        'When it begins: at once where that has come. Left aside where it runs already, or waits to follow another one.',
    }),
    billingEntityCode: t.string({
      description:
        'Code of the entity that bills it from the next invoice on, and whatever is to follow it. Invoices that are made stay as they are.',
    }),
    planOverrides: t.field({
      type: PlanOverridesInput,
      description: 'What of its plan is another from now on for this subscription alone.',
    }),
    ...termFields(t),
  }),
});

const externalIdArg = builder.args((t) => ({
  externalId: t.string({ required: true, description: "The subscription's identifier in the caller's application." }),
  status: t.field({ type: WaitingStatus, defaultValue: 'active', description: 'The state it must be in.' }),
}));

mutation('createSubscription', 'Subscription', {
  resource: 'subscription',
  description:
    'Subscribes a customer to a plan and bills at once what the plan takes in advance. Under an external identifier that the customer has already, the same plan changes nothing; a plan that costs as much a year or more follows now, with a credit note for what was paid in advance and one invoice for both; a cheaper one follows at the end of the period, and the running subscription is answered.',
  args: builder.args((t) => ({
    input: t.field({ type: CreateSubscriptionInput, required: true, description: 'The subscription.' }),
    agreedHash: t.string({
      description:
        '`hash` of the preview that was agreed to, of the plan or of its change, or `changes.hash` of a dry run: refused (`agreed_hash: figures_have_changed`) where it would be another one by now. What no preview shows cannot be said with the hash of one.',
    }),
  })),
  write: ({ input, agreedHash }, context) =>
    inGivenForm(input, () =>
      createSubscription(
        context.db,
        actorOf(context),
        { ...withOverrides(input), ...refusesIgnored(context) },
        agreedHash,
      ),
    ),
});

mutation('updateSubscription', 'Subscription', {
  resource: 'subscription',
  description: 'Changes the terms of a subscription that runs or waits.',
  args: {
    ...externalIdArg,
    ...builder.args((t) => ({
      status: t.field({
        type: WaitingStatus,
        defaultValue: 'active',
        description: 'The state it must be in; null is that of the only one of its name, or else running.',
      }),
      input: t.field({ type: UpdateSubscriptionInput, required: true, description: 'What changes.' }),
    })),
  },
  write: ({ externalId, status, input }, context) =>
    inGivenForm(input, () =>
      updateSubscription(
        context.db,
        actorOf(context),
        { externalId, status: status ?? null },
        { ...withOverrides(input), ...refusesIgnored(context) },
      ),
    ),
});

mutation('terminateSubscription', 'Subscription', {
  resource: 'subscription',
  description:
    'Ends a subscription now: what it paid in advance for days to come is given back, its last fees and usage are billed, and one that waits to follow it is given up. One that waits is given up and bills nothing.',
  args: {
    ...externalIdArg,
    ...builder.args((t) => ({
      onTerminationCreditNote: t.field({
        type: enumRef('OnTerminationCreditNote'),
        description:
          'What happens to the unused part of a period paid in advance. What the subscription says by default, else `credit`.',
      }),
      onTerminationInvoice: t.field({
        type: enumRef('OnTerminationInvoice'),
        description: 'Whether a last invoice is made. What the subscription says by default, else `generate`.',
      }),
    })),
  },
  write: ({ externalId, status, onTerminationCreditNote: creditNote, onTerminationInvoice: invoice }, context) =>
    terminateSubscription(context.db, actorOf(context), { externalId, status, creditNote, invoice }),
});
