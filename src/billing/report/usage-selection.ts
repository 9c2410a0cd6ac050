import { pricingGroupKeys } from '../aggregate/group.ts';
import type { UsageGroup } from '../aggregate/metric-usage.ts';
import type { ChargeProperties, PresentationKey } from '../catalogue/charge-type.ts';
import type { PlanChargeInput } from '../catalogue/plan.ts';
import { notAllowed, notFound } from '../errors.ts';
import { byTargetWallet } from '../fee/target-wallet.ts';

/** Which usage is meant, and how it is shown. */
export interface UsageSelection {
  /** Of the three the first that is given narrows the charges. */
  readonly chargeId?: string | null | undefined;
  readonly chargeCode?: string | null | undefined;
  readonly metricCode?: string | null | undefined;
  /** Only usage whose events have one of these values in these properties. */
  readonly group?: Readonly<Record<string, readonly string[]>> | null | undefined;
  /** Of the keys that units are presented by, only these; absent: all. */
  readonly presentation?: readonly string[] | null | undefined;
  /** Pricing groups are priced together, as if there were none. */
  readonly skipsGrouping?: boolean | null | undefined;
  /** Since the start of the subscription instead of the period. */
  readonly isWhole?: boolean | null | undefined;
}

const filled = (text: string | null | undefined) => (text == null || text === '' ? null : text);

function chargeCondition({ chargeId, chargeCode, metricCode }: UsageSelection) {
  const [id, code, metric] = [filled(chargeId), filled(chargeCode), filled(metricCode)];
  if (id !== null) return (charge: PlanChargeInput) => charge.id === id.toLowerCase();
  if (code !== null) return (charge: PlanChargeInput) => charge.code === code;
  return metric === null ? null : (charge: PlanChargeInput) => charge.metric.code === metric;
}

const groupKeys = ({ group }: UsageSelection) => Object.keys(group ?? {});

const nameOf = ({ metric }: PlanChargeInput) => metric.name.toLowerCase();

/**
 * The charges whose usage is meant, in the order in which they are shown: by the names of their metrics. Throws `method_not_allowed`
 * (`full_usage_not_allowed`) for usage since the start of all charges, or of one that is prorated; `object_not_found` where no charge
 * has the identifier or code. Source: engine-catalogue 15.1.
 */
export function selectedCharges(charges: readonly PlanChargeInput[], selection: UsageSelection): PlanChargeInput[] {
  const condition = chargeCondition(selection);
  const selected = condition === null ? [...charges] : charges.filter(condition);
  const isNarrowed = condition !== null || groupKeys(selection).length > 0;
  if (selection.isWhole && (!isNarrowed || selected.some(({ prorated }) => prorated))) {
    throw notAllowed('full_usage_not_allowed');
  }
  if (condition !== null && selected.length === 0) throw notFound('charge');
  const named = selected.map((charge) => ({ charge, name: nameOf(charge) }));
  named.sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
  return named.map(({ charge }) => charge);
}

function presentationOf(properties: ChargeProperties, { presentation }: UsageSelection): PresentationKey[] {
  const keys = properties.presentation_group_keys ?? [];
  const shown = presentation == null ? keys : keys.filter(({ value }) => presentation.includes(value));
  return shown.map(({ value }) => ({ value, options: { display_in_invoice: true } }));
}

/** The charge as its usage is asked about: grouped by what narrows it too, presented by all keys that are meant. */
export function chargeAsked(given: PlanChargeInput, selection: UsageSelection): PlanChargeInput {
  const charge = byTargetWallet(given);
  const asked = (properties: ChargeProperties): ChargeProperties => {
    const own = selection.skipsGrouping ? [] : pricingGroupKeys(properties);
    return { ...properties, pricing_group_keys: [...new Set([...own, ...groupKeys(selection)])] };
  };
  const properties = {
    ...asked(charge.properties),
    presentation_group_keys: presentationOf(charge.properties, selection),
  };
  const filters = charge.filters.map((filter) => ({ ...filter, properties: asked(filter.properties) }));
  return { ...charge, properties, filters };
}

/**
 * The groups that have the values that are meant; of a bucket in which no usage has them, the one of no usage.
 * `empty` are the groups of no usage, one a bucket.
 */
export function groupsSelected(
  groups: readonly UsageGroup[],
  empty: readonly UsageGroup[],
  { group }: UsageSelection,
): readonly UsageGroup[] {
  const wanted = Object.entries(group ?? {});
  if (wanted.length === 0) return groups;
  const isMeant = ({ groupedBy }: UsageGroup) => wanted.every(([key, values]) => values.includes(groupedBy[key] ?? ''));
  return empty.flatMap((none) => {
    const own = groups.filter((one) => one.filter?.id === none.filter?.id && isMeant(one));
    return own.length > 0 ? own : [none];
  });
}
