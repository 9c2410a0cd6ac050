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

/** What a unique violation is about: a server names the index, the embedded one the columns. */
function violationOf(error: unknown): Violation | null {
  if (typeof error !== 'object' || error === null || (error as { code?: unknown }).code !== 'P2002') return null;
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { constraint?: Violation } } } };
  return meta?.driverAdapterError?.cause?.constraint ?? {};
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
