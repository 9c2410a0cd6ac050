import { gathered, within } from '../../billing/errors.ts';
import { PLAN_OVERRIDES } from '../../billing/resource/plan.ts';
import type { PlanOverrides } from '../../engine/subscription/override/change-override.ts';
import { builder, type Types } from '../base/builder.ts';
import { GRAPH_ONLY, replacedBy } from '../base/deprecation.ts';
import { enumRef } from '../base/enum.ts';
import { AppliedPricingUnitInput } from '../catalogue/charge-write.ts';
import { ChargeFilterInput } from '../catalogue/filter-input.ts';
import { IMMEDIATELY, MinimumCommitmentInput, UsageThresholdInput } from '../catalogue/plan-input.ts';
import { FixedChargePricingInput, PricingInput } from '../catalogue/pricing-input.ts';
import { asCharge, asWholeCharge, eachOf, type TypedInput } from '../catalogue/typed-input.ts';
import { fieldsOf } from '../write/resource.ts';

type Fields = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

const PRICES = 'Prices, of the model that it has; they replace the former ones as a whole.';
const PROPERTIES = 'Prices; which members there are depends on the charge model, and others are dropped.';
const MODEL = 'The model that it has: another one is refused.';
const TAXES = 'Codes of all taxes; an empty list removes all.';
const NAME = 'Name printed on documents.';
const ID = 'Identifier of the one that the subscription has, or of the one of the plan that it was copied from.';

const chargeFields = (t: Fields) => ({
  invoiceDisplayName: t.string({ description: NAME }),
  minAmountCents: t.field({
    type: 'BigInt',
    description: 'The least amount of a period in minor units; null is 0.',
  }),
  chargeModel: t.field({ type: enumRef('ChargeModel'), description: MODEL }),
  pricing: t.field({ type: PricingInput, ...GRAPH_ONLY, description: PRICES }),
  properties: t.field({ type: 'JSON', deprecationReason: replacedBy('pricing'), description: PROPERTIES }),
  filters: t.field({
    type: [ChargeFilterInput],
    description: 'All filters; those of the same values keep their identifiers. An empty list removes all.',
  }),
  taxCodes: t.stringList({ description: TAXES }),
  appliedPricingUnit: t.field({ type: AppliedPricingUnitInput, description: 'The rate of the pricing unit.' }),
});

const fixedChargeFields = (t: Fields) => ({
  invoiceDisplayName: t.string({ description: NAME }),
  units: t.field({ type: 'Decimal', description: 'Number of units, not below 0.' }),
  applyUnitsImmediately: t.boolean({ description: IMMEDIATELY }),
  chargeModel: t.field({ type: enumRef('FixedChargeModel'), description: MODEL }),
  pricing: t.field({ type: FixedChargePricingInput, ...GRAPH_ONLY, description: PRICES }),
  properties: t.field({ type: 'JSON', deprecationReason: replacedBy('pricing'), description: PROPERTIES }),
  taxCodes: t.stringList({ description: TAXES }),
});

const ABSENT = 'Absent members keep their values.';

/** What is another of a charge that is named beside it. */
export const SubscriptionChargeInput = builder.inputType('SubscriptionChargeInput', {
  description: `What of a charge is another for one subscription. ${ABSENT}`,
  fields: chargeFields,
});

/** The same of a fixed charge. */
export const SubscriptionFixedChargeInput = builder.inputType('SubscriptionFixedChargeInput', {
  description: `What of a fixed charge is another for one subscription. ${ABSENT}`,
  fields: fixedChargeFields,
});

const ChargeOverrideInput = builder.inputType('ChargeOverrideInput', {
  description: `A charge of a plan that is another for one subscription. ${ABSENT}`,
  fields: (t) => ({ id: t.field({ type: 'UUID', required: true, description: ID }), ...chargeFields(t) }),
});

const FixedChargeOverrideInput = builder.inputType('FixedChargeOverrideInput', {
  description: `A fixed charge of a plan that is another for one subscription. ${ABSENT}`,
  fields: (t) => ({ id: t.field({ type: 'UUID', required: true, description: ID }), ...fixedChargeFields(t) }),
});

/** What of a plan is another for one subscription. */
export const PlanOverridesInput = builder.inputType('PlanOverridesInput', {
  description:
    'What of a plan is another for one subscription, which gets a copy of the plan. Absent members, and prices that are not named, keep their values.',
  fields: (t) => ({
    ...fieldsOf(t, { name: 'plan', model: 'Plan' }, PLAN_OVERRIDES.fields, 'update'),
    charges: t.field({ type: [ChargeOverrideInput], description: 'Usage charges that are others.' }),
    fixedCharges: t.field({ type: [FixedChargeOverrideInput], description: 'Fixed charges that are others.' }),
    minimumCommitment: t.field({
      type: MinimumCommitmentInput,
      description: 'The least amount that a period costs; null, or an object without members, is none.',
    }),
    usageThresholds: t.field({
      type: [UsageThresholdInput],
      description:
        'Amounts of usage that trigger an invoice, in place of those of the plan; with an empty list those of the plan count again.',
    }),
  }),
});

interface PricesInput {
  readonly charges?: readonly TypedInput[] | null;
  readonly fixedCharges?: readonly TypedInput[] | null;
}

/** An input with overrides as the rules take it: their prices in the form of REST. */
export function withOverrides<Input extends { readonly planOverrides?: object | null | undefined }>(
  input: Input,
): Omit<Input, 'planOverrides'> & { readonly planOverrides?: PlanOverrides | null } {
  const { planOverrides, ...others } = input;
  if (!planOverrides) return others;
  const { charges, fixedCharges, ...own }: PricesInput = planOverrides;
  const [read, readFixed] = within(['planOverrides'], () =>
    gathered([
      () => charges && eachOf('charges', charges, asWholeCharge),
      () => fixedCharges && eachOf('fixedCharges', fixedCharges, asCharge),
    ]),
  );
  // Members have the types of their inputs, which the types of the rules say again.
  return { ...others, planOverrides: { ...own, charges: read, fixedCharges: readFixed } as PlanOverrides };
}
