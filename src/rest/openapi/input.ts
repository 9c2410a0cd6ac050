import { type JsonSchema, SCALARS } from './json.ts';

/** Members that the rules ask for although the graph lets them be absent: it leaves it to the rules to refuse them. */
export const MANDATORY: ReadonlySet<string> = new Set([
  'CreateChargeFilterInput.properties',
  'CreateChargeFilterInput.values',
  'ChargeFilterInput.properties',
  'ChargeFilterInput.values',
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

/** Unix seconds, with a fraction or without. */
const seconds: JsonSchema = {
  anyOf: [{ type: 'number' }, { type: 'string', pattern: '^-?[0-9]{1,15}(\\.[0-9]{1,20})?$' }],
};

/** What a member takes, where that is less or other than what its scalar holds. */
export const INPUT_SHAPES: Readonly<Record<string, JsonSchema>> = {
  'InvoicePreviewInput.subscriptionAt': moment,
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
  'UpdateChargeInput.minAmountCents': cents,
  'UpdateFixedChargeInput.units': quantity,
  'AppliedPricingUnitInput.conversionRate': quantity,
};

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
  return isOf(schema, 'string') && !schema.enum && longest !== undefined ? { ...schema, maxLength: longest } : schema;
}
