import { gathered, refuse } from '../../../billing/errors.ts';
import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { idsByCode } from '../../../store/catalogue/code-lock.ts';
import { FIXED_CHARGE_COLUMNS } from '../../../store/catalogue/fixed-charge-row.ts';
import { isAttached, lockOverrides, lockPlan, lockPriced, touchPlan } from '../../../store/catalogue/plan-lock.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import { UNIQUE_FIXED_CHARGE_CODE, whereUnique } from '../../../store/database/unique.ts';
import { allChanged, type Written } from '../../changed.ts';
import { inTransaction } from '../../transaction.ts';
import { cascadeFixedCharges } from './cascade-fixed-charge.ts';
import {
  changedFixedCharge,
  type FixedChargeChange,
  moveUnits,
  saveChangedFixedCharges,
} from './fixed-charge-change.ts';

/** Where a fixed charge stands. */
export interface FixedChargePath {
  readonly planCode: string;
  readonly fixedChargeCode: string;
}

/** What a caller changes of one fixed charge. */
export interface FixedChargeUpdate extends FixedChargeChange {
  readonly cascadeUpdates?: boolean | null;
  /** Whether members that cannot change are refused where they would; else they are left as they are without a word. */
  readonly refusesIgnored?: boolean;
}

async function isCodeTaken(tx: TenantTransaction, planId: string, id: string, code: string): Promise<boolean> {
  const where = { planId, code, deletedAt: null, id: { not: id } };
  return (await tx.fixedCharge.findFirst({ where, select: { id: true } })) !== null;
}

async function update(tx: TenantTransaction, actor: Actor, path: FixedChargePath, change: FixedChargeUpdate) {
  const { cascadeUpdates, refusesIgnored = false } = change;
  const planId = await lockPlan(tx, actor, path.planCode);
  const id = await lockPriced(tx, actor, 'fixed_charge', { planId, code: path.fixedChargeCode });
  const row = await tx.fixedCharge.findUniqueOrThrow({ where: { id }, select: FIXED_CHARGE_COLUMNS });
  const attached = await isAttached(tx, planId);
  const { after, read } = changedFixedCharge(row, change, { attached, refusesIgnored });
  const isTaken = after.code !== row.code && (await isCodeTaken(tx, planId, id, after.code));
  const taken = () => refuse(isTaken ? { code: ['value_already_exist'] } : {});
  const [changed] = gathered([read, taken]);
  const taxes = await idsByCode(tx, actor, 'tax', change.taxCodes ?? []);
  const [record] = await saveChangedFixedCharges(tx, actor, [changed], taxes);
  const { before, immediately } = changed;
  const moved = await moveUnits(tx, actor, [
    { fixedCharge: row, before: before.units, after: after.units, immediately },
  ]);
  const overrides = cascadeUpdates ? await lockOverrides(tx, actor, planId) : [];
  const cascaded = await cascadeFixedCharges(tx, actor, overrides, { changed: [changed] });
  await touchPlan(tx, actor, planId);
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'fixed_charge.updated', objectType: 'fixed_charge', objectId: id },
    before: record?.before,
    after: { ...record?.after, cascadedTo: cascaded.fixedCharges ?? [] },
  });
  return { id, changed: allChanged([moved, cascaded, { plans: [planId], auditLogs: [entry] }]) };
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
  change: FixedChargeUpdate,
): Promise<Written> {
  const rules = [UNIQUE_FIXED_CHARGE_CODE];
  return whereUnique(rules, () => inTransaction(db, actor, (tx) => update(tx, actor, path, change)));
}
