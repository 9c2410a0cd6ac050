import { gathered } from '../../billing/errors.ts';
import type { Sent } from '../../billing/resource/field.ts';
import type { PLAN } from '../../billing/resource/plan.ts';
import { MINIMUM_COMMITMENT, USAGE_THRESHOLD } from '../../billing/resource/plan.ts';
import { refusalOfSent } from '../../billing/resource/resource.ts';
import type { PlanBody } from '../../engine/catalogue/plan/plan-body.ts';
import { builder, type Types } from '../base/builder.ts';
import { GRAPH_ONLY, replacedBy } from '../base/deprecation.ts';
import { enumRef } from '../base/enum.ts';
import { fieldsOf, type InputFields } from '../write/resource.ts';
import { AppliedPricingUnitInput } from './charge-write.ts';
import { ChargeFilterInput } from './filter-input.ts';
import { ofCharge, ofFixedCharge } from './price/price-rule.ts';
import { FixedChargePricingInput, PricingInput } from './pricing-input.ts';
import { asCharge, asWholeCharge, eachOf, type TypedInput } from './typed-input.ts';

type Fields = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

const PRICES = 'Prices; which members there are depends on the charge model, and others are dropped.';
const FREE = 'Prices; those of the model that cost nothing without them.';
const CODE = 'Code on the plan; that of what is priced without one, with a number where it is taken.';
const TAXES = 'Taxes, by code; used before those of the plan.';

const PlanPricingUnitInput = builder.inputType('PlanPricingUnitInput', {
  description: 'The unit that a new charge is priced in.',
  fields: (t) => ({
    code: t.string({ required: true, description: 'Code of the pricing unit.' }),
    conversionRate: t.field({
      type: 'Decimal',
      required: true,
      description: "What one unit is worth in the plan's currency, more than 0.",
    }),
  }),
});

export const IMMEDIATELY =
  'Whether other units count at once, and are invoiced at once where they are paid in advance; else from the next period.';

export const newChargeFields = (t: Fields) => ({
  billableMetricId: t.field({ type: 'UUID', description: 'The metric that is priced, by its identifier.' }),
  billableMetricCode: t.string({ description: 'The metric by its code, where no identifier is given.' }),
  code: t.string({ description: CODE }),
  invoiceDisplayName: t.string({ description: 'Name printed on documents.' }),
  chargeModel: t.field({
    type: enumRef('ChargeModel'),
    description: 'How units become an amount; `pricing` says it too.',
  }),
  pricing: t.field({ type: PricingInput, ...GRAPH_ONLY, description: FREE }),
  properties: t.field({ type: 'JSON', deprecationReason: replacedBy('pricing'), description: PRICES }),
  filters: t.field({ type: [ChargeFilterInput], description: 'Prices for parts of the usage.' }),
  payInAdvance: t.boolean({ description: 'Whether each event is billed at once. False by default.' }),
  invoiceable: t.boolean({ description: 'Whether fees paid in advance are put on an invoice. True by default.' }),
  prorated: t.boolean({ description: 'Whether units count for their part of the period. False by default.' }),
  regroupPaidFees: t.field({
    type: enumRef('RegroupPaidFees'),
    description: 'What happens to paid fees that were not invoiced.',
  }),
  minAmountCents: t.field({
    type: 'BigInt',
    description: 'The least amount of a period in minor units. 0 by default.',
  }),
  acceptsTargetWallet: t.boolean({
    description: 'Whether an event can name the wallet that pays for it. False by default.',
  }),
  appliedPricingUnit: t.field({
    type: PlanPricingUnitInput,
    description: 'The unit that it is priced in; the currency of the plan without one.',
  }),
  taxCodes: t.stringList({ description: TAXES }),
});

const LISTED =
  'With `id` one of the plan, whose absent members keep their values; without, or with an identifier that is none of the plan, a new one.';

const UpdatePlanChargeInput = builder.inputType('UpdatePlanChargeInput', {
  description: `A charge in the whole list of its plan. ${LISTED} Once the plan has had a subscription, what was agreed stays.`,
  extensions: ofCharge,
  fields: (t) => ({
    id: t.field({ type: 'UUID', description: 'Identifier assigned by the service, of one that is to stay.' }),
    ...newChargeFields(t),
    appliedPricingUnit: t.field({
      type: AppliedPricingUnitInput,
      description: 'The unit that it is priced in, with both members for a new one; else its rate.',
    }),
  }),
});

const PlanChargeInput = builder.inputType('PlanChargeInput', {
  description: 'The price of a metric, as one of a plan.',
  extensions: ofCharge,
  fields: newChargeFields,
});

export const newFixedChargeFields = (t: Fields) => ({
  addOnId: t.field({ type: 'UUID', description: 'The add-on that is priced, by its identifier.' }),
  addOnCode: t.string({ description: 'The add-on by its code, where no identifier is given.' }),
  code: t.string({ description: CODE }),
  invoiceDisplayName: t.string({ description: 'Name printed on documents.' }),
  chargeModel: t.field({
    type: enumRef('FixedChargeModel'),
    description: 'How units become an amount; `pricing` says it too.',
  }),
  pricing: t.field({ type: FixedChargePricingInput, ...GRAPH_ONLY, description: FREE }),
  properties: t.field({ type: 'JSON', deprecationReason: replacedBy('pricing'), description: PRICES }),
  units: t.field({ type: 'Decimal', description: 'Number of units of a new subscription, not below 0. 0 by default.' }),
  payInAdvance: t.boolean({ description: 'Whether a period is paid at its start. False by default.' }),
  prorated: t.boolean({ description: 'Whether units count for their part of the period. False by default.' }),
  taxCodes: t.stringList({ description: TAXES }),
});

const PlanFixedChargeInput = builder.inputType('PlanFixedChargeInput', {
  description: 'The price of an add-on, as one of a plan.',
  extensions: ofFixedCharge,
  fields: newFixedChargeFields,
});

const UpdatePlanFixedChargeInput = builder.inputType('UpdatePlanFixedChargeInput', {
  description: `A fixed charge in the whole list of its plan. ${LISTED} Once the plan has had a subscription, what was agreed stays.`,
  extensions: ofFixedCharge,
  fields: (t) => ({
    id: t.field({ type: 'UUID', description: 'Identifier assigned by the service, of one that is to stay.' }),
    ...newFixedChargeFields(t),
    applyUnitsImmediately: t.boolean({ description: IMMEDIATELY }),
  }),
});

export const MinimumCommitmentInput = builder.inputType('MinimumCommitmentInput', {
  description: 'The least amount that a period costs. Absent members keep their values.',
  extensions: { refusal: (input: Sent<typeof MINIMUM_COMMITMENT.fields>) => refusalOfSent(MINIMUM_COMMITMENT, input) },
  fields: (t) =>
    fieldsOf(t, { name: 'minimum_commitment', model: 'MinimumCommitment' }, MINIMUM_COMMITMENT.fields, 'update'),
});

export const UsageThresholdInput = builder.inputType('UsageThresholdInput', {
  description: 'An amount of usage that triggers an invoice.',
  extensions: { refusal: (input: Sent<typeof USAGE_THRESHOLD.fields>) => refusalOfSent(USAGE_THRESHOLD, input) },
  fields: (t) => fieldsOf(t, { name: 'usage_threshold', model: 'UsageThreshold' }, USAGE_THRESHOLD.fields, 'create'),
});

type Member = ReturnType<Fields['string']>;

/** What the inputs of a plan hold beside its own members. */
export function planParts(t: InputFields, mode: 'create' | 'update'): Record<string, Member> {
  const replaced = mode === 'create' ? '' : ' They replace the former ones as a whole; an empty list removes all.';
  const own = {
    minimumCommitment: t.field({
      type: MinimumCommitmentInput,
      description: 'The least amount that a period costs; null, or an object without members, is none.',
    }),
    usageThresholds: t.field({
      type: [UsageThresholdInput],
      description: `Amounts of usage that trigger an invoice: each once, and one that is recurring.${replaced}`,
    }),
  };
  const all = ' All of them: those that are not named end, and an empty list ends all.';
  const prices =
    mode === 'create'
      ? {
          charges: t.field({ type: [PlanChargeInput], description: 'Usage charges.' }),
          fixedCharges: t.field({ type: [PlanFixedChargeInput], description: 'Charges that do not depend on usage.' }),
        }
      : {
          charges: t.field({ type: [UpdatePlanChargeInput], description: `Usage charges.${all}` }),
          fixedCharges: t.field({
            type: [UpdatePlanFixedChargeInput],
            description: `Charges that do not depend on usage.${all}`,
          }),
        };
  const cascade = {
    cascadeUpdates: t.boolean({
      description:
        'Whether overrides whose subscription is active or pending follow: with the charges and fixed charges that change, come and go, and with the amount, where they still have the old ones. False by default.',
    }),
  };
  const parts: object = { ...prices, ...own, ...(mode === 'update' && cascade) };
  return parts as Record<string, Member>;
}

interface PricesInput {
  readonly charges?: readonly TypedInput[] | null;
  readonly fixedCharges?: readonly TypedInput[] | null;
}

/** The input of a plan as the rules take it: its prices in the form of REST. */
export function asPlan(input: object): Sent<typeof PLAN.fields> & PlanBody {
  const { charges, fixedCharges, ...own }: PricesInput = input;
  const [read, readFixed] = gathered([
    () => charges && eachOf('charges', charges, asWholeCharge),
    () => fixedCharges && eachOf('fixedCharges', fixedCharges, asCharge),
  ]);
  // Members have the types of their inputs, which the types of the rules say again.
  return { ...own, charges: read, fixedCharges: readFixed } as Sent<typeof PLAN.fields> & PlanBody;
}
