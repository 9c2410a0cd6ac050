import type { Privilege } from './privilege.ts';
import type { PrivilegeValue, PrivilegeValues } from './value.ts';

/** A feature of a plan. */
export interface PlanFeature {
  readonly featureId: string;
  readonly values: PrivilegeValues;
}

/** What a subscription has of a feature otherwise than its plan. */
export interface Deviation {
  /** Whether it has the feature whatever its plan has. */
  readonly isOwn: boolean;
  readonly isRemoved: boolean;
  readonly values: PrivilegeValues;
  readonly removedPrivileges: readonly string[];
}

export const NO_DEVIATION: Deviation = { isOwn: false, isRemoved: false, values: {}, removedPrivileges: [] };

const isSame = (one: PrivilegeValues, other: PrivilegeValues) =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([code, value]) => other[code] === value);

const without = (values: PrivilegeValues, codes: readonly string[]): PrivilegeValues =>
  Object.fromEntries(Object.entries(values).filter(([code]) => !codes.includes(code)));

/** Whether nothing of it is other than the plan. */
export const isNone = ({ isOwn, isRemoved, removedPrivileges }: Deviation) =>
  !isOwn && !isRemoved && removedPrivileges.length === 0;

/** Whether a subscription has a feature. */
export const hasFeature = (ofPlan: PrivilegeValues | undefined, { isOwn, isRemoved }: Deviation) =>
  !isRemoved && (isOwn || ofPlan !== undefined);

/**
 * What a subscription has of a feature after some values were set. What is as in the plan is no deviation: the very set of the plan takes
 * all deviations back. Privileges that are not named stay as they are.
 */
export function deviationAfter(
  ofPlan: PrivilegeValues | undefined,
  before: Deviation,
  set: PrivilegeValues,
): Deviation {
  if (!ofPlan) return { ...NO_DEVIATION, isOwn: true, values: { ...before.values, ...set } };
  if (isSame(ofPlan, set)) return NO_DEVIATION;
  const named = Object.keys(set);
  const other = Object.fromEntries(Object.entries(set).filter(([code, value]) => ofPlan[code] !== value));
  const values = { ...without(before.values, named), ...other };
  return {
    isOwn: Object.keys(values).length > 0,
    isRemoved: false,
    values,
    removedPrivileges: before.removedPrivileges.filter((code) => !named.includes(code)),
  };
}

/** What a subscription has of a feature after it was taken from it. */
export const withoutFeature = (ofPlan: PrivilegeValues | undefined): Deviation => ({
  ...NO_DEVIATION,
  isRemoved: ofPlan !== undefined,
});

/** The same after one privilege was. */
export function withoutPrivilege(ofPlan: PrivilegeValues | undefined, before: Deviation, code: string): Deviation {
  const values = without(before.values, [code]);
  const isOfPlan = ofPlan !== undefined && Object.hasOwn(ofPlan, code);
  const removed = isOfPlan ? [...new Set([...before.removedPrivileges, code])].sort() : before.removedPrivileges;
  const isOwn = ofPlan ? Object.keys(values).length > 0 : before.isOwn;
  return { ...before, isOwn, values, removedPrivileges: removed };
}

/** The value that a subscription has of a privilege, and where it comes from. */
export interface EffectiveValue {
  readonly privilege: Privilege;
  readonly value: PrivilegeValue;
  readonly planValue: PrivilegeValue | null;
  readonly overrideValue: PrivilegeValue | null;
}

const valueIn = (values: PrivilegeValues | undefined, code: string): PrivilegeValue | null =>
  values && Object.hasOwn(values, code) ? (values[code] ?? null) : null;

/** The values that a subscription has of a feature: its own, else those of the plan that are not taken from it. */
export function effectiveValues(
  privileges: readonly Privilege[],
  ofPlan: PrivilegeValues | undefined,
  { values, removedPrivileges }: Deviation,
): readonly EffectiveValue[] {
  return privileges.flatMap((privilege) => {
    const { code } = privilege;
    const planValue = valueIn(ofPlan, code);
    const overrideValue = valueIn(values, code);
    const value = overrideValue ?? planValue;
    if (value === null || removedPrivileges.includes(code)) return [];
    return [{ privilege, value, planValue, overrideValue }];
  });
}

/** A feature that a subscription has. */
export interface EffectiveFeature<Feature> {
  readonly feature: Feature;
  readonly values: readonly EffectiveValue[];
}

interface Named {
  readonly privileges: readonly Privilege[];
}

/** What a subscription has: the features of its plan that are not taken from it, then its own. */
export function effectiveFeatures<Feature extends Named>(
  ofPlan: readonly (PlanFeature & { readonly feature: Feature })[],
  deviations: readonly (Deviation & { readonly featureId: string; readonly feature: Feature })[],
): EffectiveFeature<Feature>[] {
  const known = new Map(deviations.map((one) => [one.featureId, one]));
  const inPlan = new Set(ofPlan.map(({ featureId }) => featureId));
  const all = [
    ...ofPlan.map(({ featureId, feature, values }) => ({ feature, values, own: known.get(featureId) ?? NO_DEVIATION })),
    ...deviations
      .filter(({ featureId }) => !inPlan.has(featureId))
      .map((own) => ({ feature: own.feature, values: undefined, own })),
  ];
  return all
    .filter(({ values, own }) => hasFeature(values, own))
    .map(({ feature, values, own }) => ({ feature, values: effectiveValues(feature.privileges, values, own) }));
}
