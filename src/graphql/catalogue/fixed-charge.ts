import { type FixedChargeUpdate, updateFixedCharge } from '../../engine/catalogue/price/update-fixed-charge.ts';
import { BY_CODE } from '../../store/database/row-order.ts';
import { builder } from '../base/builder.ts';
import { firstOf } from '../base/column.ts';
import { GRAPH_ONLY, replacedBy } from '../base/deprecation.ts';
import { enumRef } from '../base/enum.ts';
import { actorOf, refusesIgnored } from '../context.ts';
import { defineNode } from '../list/node.ts';
import { mutation } from '../write/mutation.ts';
import { fixedChargeFilter } from './catalogue-filter.ts';
import { Pricing, pricingOf } from './pricing.ts';
import { FixedChargePricingInput } from './pricing-input.ts';
import { asCharge, inGivenForm } from './typed-input.ts';

const IGNORED = 'Another value is refused once the plan has had a subscription.';
const NEVER = 'It never changes: another value is refused.';

export const FixedCharge = defineNode('FixedCharge', {
  filter: fixedChargeFilter,
  resource: 'plan',
  fields: (t) => ({
    addOnCode: t.string({
      description: 'Code of the add-on that is priced.',
      extensions: firstOf(['addOn.code']),
      select: { addOn: { select: { code: true } } },
      resolve: (charge) => charge.addOn.code,
    }),
    unitsNumber: t.float({
      description: 'The units as a JSON number, as the REST interface shows them; `units` is exact.',
      select: { units: true },
      resolve: (charge) => charge.units.toNumber(),
    }),
    pricing: t.field({
      type: Pricing,
      description: 'Prices, by the charge model; `properties` has them as JSON.',
      select: { properties: true, chargeModel: true },
      resolve: (charge) => pricingOf(charge.chargeModel, charge.properties),
    }),
    taxes: t.relation('taxes', { query: { orderBy: BY_CODE } }),
  }),
});

const UpdateFixedChargeInput = builder.inputType('UpdateFixedChargeInput', {
  description:
    'What changes of a fixed charge. Absent members keep their values; null clears what can be empty and is as absent elsewhere.',
  fields: (t) => ({
    invoiceDisplayName: t.string({ description: 'Name printed on documents.' }),
    units: t.field({ type: 'Decimal', description: 'Number of units, not below 0.' }),
    applyUnitsImmediately: t.boolean({
      description:
        'Whether other units count at once, and are invoiced at once where they are paid in advance; else from the next period.',
    }),
    pricing: t.field({
      type: FixedChargePricingInput,
      ...GRAPH_ONLY,
      description: 'Prices; they replace the former ones as a whole. Those of another model change it too.',
    }),
    properties: t.field({
      type: 'JSON',
      deprecationReason: replacedBy('pricing'),
      description: 'Prices; which members there are depends on the charge model, and others are dropped.',
    }),
    taxCodes: t.stringList({ description: 'Codes of all taxes; an empty list removes all.' }),
    cascadeUpdates: t.boolean({
      description:
        'Whether overrides that still have the old values follow, where their subscription is active or pending; false by default.',
    }),
    code: t.string({ description: `Code on the plan. ${IGNORED}` }),
    chargeModel: t.field({ type: enumRef('FixedChargeModel'), description: `How units become an amount. ${IGNORED}` }),
    addOnId: t.field({ type: 'UUID', description: NEVER }),
    addOnCode: t.string({ description: NEVER }),
    payInAdvance: t.boolean({ description: NEVER }),
    prorated: t.boolean({ description: NEVER }),
  }),
});

/** Arguments that name a fixed charge of a plan. */
export const fixedChargePathArgs = builder.args((t) => ({
  planCode: t.string({ required: true, description: 'Code of the plan; overrides of subscriptions are not found.' }),
  fixedChargeCode: t.string({ required: true, description: 'Code of the fixed charge on the plan.' }),
}));

mutation('updateFixedCharge', 'FixedCharge', {
  resource: 'plan',
  description:
    'Changes a fixed charge with its taxes, and the units of the subscriptions on its plan. All of it happens, or nothing.',
  args: {
    ...fixedChargePathArgs,
    ...builder.args((t) => ({
      input: t.field({ type: UpdateFixedChargeInput, required: true, description: 'What changes.' }),
    })),
  },
  write: ({ input, ...path }, context) =>
    inGivenForm(input, () =>
      updateFixedCharge(context.db, actorOf(context), path, {
        ...(asCharge(input) as FixedChargeUpdate),
        ...refusesIgnored(context),
      }),
    ),
});
