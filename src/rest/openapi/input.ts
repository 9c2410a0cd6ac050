import { type JsonSchema, SCALARS } from './json.ts';

/** Members that the rules ask for although the graph lets them be absent: it leaves it to the rules to refuse them. */
export const MANDATORY: ReadonlySet<string> = new Set([
  'CreateChargeFilterInput.properties',
  'CreateChargeFilterInput.values',
  'CreateSubscriptionChargeFilterInput.properties',
  'CreateSubscriptionChargeFilterInput.values',
  'ChargeFilterInput.properties',
  'ChargeFilterInput.values',
  'PlanChargeInput.chargeModel',
  'PlanFixedChargeInput.chargeModel',
  'CreateChargeInput.chargeModel',
  'CreateChargeInput.code',
  'CreateFixedChargeInput.chargeModel',
  'CreateFixedChargeInput.code',
]);

const code = (letters: number): JsonSchema => ({ type: 'string', pattern: `^[A-Z]{${letters}}$` });
const moment: JsonSchema = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
};
const cents: JsonSchema = { ...SCALARS.BigInt, minimum: 0 };
const quantity: JsonSchema = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?$' };

/** The same as a number too. */
const number = (maximum: number): JsonSchema => ({ anyOf: [{ type: 'number', minimum: 0, maximum }, quantity] });

/** Unix seconds, with a fraction or without. */
const seconds: JsonSchema = {
  anyOf: [{ type: 'number' }, { type: 'string', pattern: '^-?[0-9]{1,15}(\\.[0-9]{1,20})?$' }],
};

const pairs: JsonSchema = {
  type: 'string',
  description: 'An object of keys with a value each, as JSON, or `metadata[key]=value` for each.',
};

/** Values of privileges by their codes, by the codes of features. */
const entitlements: JsonSchema = {
  type: 'object',
  additionalProperties: {
    type: ['object', 'null'],
    additionalProperties: { type: ['integer', 'boolean', 'string'] },
  },
};

/** What a member takes, where that is less or other than what its scalar holds. */
export const INPUT_SHAPES: Readonly<Record<string, JsonSchema>> = {
  'InvoicePreviewInput.subscriptionAt': moment,
  // Written as JSON, in a parameter.
  'UsageFilter.groups': {
    type: 'string',
    description: 'An object of names with a value or a list of values each, as JSON.',
  },
  'UsageFilter.presentationKeys': { type: 'string' },
  'EstimatedEventInput.timestamp': seconds,
  'RecordEventInput.timestamp': seconds,
  'ExpressionEventInput.timestamp': seconds,
  'PreviewSubscriptionsInput.terminatedAt': moment,
  'PreviewCustomerInput.currency': code(3),
  'PreviewCustomerInput.country': code(2),
  'PreviewAddressInput.country': code(2),
  'PreviewCouponInput.amountCurrency': code(3),
  'PreviewCouponInput.amountCents': cents,
  'PreviewCouponInput.percentageRate': quantity,
  'PreviewUsageInput.units': quantity,
  'CustomerFilter.metadata': pairs,
  'InvoiceFilter.metadata': pairs,
  'CustomerMetadataInput.key': { type: 'string', minLength: 1, maxLength: 20 },
  'CustomerMetadataInput.value': { type: 'string', minLength: 1, maxLength: 100 },
  ...Object.fromEntries(
    ['replacePlanEntitlements', 'mergePlanEntitlements', 'mergeSubscriptionEntitlements'].map((name) => [
      `Mutation.${name}.entitlements`,
      entitlements,
    ]),
  ),
  'UpdateChargeInput.minAmountCents': cents,
  'UpdateFixedChargeInput.units': quantity,
  'SubscriptionChargeInput.minAmountCents': cents,
  'SubscriptionFixedChargeInput.units': quantity,
  'ChargeOverrideInput.minAmountCents': cents,
  'FixedChargeOverrideInput.units': number(1e14),
  'PlanOverridesInput.trialPeriod': number(36_500),
  'AppliedPricingUnitInput.conversionRate': quantity,
  'PlanPricingUnitInput.conversionRate': quantity,
  'PlanChargeInput.minAmountCents': cents,
  'PlanFixedChargeInput.units': number(1e14),
  'UpdatePlanChargeInput.minAmountCents': cents,
  'CreateChargeInput.minAmountCents': cents,
  'CreateFixedChargeInput.units': number(1e14),
  'CreateChargeInput.code': { type: 'string', minLength: 1 },
  'CreateFixedChargeInput.code': { type: 'string', minLength: 1 },
  'UpdatePlanFixedChargeInput.units': number(1e14),
  'CreatePlanInput.trialPeriod': number(36_500),
  'UpdatePlanInput.trialPeriod': number(36_500),
};

/** What a resource says of a member beyond its type. */
export interface Rule {
  readonly range?: { readonly least?: string; readonly most?: string };
  readonly isCurrency?: boolean;
  readonly isCountry?: boolean;
  readonly isMandatory?: boolean;
}

const numberOf = (text: string | undefined) => (Number.isSafeInteger(Number(text)) ? Number(text) : undefined);

/** What a list of a resource takes, where it must hold something. */
export const ruledList = (list: JsonSchema, { isMandatory }: Rule = {}): JsonSchema =>
  isMandatory ? { ...list, minItems: 1 } : list;

/** What a member of a resource takes, where that is less than its scalar holds. */
export function ruledShape(
  scalar: string,
  { range, isCurrency, isCountry, isMandatory }: Rule = {},
): JsonSchema | undefined {
  if (isCurrency) return code(3);
  if (isCountry) return { type: 'string', pattern: '^[A-Za-z]{2}$' };
  if (!range) return isMandatory && scalar === 'String' ? { type: 'string', minLength: 1 } : undefined;
  const [minimum, maximum] = [numberOf(range.least), numberOf(range.most)];
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  if (scalar === 'BigInt' || scalar === 'Int') return { ...SCALARS[scalar], ...bounds };
  return range.least === '0' ? quantity : undefined;
}

/** How long a text of an input may be, and how many items a list. */
export interface Limit {
  readonly longest?: number;
  readonly mostItems?: number;
}

const isOf = ({ type }: JsonSchema, name: string) => (Array.isArray(type) ? type.includes(name) : type === name);

/** The same with the limits of the input, as far as they are its own and not of what is in it. */
export function bounded(schema: JsonSchema, { longest, mostItems }: Limit = {}): JsonSchema {
  if (isOf(schema, 'array') && mostItems !== undefined) {
    const items = bounded(schema.items as JsonSchema, { ...(longest !== undefined && { longest }) });
    return { ...schema, maxItems: mostItems, items };
  }
  if (!isOf(schema, 'string') || schema.enum || longest === undefined) return schema;
  const own = typeof schema.maxLength === 'number' ? schema.maxLength : longest;
  return { ...schema, maxLength: Math.min(own, longest) };
}
