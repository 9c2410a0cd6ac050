import {
  type FixedChargePatch,
  type FixedChargeState,
  updatedFixedCharge,
} from '../../../billing/catalogue/fixed-charge-update.ts';
import { ignoredMembers, keptHints } from '../../../billing/catalogue/ignored.ts';
import { refuse } from '../../../billing/errors.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { type FixedChargeRow, fixedChargeState } from '../../../store/catalogue/fixed-charge-row.ts';
import { changeFixedCharges } from '../../../store/catalogue/price-change.ts';
import { replaceTaxes } from '../../../store/catalogue/tax-link.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import { allChanged, type Changed } from '../../changed.ts';
import { issueUnitsOf } from '../../invoice/issue-units.ts';
import { recordUnits, type UnitsChange } from '../../invoice/record-units.ts';
import type { Bounds } from './charge-change.ts';

/** What a caller changes of a fixed charge; members that are absent leave what there is. */
export interface FixedChargeChange extends FixedChargePatch {
  readonly taxCodes?: readonly string[] | null;
  readonly applyUnitsImmediately?: boolean | null;
  readonly addOnId?: string | null;
  readonly addOnCode?: string | null;
}

/** A fixed charge that changes. */
export interface ChangedFixedCharge {
  readonly row: FixedChargeRow;
  readonly before: FixedChargeState;
  readonly after: FixedChargeState;
  /** Codes of all its taxes; undefined where they stay. */
  readonly taxCodes: readonly string[] | undefined;
  /** Whether other units count at once. */
  readonly immediately: boolean;
}

/** The add-on, which stays. */
function ignoredAddOn({ addOn }: FixedChargeRow, { addOnId, addOnCode }: FixedChargeChange) {
  const asked = { addOnId: addOnId?.toLowerCase() ?? undefined, addOnCode: addOnCode ?? undefined };
  const kept = { addOnId: addOn.id, addOnCode: addOn.code };
  const ignored = ignoredMembers(asked, kept);
  return { ignored, hints: keptHints(ignored, kept) };
}

/** What a change makes of a fixed charge, and the check of it, which throws one validation error with all that is wrong. */
export function changedFixedCharge(
  row: FixedChargeRow,
  change: FixedChargeChange,
  { attached, refusesIgnored }: Bounds,
) {
  const before = fixedChargeState(row);
  const { charge: after, errors, ignored, hints } = updatedFixedCharge(before, change, attached);
  const addOn = ignoredAddOn(row, change);
  const refused = refusesIgnored ? { ...ignored, ...addOn.ignored } : {};
  return {
    after,
    read: (): ChangedFixedCharge => {
      refuse({ ...errors, ...refused }, { ...hints, ...addOn.hints });
      const immediately = change.applyUnitsImmediately === true;
      return { row, before, after, taxCodes: change.taxCodes ?? undefined, immediately };
    },
  };
}

const recordOf = ({ units, ...members }: FixedChargeState, taxCodes: readonly string[]) => ({
  ...members,
  units,
  taxCodes,
});

/** Whether nothing is to be stored of a change. */
export const isFixedUnchanged = ({ row, before, after, taxCodes }: ChangedFixedCharge): boolean =>
  JSON.stringify(before) === JSON.stringify(after) &&
  (taxCodes === undefined || [...new Set(taxCodes)].sort().join('\0') === row.taxes.map(({ code }) => code).join('\0'));

/** Stores changed fixed charges with their taxes; says what the log keeps of them. `taxes` are identifiers by code. */
export async function saveChangedFixedCharges(
  tx: TenantTransaction,
  actor: Actor,
  changes: readonly ChangedFixedCharge[],
  taxes: ReadonlyMap<string, string>,
) {
  const rows = changes.map(({ row, after }) => ({
    ...{ id: row.id, codes: [row.code, after.code] as const, charge: after },
  }));
  await changeFixedCharges(tx, actor, rows);
  const taxed = changes.flatMap(({ row, taxCodes }) =>
    taxCodes ? [{ id: row.id, taxIds: [...new Set(taxCodes)].flatMap((code) => taxes.get(code) ?? []) }] : [],
  );
  await replaceTaxes(tx, 'fixed_charge', taxed);
  return changes.map(({ row, before, after, taxCodes }) => {
    const stored = row.taxes.map(({ code }) => code);
    return { before: recordOf(before, stored), after: recordOf(after, taxCodes ?? stored) };
  });
}

/** Units of a fixed charge that become others, also those of a new one. */
export interface MovedUnits extends UnitsChange {
  readonly fixedCharge: UnitsChange['fixedCharge'] & { readonly payInAdvance: boolean };
}

/**
 * Records other units in the histories of the active subscriptions on the plan; those that are paid in advance and count at once are
 * invoiced at once, all of a subscription together.
 */
export async function moveUnits(tx: TenantTransaction, actor: Actor, units: readonly MovedUnits[]): Promise<Changed> {
  const moved = units.filter(({ before, after }) => !before.eq(after));
  const changed = [await recordUnits(tx, actor, moved)];
  const billed = moved.filter(({ fixedCharge, immediately }) => immediately && fixedCharge.payInAdvance);
  for (const planId of new Set(billed.map(({ fixedCharge }) => fixedCharge.planId))) {
    const ids = billed.flatMap(({ fixedCharge }) => (fixedCharge.planId === planId ? [fixedCharge.id] : []));
    changed.push(await issueUnitsOf(tx, actor, { planId, ids }));
  }
  return allChanged(changed);
}
