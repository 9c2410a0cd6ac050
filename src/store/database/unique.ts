import { type ErrorDetails, invalid } from '../../billing/errors.ts';

interface Violation {
  readonly index?: string;
  readonly fields?: readonly string[];
}

/** A uniqueness rule of the database, by its index and its last columns, and what its violation says. */
export interface UniqueRule {
  readonly index: string;
  readonly columns: readonly string[];
  readonly details: ErrorDetails;
}

export const UNIQUE_CHARGE_CODE: UniqueRule = {
  index: 'charges_plan_id_code_live_key',
  columns: ['plan_id', 'code'],
  details: { code: ['value_already_exist'] },
};
export const UNIQUE_FIXED_CHARGE_CODE: UniqueRule = {
  index: 'fixed_charges_plan_id_code_live_key',
  columns: ['plan_id', 'code'],
  details: { code: ['value_already_exist'] },
};
export const UNIQUE_FILTER_VALUES: UniqueRule = {
  index: 'charge_filters_charge_id_canonical_values_live_key',
  columns: ['charge_id', 'canonical_values'],
  details: { values: ['value_already_exist'] },
};

/** The code of an object among those of its table that are not deleted. */
const codeIn = (table: string): UniqueRule => ({
  index: `${table}_code_live_key`,
  columns: ['organization_id', 'code'],
  details: { code: ['value_already_exist'] },
});
export const UNIQUE_TAX_CODE = codeIn('taxes');
export const UNIQUE_PLAN_CODE = codeIn('plans');
export const UNIQUE_ADD_ON_CODE = codeIn('add_ons');
export const UNIQUE_COUPON_CODE = codeIn('coupons');
export const UNIQUE_SECTION_CODE = codeIn('invoice_custom_sections');
export const UNIQUE_PRICING_UNIT_CODE: UniqueRule = {
  ...codeIn('pricing_units'),
  index: 'pricing_units_organization_id_code_key',
};
export const UNIQUE_METRIC_CODE = codeIn('billable_metrics');
export const UNIQUE_FEATURE_CODE = codeIn('features');
/** Archived entities have their codes no longer. */
export const UNIQUE_ENTITY_CODE = codeIn('billing_entities');

export const UNIQUE_EXTERNAL_CUSTOMER: UniqueRule = {
  index: 'customers_external_id_live_key',
  columns: ['organization_id', 'external_id'],
  details: { external_id: ['value_already_exist'] },
};

export const UNIQUE_LIVE_SUBSCRIPTION: UniqueRule = {
  index: 'subscriptions_external_id_live_key',
  columns: ['organization_id', 'external_id'],
  details: { external_id: ['value_already_exist'] },
};

const ALERT = ['organization_id', 'external_subscription_id'] as const;
export const UNIQUE_ALERT_CODE: UniqueRule = {
  index: 'alerts_code_live_key',
  columns: [...ALERT, 'code'],
  details: { code: ['value_already_exist'] },
};
export const UNIQUE_ALERT_TYPE: UniqueRule = {
  index: 'alerts_type_live_key',
  columns: [...ALERT, 'alert_type'],
  details: { base: ['alert_already_exists'] },
};
export const UNIQUE_ALERT_METRIC: UniqueRule = {
  index: 'alerts_metric_live_key',
  columns: [...ALERT, 'alert_type', 'billable_metric_id'],
  details: { base: ['alert_already_exists'] },
};

interface Refusal {
  readonly code?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { kind?: unknown; constraint?: Violation } } };
}

/** What a unique violation is about, of a statement of the client's or of one by hand: a server names the index, the embedded one the columns. */
function violationOf(error: unknown): Violation | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, meta }: Refusal = error;
  const { kind, constraint } = meta?.driverAdapterError?.cause ?? {};
  return code === 'P2002' || kind === 'UniqueConstraintViolation' ? (constraint ?? {}) : null;
}

const unquoted = (name: string) => name.replaceAll('"', '');

function breaks({ index, fields }: Violation, rule: UniqueRule): boolean {
  if (index !== undefined) return unquoted(index) === rule.index;
  return fields?.map(unquoted).join() === rule.columns.join();
}

/**
 * Runs a write whose uniqueness is decided by the database, and turns a violation of one of the rules into its validation
 * error. Checks before the write only make for nicer answers: this one holds when two writes come at once.
 */
export async function whereUnique<T>(rules: readonly UniqueRule[], write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const violation = violationOf(error);
    const rule = violation && rules.find((one) => breaks(violation, one));
    throw rule ? invalid(rule.details) : error;
  }
}
