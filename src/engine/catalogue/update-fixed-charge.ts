import {
  type FixedChargePatch,
  type FixedChargeState,
  updatedFixedCharge,
} from '../../billing/catalogue/fixed-charge-update.ts';
import { ignoredMembers, keptHints } from '../../billing/catalogue/ignored.ts';
import { invalid } from '../../billing/errors.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { FIXED_CHARGE_COLUMNS, type FixedChargeRow, fixedChargeState } from '../../store/catalogue/fixed-charge-row.ts';
import { isAttached, lockPlan, lockPriced, taxesByCode, touchPlan } from '../../store/catalogue/plan-lock.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { UNIQUE_FIXED_CHARGE_CODE, whereUnique } from '../../store/database/unique.ts';
import { allChanged, type Written } from '../changed.ts';
import { issueUnitsOf } from '../invoice/issue-units.ts';
import { recordUnits } from '../subscription/record-units.ts';
import { inTransaction } from '../transaction.ts';
import { cascadeFixedCharge } from './cascade-fixed-charge.ts';

/** Where a fixed charge stands. */
export interface FixedChargePath {
  readonly planCode: string;
  readonly fixedChargeCode: string;
}

/** What a caller changes of a fixed charge; members that are absent leave what there is. */
export interface FixedChargeChange extends FixedChargePatch {
  readonly taxCodes?: readonly string[] | null;
  readonly applyUnitsImmediately?: boolean | null;
  readonly cascadeUpdates?: boolean | null;
  readonly addOnId?: string | null;
  readonly addOnCode?: string | null;
  /** Whether members that cannot change are refused where they would; else they are left as they are without a word. */
  readonly refusesIgnored?: boolean;
}

async function isCodeTaken(tx: TenantTransaction, { planId, id }: FixedChargeRow, code: string): Promise<boolean> {
  const where = { planId, code, deletedAt: null, id: { not: id } };
  return (await tx.fixedCharge.findFirst({ where, select: { id: true } })) !== null;
}

/** The add-on, which stays. */
function ignoredAddOn({ addOn }: FixedChargeRow, { addOnId, addOnCode }: FixedChargeChange) {
  const asked = { addOnId: addOnId ?? undefined, addOnCode: addOnCode ?? undefined };
  const kept = { addOnId: addOn.id, addOnCode: addOn.code };
  const ignored = ignoredMembers(asked, kept);
  return { ignored, hints: keptHints(ignored, kept) };
}

async function save(tx: TenantTransaction, row: FixedChargeRow, change: FixedChargeChange): Promise<FixedChargeState> {
  const attached = await isAttached(tx, row.planId);
  const { charge, errors, ignored, hints } = updatedFixedCharge(fixedChargeState(row), change, attached);
  const isTaken = charge.code !== row.code && (await isCodeTaken(tx, row, charge.code));
  const addOn = ignoredAddOn(row, change);
  const refused = change.refusesIgnored ? { ...ignored, ...addOn.ignored } : {};
  const details = { ...errors, ...refused, ...(isTaken && { code: ['value_already_exist'] }) };
  if (Object.keys(details).length > 0) throw invalid(details, { ...hints, ...addOn.hints });
  const taxes = await taxesByCode(tx, change.taxCodes);
  const { model, units, properties, code, invoiceDisplayName } = charge;
  await tx.fixedCharge.update({
    where: { id: row.id },
    data: {
      ...{ code, invoiceDisplayName, chargeModel: model, units: units.toFixed(), properties: properties as object },
      ...(taxes && { taxes: { set: taxes } }),
    },
    select: { id: true },
  });
  return charge;
}

async function update(tx: TenantTransaction, actor: Actor, path: FixedChargePath, change: FixedChargeChange) {
  const planId = await lockPlan(tx, actor, path.planCode);
  const id = await lockPriced(tx, actor, 'fixed_charge', { planId, code: path.fixedChargeCode });
  const row = await tx.fixedCharge.findUniqueOrThrow({ where: { id }, select: FIXED_CHARGE_COLUMNS });
  const before = fixedChargeState(row);
  const after = await save(tx, row, change);
  const immediately = change.applyUnitsImmediately === true;
  const isMoved = !before.units.eq(after.units);
  const units = { fixedCharge: row, before: before.units, after: after.units, immediately };
  const moved = await recordUnits(tx, actor, isMoved ? [units] : []);
  const issued = isMoved && immediately && row.payInAdvance ? await issueUnitsOf(tx, actor, row) : {};
  const cascaded = change.cascadeUpdates ? await cascadeFixedCharge(tx, actor, id, before, after) : {};
  await touchPlan(tx, actor, planId);
  const taxCodes = row.taxes.map(({ code }) => code);
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'fixed_charge.updated', objectType: 'fixed_charge', objectId: id },
    before: { ...before, taxCodes },
    after: { ...after, taxCodes: change.taxCodes ?? taxCodes, cascadedTo: cascaded.fixedCharges ?? [] },
  });
  return { id, changed: allChanged([moved, issued, cascaded, { plans: [planId], auditLogs: [entry] }]) };
}

/**
 * Changes a fixed charge of a plan with its taxes, and on request the overrides made from it; says all that was written. Other
 * units enter the history of each active subscription; those paid in advance that grow at once are invoiced at once. Throws
 * `object_not_found` for an unknown plan, fixed charge or tax and a validation error; nothing is changed then.
 */
export async function updateFixedCharge(
  db: TenantClient,
  actor: Actor,
  path: FixedChargePath,
  change: FixedChargeChange,
): Promise<Written> {
  const rules = [UNIQUE_FIXED_CHARGE_CODE];
  return whereUnique(rules, () => inTransaction(db, actor, (tx) => update(tx, actor, path, change)));
}
