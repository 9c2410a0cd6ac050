import { createCharge, createFixedCharge } from '../../../engine/catalogue/price/create-price.ts';
import { destroyCharge, destroyFixedCharge } from '../../../engine/catalogue/price/destroy-price.ts';
import type { ChargeSent, FixedChargeSent } from '../../../engine/catalogue/price/new-price.ts';
import { builder } from '../../base/builder.ts';
import { actorOf } from '../../context.ts';
import { mutation } from '../../write/mutation.ts';
import { chargePathArgs } from '../charge-filter.ts';
import { cascadeArg } from '../filter-input.ts';
import { fixedChargePathArgs } from '../fixed-charge.ts';
import { IMMEDIATELY, newChargeFields, newFixedChargeFields } from '../plan-input.ts';
import { asCharge, asWholeCharge, inGivenForm } from '../typed-input.ts';
import { ofCharge, ofFixedCharge, withCode } from './price-rule.ts';

const CODE = 'Code on the plan, which no other one has there. There must be one.';
const COPIED =
  'Whether overrides whose subscription is active or pending get a copy, under another code where theirs is taken; false by default.';

const CreateChargeInput = builder.inputType('CreateChargeInput', {
  description: 'The price of a metric on a plan.',
  extensions: withCode(ofCharge.refusal),
  fields: (t) => ({
    ...newChargeFields(t),
    code: t.string({ description: CODE }),
    cascadeUpdates: t.boolean({ description: COPIED }),
  }),
});

const CreateFixedChargeInput = builder.inputType('CreateFixedChargeInput', {
  description: 'The price of an add-on on a plan.',
  extensions: withCode(ofFixedCharge.refusal),
  fields: (t) => ({
    ...newFixedChargeFields(t),
    code: t.string({ description: CODE }),
    applyUnitsImmediately: t.boolean({ description: IMMEDIATELY }),
    cascadeUpdates: t.boolean({ description: COPIED }),
  }),
});

const planCodeArg = builder.args((t) => ({
  planCode: t.string({ required: true, description: 'Code of the plan; overrides of subscriptions are not found.' }),
}));

mutation('createCharge', 'Charge', {
  resource: 'plan',
  description: 'Adds a charge to a plan, also to one that is in use.',
  args: {
    ...planCodeArg,
    ...builder.args((t) => ({
      input: t.field({ type: CreateChargeInput, required: true, description: 'The charge.' }),
    })),
  },
  // Members have the types of their inputs, which the types of the rules say again.
  write: ({ planCode, input }, context) =>
    inGivenForm(input, () => createCharge(context.db, actorOf(context), planCode, asWholeCharge(input) as ChargeSent)),
});

mutation('destroyCharge', 'Charge', {
  resource: 'plan',
  description:
    'Deletes a charge with its filters. Its usage is billed no more; fees keep it, and its code is free again.',
  args: { ...chargePathArgs, ...cascadeArg },
  write: ({ input, ...path }, context) => destroyCharge(context.db, actorOf(context), path, input ?? {}),
});

mutation('createFixedCharge', 'FixedCharge', {
  resource: 'plan',
  description: 'Adds a fixed charge to a plan, and its units to the subscriptions on it.',
  args: {
    ...planCodeArg,
    ...builder.args((t) => ({
      input: t.field({ type: CreateFixedChargeInput, required: true, description: 'The fixed charge.' }),
    })),
  },
  write: ({ planCode, input }, context) =>
    inGivenForm(input, () =>
      createFixedCharge(context.db, actorOf(context), planCode, asCharge(input) as FixedChargeSent),
    ),
});

mutation('destroyFixedCharge', 'FixedCharge', {
  resource: 'plan',
  description: 'Deletes a fixed charge. It is billed no more; fees keep it, and its code is free again.',
  args: { ...fixedChargePathArgs, ...cascadeArg },
  write: ({ input, ...path }, context) => destroyFixedCharge(context.db, actorOf(context), path, input ?? {}),
});
