import { type BillingError, invalid, joined, notFound } from '../../errors.ts';
import type { Privilege } from './privilege.ts';
import { allowedValue, type PrivilegeValue, type PrivilegeValues, readPrivilegeValue } from './value.ts';

/** What a caller says of the features of a plan or a subscription. */
export interface EntitlementSent {
  readonly featureCode: string;
  /** Nothing is a feature without values. */
  readonly privileges: readonly { readonly privilegeCode: string; readonly value: unknown }[] | null | undefined;
}

/** A feature that can be given, with its privileges. */
export interface KnownFeature {
  readonly id: string;
  readonly code: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly privileges: readonly Privilege[];
}

/** A feature with the values that were given for it. */
export interface Wanted {
  readonly featureId: string;
  readonly values: PrivilegeValues;
}

function givenValue(
  privilege: Privilege,
  given: unknown,
  at: readonly (string | number)[],
): PrivilegeValue | BillingError {
  const read = readPrivilegeValue(privilege, given);
  if ('value' in read) return read.value;
  const field = read.code === 'value_is_mandatory' ? 'privilege.value' : `${privilege.code}_privilege_value`;
  return invalid({ [field]: [read.code] }, { [field]: { at, name: 'value', limit: allowedValue(privilege) } });
}

/**
 * Reads what a caller says, by the features there are. Of a feature or a privilege that is named twice the last counts. Throws
 * `object_not_found` for one that is not there, and one validation error with all values that do not fit their privileges.
 */
export function wantedEntitlements(
  sent: readonly EntitlementSent[],
  features: ReadonlyMap<string, KnownFeature>,
): readonly Wanted[] {
  const faults: BillingError[] = [];
  const wanted = new Map<string, Wanted>();
  for (const [place, { featureCode, privileges }] of sent.entries()) {
    const feature = features.get(featureCode);
    if (!feature) throw notFound('feature', featureCode);
    const values: Record<string, PrivilegeValue> = Object.create(null);
    for (const [index, { privilegeCode, value }] of (privileges ?? []).entries()) {
      const privilege = feature.privileges.find(({ code }) => code === privilegeCode);
      if (!privilege) throw notFound('privilege', privilegeCode);
      const read = givenValue(privilege, value, ['entitlements', place, 'privileges', index]);
      if (read instanceof Error) faults.push(read);
      else values[privilegeCode] = read;
    }
    wanted.set(feature.id, { featureId: feature.id, values });
  }
  if (faults.length > 0) throw joined(...faults);
  return [...wanted.values()];
}

/** The values of a feature of a plan after a body: all of them, or those of a body among those there are. */
export function valuesAfter(stored: PrivilegeValues, wanted: PrivilegeValues, mode: 'replace' | 'merge') {
  // A feature that is named without values keeps those that it has.
  const isNamedOnly = Object.keys(wanted).length === 0;
  return mode === 'merge' || isNamedOnly ? { ...stored, ...wanted } : { ...wanted };
}
