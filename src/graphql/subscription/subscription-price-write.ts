import {
  createSubscriptionChargeFilter,
  destroySubscriptionChargeFilter,
  updateSubscriptionChargeFilter,
} from '../../engine/subscription/override/change-subscription-filter.ts';
import {
  updateSubscriptionCharge,
  updateSubscriptionFixedCharge,
} from '../../engine/subscription/override/change-subscription-price.ts';
import type { ChargeOverride, FixedChargeOverride } from '../../engine/subscription/override/override-price.ts';
import { builder } from '../base/builder.ts';
import { filterMembers } from '../catalogue/filter-input.ts';
import { asCharge, asFilter, asWholeCharge, inGivenForm } from '../catalogue/typed-input.ts';
import { actorOf, refusesIgnored } from '../context.ts';
import { mutation } from '../write/mutation.ts';
import { SubscriptionChargeInput, SubscriptionFixedChargeInput } from './override-input.ts';
import { subscriptionArgs, subscriptionPath } from './subscription-args.ts';

const OWN = 'A subscription that has none yet gets a copy of its plan for itself, which alone changes.';

const chargeArgs = {
  ...subscriptionArgs,
  ...builder.args((t) => ({
    chargeCode: t.string({ required: true, description: 'Code of the charge on the plan.' }),
  })),
};

const filterArgs = {
  ...chargeArgs,
  ...builder.args((t) => ({
    svcId: t.field({
      type: 'UUID',
      required: true,
      description:
        'Identifier of the filter that the subscription has, or of the one of the plan that it was copied from.',
    }),
  })),
};

type Named = Parameters<typeof subscriptionPath>[0];

const pathOf = (code: string, named: Named) => ({ ...subscriptionPath(named), code });

mutation('updateSubscriptionCharge', 'Charge', {
  resource: 'subscription',
  description: `Changes a charge for one subscription, with its filters and taxes. ${OWN}`,
  args: {
    ...chargeArgs,
    ...builder.args((t) => ({
      input: t.field({ type: SubscriptionChargeInput, required: true, description: 'What changes.' }),
    })),
  },
  write: ({ input, chargeCode, ...named }, context) =>
    inGivenForm(input, () =>
      updateSubscriptionCharge(context.db, actorOf(context), pathOf(chargeCode, named), {
        ...(asWholeCharge(input) as ChargeOverride),
        ...refusesIgnored(context),
      }),
    ),
});

mutation('updateSubscriptionFixedCharge', 'FixedCharge', {
  resource: 'subscription',
  description: `Changes a fixed charge for one subscription, with its units and taxes. ${OWN}`,
  args: {
    ...subscriptionArgs,
    ...builder.args((t) => ({
      fixedChargeCode: t.string({ required: true, description: 'Code of the fixed charge on the plan.' }),
      input: t.field({ type: SubscriptionFixedChargeInput, required: true, description: 'What changes.' }),
    })),
  },
  write: ({ input, fixedChargeCode, ...named }, context) =>
    inGivenForm(input, () =>
      updateSubscriptionFixedCharge(context.db, actorOf(context), pathOf(fixedChargeCode, named), {
        ...(asCharge(input) as FixedChargeOverride),
        ...refusesIgnored(context),
      }),
    ),
});

const CreateSubscriptionChargeFilterInput = builder.inputType('CreateSubscriptionChargeFilterInput', {
  description: 'A price for a part of the usage of one subscription.',
  fields: (t) => ({
    invoiceDisplayName: t.string({ description: 'Name printed on documents.' }),
    ...filterMembers(t),
  }),
});

mutation('createSubscriptionChargeFilter', 'ChargeFilter', {
  resource: 'subscription',
  description: `Adds a filter to a charge for one subscription. The same values are refused when the charge has them already. ${OWN}`,
  args: {
    ...chargeArgs,
    ...builder.args((t) => ({
      input: t.field({ type: CreateSubscriptionChargeFilterInput, required: true, description: 'The filter.' }),
    })),
  },
  write: ({ input, chargeCode, ...named }, context) =>
    inGivenForm(input, () =>
      createSubscriptionChargeFilter(context.db, actorOf(context), pathOf(chargeCode, named), asFilter(input)),
    ),
});

const UpdateSubscriptionChargeFilterInput = builder.inputType('UpdateSubscriptionChargeFilterInput', {
  description: 'What changes of a filter for one subscription. Absent members keep their values.',
  fields: (t) => ({
    invoiceDisplayName: t.string({ description: 'Name printed on documents; null is none.' }),
    ...filterMembers(t, 'They never change: others are refused.'),
  }),
});

mutation('updateSubscriptionChargeFilter', 'ChargeFilter', {
  resource: 'subscription',
  description: `Changes the name and the prices of a filter for one subscription. ${OWN}`,
  args: {
    ...filterArgs,
    ...builder.args((t) => ({
      input: t.field({ type: UpdateSubscriptionChargeFilterInput, required: true, description: 'What changes.' }),
    })),
  },
  write: ({ input, chargeCode, svcId, ...named }, context) =>
    inGivenForm(input, () =>
      updateSubscriptionChargeFilter(
        context.db,
        actorOf(context),
        { ...pathOf(chargeCode, named), svcId },
        { ...asFilter(input), ...refusesIgnored(context) },
      ),
    ),
});

mutation('destroySubscriptionChargeFilter', 'ChargeFilter', {
  resource: 'subscription',
  description: `Deletes a filter for one subscription; the usage that it took falls to other filters or to the price of the charge. ${OWN}`,
  args: filterArgs,
  write: ({ chargeCode, svcId, ...named }, context) =>
    destroySubscriptionChargeFilter(context.db, actorOf(context), { ...pathOf(chargeCode, named), svcId }),
});
