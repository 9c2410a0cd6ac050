import { type ErrorDetails, gathered, invalid, refuse, within } from '../errors.ts';
import { filterValueErrors, filterValueHints } from './charge-check.ts';
import type { ChargeProperties, PriceModel } from './charge-type.ts';
import { canonicalFilter, type FilterValues } from './filter.ts';
import type { AggregationType, FilterKey } from './metric.ts';
import { writtenProperties } from './property-write.ts';

/** Bound: an index of the database holds a third of a page, and the canonical form is unique by one. */
const MOST_CANONICAL_BYTES = 2_500;

/** Characters of values in a message. */
const MOST_SHOWN = 200;

/** A filter as a caller sends it; absent and null display names are the same. */
export interface FilterInput {
  readonly values?: unknown;
  readonly properties?: unknown;
  /** The model that the properties are of, where the caller says so: another one than the charge's is refused. */
  readonly chargeModel?: PriceModel | null;
  readonly invoiceDisplayName?: string | null;
}

/** A filter as it is stored, without its identity. */
export interface FilterState {
  readonly values: FilterValues;
  /** What decides whether two filters are the same. */
  readonly canonical: string;
  readonly properties: ChargeProperties;
  readonly invoiceDisplayName: string | null;
}

/** What a filter must fit. */
export interface FilterCharge {
  readonly model: PriceModel;
  readonly metric: { readonly aggregation: AggregationType; readonly filters: readonly FilterKey[] };
}

const isBlank = (values: unknown) =>
  typeof values !== 'object' || values === null || Array.isArray(values) || Object.keys(values).length === 0;

/** Members are compared as text: 1 is "1". What is named twice is named once. Lists only. */
function textValues(values: object): FilterValues {
  const entries = Object.entries(values as Readonly<Record<string, readonly unknown[]>>);
  return Object.fromEntries(entries.map(([key, list]) => [key, [...new Set(list.map(String))]]));
}

/** Whether a list holds what has no text: an object or a list. */
const holdsObject = (values: object) =>
  Object.values(values).some((list) => Array.isArray(list) && list.some((one) => typeof one === 'object' && one));

/** Prices of a filter, which are of the model of its charge; throws a validation error. */
function filterProperties(input: FilterInput, { model, metric }: FilterCharge): ChargeProperties {
  if (input.chargeModel != null && input.chargeModel !== model) {
    const limit = `"${model}", the model of the charge`;
    throw invalid({ charge_model: ['value_is_invalid'] }, { charge_model: { limit } });
  }
  const target = { model, owner: 'filter', aggregation: metric.aggregation } as const;
  const { properties, errors, faults = [] } = writtenProperties(input.properties ?? {}, target);
  if (errors.length > 0) throw invalid({ properties: [...errors] }, { properties: { each: faults } });
  return properties;
}

/**
 * The filter that a caller means, or a validation error; asked in this order: are there values, do the properties fit the
 * charge's model, does each key and value belong to its metric. Source: behaviour 2.5.
 */
export function writtenFilter(input: FilterInput, charge: FilterCharge): FilterState {
  if (isBlank(input.values)) {
    throw invalid({ values: ['value_is_mandatory'] }, { values: { limit: 'lists of values by keys of the metric' } });
  }
  const { metric } = charge;
  const properties = filterProperties(input, charge);
  const sent = input.values as object;
  if (holdsObject(sent)) throw invalid({ values: ['value_is_invalid'] }, { values: { limit: 'lists of texts' } });
  const wrong = filterValueErrors(sent, metric.filters);
  if (Object.keys(wrong).length > 0) throw invalid(wrong, filterValueHints(sent, metric.filters));
  const values = textValues(sent);
  const canonical = canonicalFilter(values);
  if (new TextEncoder().encode(canonical).length > MOST_CANONICAL_BYTES) {
    const limit = `at most ${MOST_CANONICAL_BYTES} bytes in all`;
    throw invalid({ values: ['value_is_too_long'] }, { values: { limit } });
  }
  return { values, canonical, properties, invoiceDisplayName: input.invoiceDisplayName ?? null };
}

/** The filters of a whole list; the same values twice are refused. */
export function writtenFilters(inputs: readonly FilterInput[], charge: FilterCharge): readonly FilterState[] {
  const filters = gathered(
    inputs.map((input, index) => () => within(['filters', index], () => writtenFilter(input, charge))),
  );
  if (new Set(filters.map(({ canonical }) => canonical)).size < filters.length) {
    throw invalid({ values: ['value_already_exist'] }, { values: { at: ['filters'] } });
  }
  return filters;
}

const isTextLists = (values: unknown): values is FilterValues =>
  typeof values === 'object' &&
  values !== null &&
  !Array.isArray(values) &&
  Object.values(values).every((list) => Array.isArray(list) && list.every((one) => typeof one === 'string'));

/** What is wrong with values that are sent along with a filter that has others, which stay. */
function keptValueErrors(values: unknown, stored: FilterState, refusesIgnored: boolean): ErrorDetails {
  if (values == null) return {};
  if (!isTextLists(values)) return { values: ['value_is_invalid'] };
  const isOther = canonicalFilter(textValues(values)) !== stored.canonical;
  return refusesIgnored && isOther ? { values: ['value_cannot_be_changed'] } : {};
}

/**
 * What an update makes of a filter: absent members keep their values, null clears the name. Its values stay; others are refused where that
 * is asked for. Throws one validation error with all that is wrong. Source: engine-catalogue 11.3.
 */
export function changedFilter(
  stored: FilterState,
  input: FilterInput,
  charge: FilterCharge,
  refusesIgnored: boolean,
): FilterState {
  const wrong = keptValueErrors(input.values, stored, refusesIgnored);
  const isPriced = input.properties != null || input.chargeModel != null;
  const [properties] = gathered([
    () => (isPriced ? filterProperties(input, charge) : stored.properties),
    () => refuse(wrong, { values: { limit: JSON.stringify(stored.values).slice(0, MOST_SHOWN) } }),
  ]);
  const { invoiceDisplayName: name } = input;
  return { ...stored, properties, invoiceDisplayName: name === undefined ? stored.invoiceDisplayName : name };
}
