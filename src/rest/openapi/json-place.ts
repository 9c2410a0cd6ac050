// Where the graph takes or shows JSON of one shape.

const named = (inputs: readonly string[], member: string) => inputs.map((input) => `${input}.${member}`);

const NEW_FILTERS = ['ChargeFilterInput', 'CreateChargeFilterInput', 'CreateSubscriptionChargeFilterInput'];
const FILTERS = ['UpdateChargeFilterInput', 'UpdateSubscriptionChargeFilterInput'];

/** Prices of usage charges. */
export const USED_PRICES = named(
  [
    ...['Charge', 'PlanChargeInput', 'CreateChargeInput', 'UpdateChargeInput', 'UpdatePlanChargeInput'],
    ...['ChargeOverrideInput', 'SubscriptionChargeInput'],
  ],
  'properties',
);

/** Prices of fixed charges, and of filters. */
export const OTHER_PRICES = named(
  [
    ...['FixedCharge', 'PlanFixedChargeInput', 'CreateFixedChargeInput', 'UpdateFixedChargeInput'],
    ...['UpdatePlanFixedChargeInput', 'FixedChargeOverrideInput', 'SubscriptionFixedChargeInput'],
    ...['ChargeFilter', ...NEW_FILTERS, ...FILTERS],
  ],
  'properties',
);

/** What a new filter takes; there must be something. */
export const NEW_FILTER_VALUES = named(NEW_FILTERS, 'values');

/** What a filter takes. */
export const FILTER_VALUES = named(['ChargeFilter', ...FILTERS], 'values');

/** Free key-value pairs. */
export const METADATA = [
  ...named(['Plan', 'Wallet', 'CreatePlanInput', 'UpdatePlanInput', 'PlanOverridesInput'], 'metadata'),
  ...['replacePlanMetadata', 'mergePlanMetadata', 'mergeWalletMetadata'].map((name) => `Mutation.${name}.metadata`),
  'Wallet.metadataObject',
];
