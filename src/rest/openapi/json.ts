import { FILTER_VALUES, METADATA, NEW_FILTER_VALUES, OTHER_PRICES, USED_PRICES } from './json-place.ts';

/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const DECIMAL = '^-?[0-9]+(\\.[0-9]+)?$';

const text: JsonSchema = { type: 'string' };
const decimal: JsonSchema = { type: 'string', pattern: DECIMAL };
const price: JsonSchema = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?$' };
const integer: JsonSchema = { type: 'integer' };
const openEnd: JsonSchema = {
  type: ['integer', 'null'],
  description: 'The last unit of the range; null in the last one.',
};
const texts: JsonSchema = { type: 'array', items: text };
const groupKeys: JsonSchema = { type: 'array', items: { type: 'string', minLength: 1 } };
const count = (minimum: number): JsonSchema => ({ type: 'integer', minimum });

const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema.type, 'null'] });
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The scalars of the graph. Those of GraphQL itself are among them. */
export const SCALARS: Readonly<Record<string, JsonSchema>> = {
  String: text,
  ID: text,
  Boolean: { type: 'boolean' },
  Int: integer,
  Float: { type: 'number' },
  BigInt: { type: 'integer', format: 'int64' },
  Decimal: decimal,
  Percentage: { type: 'number' },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
  PreciseDateTime: { type: 'string', format: 'date-time' },
  UUID: { type: 'string', format: 'uuid' },
  CountryCode: text,
  DateOrDateTime: text,
  EmailAddress: text,
  Locale: text,
  TimeZone: text,
  URL: text,
};

const range = (prices: Record<string, JsonSchema>) =>
  list(object({ from_value: integer, to_value: openEnd, ...prices }));

const usedRange = (prices: Record<string, JsonSchema>) =>
  list(object({ from_value: integer, to_value: openEnd, units: decimal, flat_unit_amount: decimal, ...prices }));

const priceMembers: Record<string, JsonSchema> = {
  amount: { ...price, description: 'Price of a unit (`standard`) or of a package (`package`).' },
  package_size: { ...count(1), description: 'Units of a package (`package`).' },
  free_units: { ...count(0), description: 'Units that cost nothing (`package`).' },
  rate: { ...price, description: 'Percentage of the units (`percentage`).' },
  fixed_amount: { ...price, description: 'Price of an event (`percentage`).' },
  free_units_per_events: { ...orNull(count(1)), description: 'Events that cost nothing (`percentage`).' },
  free_units_per_total_aggregation: { ...orNull(price), description: 'Units that cost nothing (`percentage`).' },
  per_transaction_min_amount: { ...orNull(price), description: 'Least price of an event (`percentage`).' },
  per_transaction_max_amount: { ...orNull(price), description: 'Highest price of an event (`percentage`).' },
  graduated_ranges: range({ flat_amount: price, per_unit_amount: price }),
  volume_ranges: range({ flat_amount: price, per_unit_amount: price }),
  graduated_percentage_ranges: range({ rate: price, flat_amount: price }),
  pricing_group_keys: { ...groupKeys, description: 'Properties of events that units are grouped by.' },
  grouped_by: { ...groupKeys, description: 'The old name of `pricing_group_keys`.' },
};

const presentation_group_keys: JsonSchema = {
  ...list(
    object(
      { value: { type: 'string', minLength: 1 }, options: object({ display_in_invoice: { type: 'boolean' } }, []) },
      ['value'],
    ),
  ),
  maxItems: 2,
  description: 'Properties of events by which usage is broken down for display.',
};

const usedMembers: Record<string, JsonSchema> = {
  plan_amount_cents: orNull(SCALARS.BigInt ?? integer),
  ...Object.fromEntries(
    ['free_units', 'paid_units', 'per_package_unit_amount', 'per_unit_total_amount', 'units', 'rate']
      .concat(['fixed_fee_unit_amount', 'fixed_fee_total_amount', 'min_max_adjustment_total_amount'])
      .concat(['per_unit_amount', 'flat_unit_amount'])
      .map((name) => [name, orNull(decimal)]),
  ),
  ...Object.fromEntries(['per_package_size', 'free_events', 'paid_events'].map((name) => [name, orNull(integer)])),
  graduated_ranges: orNull(
    usedRange({ per_unit_amount: decimal, per_unit_total_amount: decimal, total_with_flat_amount: decimal }),
  ),
  graduated_percentage_ranges: orNull(
    usedRange({ rate: decimal, per_unit_total_amount: decimal, total_with_flat_amount: decimal }),
  ),
};

/** Objects that the graph carries as JSON. */
export const JSON_COMPONENTS: Readonly<Record<string, JsonSchema>> = {
  Properties: {
    ...object(priceMembers, []),
    description: 'Prices; which members there are depends on the charge model.',
  },
  ChargeProperties: {
    ...object({ ...priceMembers, presentation_group_keys }, []),
    description: 'Prices of a charge; which members there are depends on the charge model.',
  },
  FilterValues: {
    type: 'object',
    additionalProperties: texts,
    description: 'Values that a filter takes, by the property of the event. `__ALL_FILTER_VALUES__` means any value.',
  },
  NewFilterValues: {
    type: 'object',
    minProperties: 1,
    additionalProperties: { ...texts, minItems: 1 },
    description:
      'Values that a filter is to take, by the property of the event. `__ALL_FILTER_VALUES__` means any value.',
  },
  AmountDetails: {
    ...object(usedMembers, []),
    description: 'How the amount came about; which members there are depends on the charge model.',
  },
  Metadata: {
    type: 'object',
    maxProperties: 50,
    propertyNames: { maxLength: 100 },
    additionalProperties: { type: ['string', 'null'], maxLength: 255 },
    description: 'At most 50 keys of at most 100 characters; values are null or texts of at most 255.',
  },
};

const privilegeValue: JsonSchema = { type: ['integer', 'boolean', 'string'] };
const privilegeValueOrNone: JsonSchema = { type: ['integer', 'boolean', 'string', 'null'] };
const config: JsonSchema = { type: 'object', properties: { select_options: texts } };

const presented = list(object({ presentation_by: { type: 'object' }, units: decimal }));

/** One shape at several places. */
const at = (places: readonly string[], shape: string) => Object.fromEntries(places.map((place) => [place, ref(shape)]));

/** What the JSON scalar holds, by the place where the graph defines it. */
export const JSON_SHAPES: Readonly<Record<string, JsonSchema>> = {
  'PlanEntitlementPrivilege.config': config,
  'PlanEntitlementPrivilege.value': privilegeValue,
  'EntitlementValueInput.value': privilegeValue,
  'Fee.amountDetails': ref('AmountDetails'),
  'Fee.presentationBreakdowns': presented,
  ...Object.fromEntries(
    ['ChargeUsage', 'FilterUsage', 'GroupUsage'].flatMap((type) => [
      [`${type}.presentationBreakdowns`, presented],
      [`${type}.projectedPresentationBreakdowns`, presented],
    ]),
  ),
  'FilterUsage.values': ref('FilterValues'),
  'GroupUsage.groupedBy': { type: 'object', additionalProperties: { type: ['string', 'null'] } },
  'FeaturePrivilege.config': config,
  'FeeItem.filters': ref('FilterValues'),
  'FeeItem.groupedBy': { type: 'object', additionalProperties: { type: ['string', 'null'] } },
  'InvoiceErrorDetail.details': { type: 'object' },
  'Payment.nextAction': { type: 'object' },
  'SubscriptionEntitlement.overrides': { type: 'object', additionalProperties: privilegeValue },
  'SubscriptionEntitlementPrivilege.config': config,
  'SubscriptionEntitlementPrivilege.value': privilegeValue,
  'SubscriptionEntitlementPrivilege.planValue': privilegeValueOrNone,
  'SubscriptionEntitlementPrivilege.overrideValue': privilegeValueOrNone,
  'RecurringTransactionRule.transactionMetadata': list(object({ key: text, value: text })),
  'Event.properties': { type: 'object' },
  'ExpressionEventInput.properties': { type: ['object', 'null'] },
  'EstimatedEventInput.properties': { type: ['object', 'null'] },
  'RecordEventInput.properties': { type: ['object', 'null'] },
  'PreviewEventInput.properties': { type: 'object' },
  ...at(USED_PRICES, 'ChargeProperties'),
  ...at(OTHER_PRICES, 'Properties'),
  ...at(NEW_FILTER_VALUES, 'NewFilterValues'),
  ...at(FILTER_VALUES, 'FilterValues'),
  ...at(METADATA, 'Metadata'),
};
