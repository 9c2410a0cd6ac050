import { type ChargeUpdate, updateCharge } from '../../engine/catalogue/price/update-charge.ts';
import { builder } from '../base/builder.ts';
import { GRAPH_ONLY, replacedBy } from '../base/deprecation.ts';
import { enumRef } from '../base/enum.ts';
import { actorOf, refusesIgnored } from '../context.ts';
import { mutation } from '../write/mutation.ts';
import { chargePathArgs } from './charge-filter.ts';
import { ChargeFilterInput } from './filter-input.ts';
import { PricingInput } from './pricing-input.ts';
import { asWholeCharge, inGivenForm } from './typed-input.ts';

const IGNORED = 'Another value is refused once the plan has had a subscription.';

export const AppliedPricingUnitInput = builder.inputType('AppliedPricingUnitInput', {
  description: 'The unit that a charge is priced in.',
  fields: (t) => ({
    code: t.string({ description: 'A charge keeps its pricing unit, or keeps having none: another code is refused.' }),
    conversionRate: t.field({
      type: 'Decimal',
      description: "What one unit is worth in the plan's currency, more than 0; refused where the charge has no unit.",
    }),
  }),
});

const UpdateChargeInput = builder.inputType('UpdateChargeInput', {
  description:
    'What changes of a charge. Absent members keep their values; null clears what can be empty and is as absent elsewhere.',
  fields: (t) => ({
    invoiceDisplayName: t.string({ description: 'Name printed on documents.' }),
    pricing: t.field({
      type: PricingInput,
      ...GRAPH_ONLY,
      description: 'Prices; they replace the former ones as a whole. Those of another model change it too.',
    }),
    properties: t.field({
      type: 'JSON',
      deprecationReason: replacedBy('pricing'),
      description: 'Prices; which members there are depends on the charge model, and others are dropped.',
    }),
    filters: t.field({
      type: [ChargeFilterInput],
      description: 'All filters; those of the same values keep their identifiers. An empty list removes all.',
    }),
    taxCodes: t.stringList({ description: 'Codes of all taxes; an empty list removes all.' }),
    appliedPricingUnit: t.field({ type: AppliedPricingUnitInput, description: 'The rate of the pricing unit.' }),
    acceptsTargetWallet: t.boolean({ description: 'Whether an event can name the wallet that pays for it.' }),
    cascadeUpdates: t.boolean({
      description:
        'Whether overrides of the charge that still have the old values follow, where their subscription is active or pending; false by default.',
    }),
    code: t.string({ description: `Code on the plan. ${IGNORED}` }),
    chargeModel: t.field({ type: enumRef('ChargeModel'), description: `How units become an amount. ${IGNORED}` }),
    billableMetricId: t.field({ type: 'UUID', description: `The metric that is priced. ${IGNORED}` }),
    payInAdvance: t.boolean({ description: `Whether each event is billed at once. ${IGNORED}` }),
    prorated: t.boolean({ description: `Whether units count for their part of the period. ${IGNORED}` }),
    invoiceable: t.boolean({ description: `Whether fees paid in advance are put on an invoice. ${IGNORED}` }),
    minAmountCents: t.field({
      type: 'BigInt',
      description: `The least amount of a period in minor units; null is 0. ${IGNORED}`,
    }),
    regroupPaidFees: t.field({
      type: enumRef('RegroupPaidFees'),
      description: `What happens to paid fees that were not invoiced. ${IGNORED}`,
    }),
  }),
});

mutation('updateCharge', 'Charge', {
  resource: 'plan',
  description: 'Changes a charge with its filters and taxes. All of it happens, or nothing.',
  args: {
    ...chargePathArgs,
    ...builder.args((t) => ({
      input: t.field({ type: UpdateChargeInput, required: true, description: 'What changes.' }),
    })),
  },
  write: ({ input, ...path }, context) =>
    inGivenForm(input, () =>
      updateCharge(context.db, actorOf(context), path, {
        ...(asWholeCharge(input) as ChargeUpdate),
        ...refusesIgnored(context),
      }),
    ),
});
