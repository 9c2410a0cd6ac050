import { type Decimal, dec } from '../money/decimal.ts';
import type { ChargeProperties, PriceModel } from './charge-type.ts';
import { ALL_FILTER_VALUES, canonicalFilter, type FilterValues } from './filter.ts';
import type { FilterState } from './filter-write.ts';
import type { FilterKey } from './metric.ts';

type Members = Readonly<Record<string, unknown>>;

const GROUP_KEYS = ['pricing_group_keys', 'presentation_group_keys'] as const;
const DECIMAL_TEXT = /^-?\d{1,100}(?:\.\d{1,100})?$/;

/** What of a charge the overrides of its plan follow. */
export interface CascadedCharge {
  readonly code: string;
  readonly model: PriceModel;
  readonly properties: ChargeProperties;
}

export interface CascadedFixedCharge extends CascadedCharge {
  readonly units: Decimal;
}

const isDecimalText = (value: unknown): value is string => typeof value === 'string' && DECIMAL_TEXT.test(value);

/** Members that are null or absent count the same; so do the two names of the pricing groups. */
function significant(properties: Members): Members {
  const { grouped_by: old, ...rest } = properties;
  const groups = rest.pricing_group_keys ?? old;
  const named = groups === undefined ? rest : { ...rest, pricing_group_keys: groups };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value != null));
}

function sameValue(one: unknown, other: unknown): boolean {
  if (one === other || (one == null && other == null)) return true;
  if (isDecimalText(one) && isDecimalText(other)) return dec(one).eq(dec(other));
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [first, second] = [one as Members, other as Members];
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].every((name) =>
    sameValue(first[name], second[name]),
  );
}

/** Whether properties mean the same: decimals by their number ("10" is "10.0"), members in any order. */
export function sameProperties(one: ChargeProperties, other: ChargeProperties): boolean {
  return sameValue(significant(one as Members), significant(other as Members));
}

/** The parent's new properties; a child that says the same in other digits keeps its own. */
const followed = (child: ChargeProperties, after: ChargeProperties): ChargeProperties =>
  sameProperties(child, after) ? child : after;

/** Group keys of a customised child follow where they alone were still the parent's. */
function withGroupKeys(
  child: ChargeProperties,
  before: ChargeProperties,
  after: ChargeProperties,
  names: readonly (typeof GROUP_KEYS)[number][],
): ChargeProperties {
  const [own, old, now] = [child, before, after].map((one) => significant(one as Members));
  const next: Record<string, unknown> = { ...own };
  for (const name of names) {
    if (!sameValue(own?.[name], old?.[name])) continue;
    if (now?.[name] === undefined) delete next[name];
    else next[name] = now[name];
  }
  return next;
}

/** The code of a child of the same model: its parent's new one where it had the old one. A child under another model keeps its own. */
export function cascadedCode(
  child: Pick<CascadedCharge, 'code' | 'model'>,
  before: Pick<CascadedCharge, 'code'>,
  after: Pick<CascadedCharge, 'code' | 'model'>,
): string {
  return child.model === after.model && child.code === before.code ? after.code : child.code;
}

/**
 * What a child charge becomes when its parent changed: the prices where all of them were still the parent's old ones, the
 * code and group keys each where it was. A child under another model is left alone. Parent 5 to 7: a child at "5.0" becomes
 * 7, one at 4 stays. Run again it changes nothing. Source: behaviour 3.4, design 11.
 */
export function cascadedCharge<C extends CascadedCharge>(child: C, before: CascadedCharge, after: CascadedCharge): C {
  if (child.model !== after.model) return child;
  const code = cascadedCode(child, before, after);
  if (before.model === child.model && sameProperties(child.properties, before.properties)) {
    return { ...child, code, properties: followed(child.properties, after.properties) };
  }
  return {
    ...child,
    code,
    properties: withGroupKeys(child.properties, before.properties, after.properties, GROUP_KEYS),
  };
}

/** What a child fixed charge becomes: prices and units only together, where both were still the parent's. */
export function cascadedFixedCharge<C extends CascadedFixedCharge>(
  child: C,
  before: CascadedFixedCharge,
  after: CascadedFixedCharge,
): C {
  if (child.model !== after.model) return child;
  const code = cascadedCode(child, before, after);
  const isUntouched =
    before.model === child.model && child.units.eq(before.units) && sameProperties(child.properties, before.properties);
  return isUntouched
    ? { ...child, code, units: after.units, properties: followed(child.properties, after.properties) }
    : { ...child, code };
}

/** What a child's filter becomes when the parent's filter of the same values changed: each part where it was the parent's. */
export function cascadedFilter<F extends FilterState>(child: F, before: FilterState, after: FilterState): F {
  const isUntouched = sameProperties(child.properties, before.properties);
  const isNamed = child.invoiceDisplayName === before.invoiceDisplayName;
  return {
    ...child,
    invoiceDisplayName: isUntouched && isNamed ? after.invoiceDisplayName : child.invoiceDisplayName,
    properties: isUntouched
      ? followed(child.properties, after.properties)
      : withGroupKeys(child.properties, before.properties, after.properties, ['pricing_group_keys']),
  };
}

/** Whether a child's filter is still the parent's, so that it goes with it. */
export function isSameFilter(child: FilterState, parent: FilterState): boolean {
  return child.canonical === parent.canonical && sameProperties(child.properties, parent.properties);
}

/** A parent's new filter on a child: the values that the child's metric knows; null when it knows none. */
export function filterForChild(filter: FilterState, declared: readonly FilterKey[]): FilterState | null {
  const known = new Map(declared.map(({ key, values }) => [key, values]));
  const kept = Object.entries(filter.values).map(([key, values]) => {
    const own = known.get(key);
    return [
      key,
      values.filter((value) => (value === ALL_FILTER_VALUES ? own !== undefined : own?.includes(value))),
    ] as const;
  });
  const values: FilterValues = Object.fromEntries(kept.filter(([, list]) => list.length > 0));
  if (Object.keys(values).length === 0) return null;
  return { ...filter, values, canonical: canonicalFilter(values) };
}
