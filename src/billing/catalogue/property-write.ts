import { Decimal } from '../money/decimal.ts';
import { isMembers } from '../usage/value.ts';
import { keptProperties, type PropertyPlace } from './charge-property.ts';
import { propertyFaults } from './charge-property-check.ts';
import type { ChargeProperties, PriceModel } from './charge-type.ts';
import type { AggregationType } from './metric.ts';
import type { PropertyFault } from './range-check.ts';

type Members = Readonly<Record<string, unknown>>;

/** For whom properties are written. */
export interface PropertyTarget {
  readonly model: PriceModel;
  readonly owner: PropertyPlace['owner'];
  /** How the metric of the charge counts; null for a fixed charge. */
  readonly aggregation: AggregationType | null;
}

/** Properties as they are stored, and what is wrong with them: codes of the one field `properties`. */
export interface WrittenProperties {
  readonly properties: ChargeProperties;
  readonly errors: readonly string[];
  /** Where each of the codes is. */
  readonly faults?: readonly PropertyFault[];
}

const AMOUNTS: ReadonlySet<string> = new Set([
  ...['amount', 'rate', 'fixed_amount', 'flat_amount', 'per_unit_amount', 'free_units_per_total_aggregation'],
  ...['per_transaction_max_amount', 'per_transaction_min_amount'],
]);
const RANGES: ReadonlySet<string> = new Set(['graduated_ranges', 'volume_ranges', 'graduated_percentage_ranges']);
const PLAIN = /^\d+(?:\.\d+)?$/;

/** Whether a number was sent that JSON readers of JavaScript and others would change: an integer past 2^53. */
function hasInexactNumber(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasInexactNumber);
}

/** Amounts keep the caller's digits; what was not written plainly (`1e3`, ` 5`, `+5`) becomes plain digits. */
function plainMember(name: string, value: unknown): unknown {
  if (RANGES.has(name) && Array.isArray(value)) return value.map((range) => plainRange(name, range));
  if (!AMOUNTS.has(name) || typeof value !== 'string' || PLAIN.test(value)) return value;
  return new Decimal(value.trim()).toFixed();
}

function plainRange(name: string, range: Members): Members {
  const { from_value, to_value, flat_amount, per_unit_amount, rate } = range;
  const price = name === 'graduated_percentage_ranges' ? { rate } : { per_unit_amount };
  return plainMembers({ from_value, to_value: to_value ?? null, ...price, flat_amount });
}

function plainMembers(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, plainMember(name, value)]));
}

/**
 * What is stored of the properties a caller sends: the members of the model, their amounts in the caller's digits. With
 * errors, the properties are as far as they go and must not be stored. `{amount: "0.10", rate: "5"}` of a standard charge
 * is `{amount: "0.10"}`. Source: behaviour 3.1, 3.2.
 */
export function writtenProperties(sent: unknown, { model, owner, aggregation }: PropertyTarget): WrittenProperties {
  const refused = (code: string, limit: string): WrittenProperties => {
    return { properties: {}, errors: [code], faults: [{ code, below: [], limit }] };
  };
  if (!isMembers(sent)) return refused('value_is_invalid', 'an object');
  if (hasInexactNumber(sent)) return refused('value_is_out_of_range', 'numbers of at most 2^53; longer ones as text');
  if (owner === 'fixed_charge' && Object.keys(sent).length === 0)
    return refused('value_is_mandatory', 'an amount or ranges');
  const kept = keptProperties(model, sent, { owner, customMetric: aggregation === 'custom' });
  const faults = propertyFaults(model, kept as Members, aggregation);
  if (faults.length === 0) return { properties: plainMembers(kept as Members) as ChargeProperties, errors: [] };
  return { properties: kept, errors: faults.map(({ code }) => code), faults };
}
