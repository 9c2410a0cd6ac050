import { cascadedFixedCharge, sameProperties } from '../../billing/catalogue/cascade.ts';
import type { FixedChargeState } from '../../billing/catalogue/fixed-charge-update.ts';
import type { Actor } from '../../store/access/audit.ts';
import { FIXED_CHARGE_COLUMNS, type FixedChargeRow, fixedChargeState } from '../../store/catalogue/fixed-charge-row.ts';
import { groupsOf } from '../../store/catalogue/group.ts';
import { lockOverrides } from '../../store/catalogue/plan-lock.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { allChanged, type Changed } from '../changed.ts';
import { recordUnits } from '../subscription/record-units.ts';
import { REACHED_PLAN } from './cascade-charge.ts';

/** The overrides of a fixed charge that a cascade reaches, locked. */
async function children(tx: TenantTransaction, actor: Actor, parentId: string): Promise<FixedChargeRow[]> {
  await lockOverrides(tx, actor, 'fixed_charge', parentId);
  return tx.fixedCharge.findMany({
    where: { parentId, deletedAt: null, plan: REACHED_PLAN },
    select: FIXED_CHARGE_COLUMNS,
    orderBy: { id: 'asc' },
  });
}

/** Plans on which a code is already another fixed charge's: there the child keeps its own. */
async function plansWithCode(tx: TenantTransaction, rows: readonly FixedChargeRow[], code: string) {
  const planId = { in: rows.map((row) => row.planId) };
  const taken = await tx.fixedCharge.findMany({ where: { planId, code, deletedAt: null }, select: { planId: true } });
  return new Set(taken.map((row) => row.planId));
}

const isSame = (one: FixedChargeState, other: FixedChargeState) =>
  one.code === other.code && one.units.eq(other.units) && sameProperties(one.properties, other.properties);

/**
 * Carries a change of a fixed charge over to the overrides made from it; says which of them changed. Their units change
 * with the next period, whatever was asked for the parent's.
 */
export async function cascadeFixedCharge(
  tx: TenantTransaction,
  actor: Actor,
  parentId: string,
  before: FixedChargeState,
  after: FixedChargeState,
): Promise<Changed> {
  const rows = await children(tx, actor, parentId);
  const taken = before.code === after.code ? new Set() : await plansWithCode(tx, rows, after.code);
  const changed = rows.flatMap((row) => {
    const old = fixedChargeState(row);
    const next = cascadedFixedCharge(old, before, after);
    const kept = taken.has(row.planId) ? { ...next, code: old.code } : next;
    return isSame(old, kept) ? [] : [{ row, old, kept }];
  });
  const written = ({ kept: { code, units, properties } }: (typeof changed)[number]) =>
    JSON.stringify([code, units.toFixed(), properties]);
  for (const group of groupsOf(changed, written)) {
    const [{ kept }] = group;
    const id = { in: group.map(({ row }) => row.id) };
    const data = { code: kept.code, units: kept.units.toFixed(), properties: kept.properties as object };
    await tx.fixedCharge.updateMany({ where: { id }, data });
  }
  const moved = changed.filter(({ old, kept }) => !old.units.eq(kept.units));
  const units = await recordUnits(
    tx,
    actor,
    moved.map(({ row, old, kept }) => ({ fixedCharge: row, before: old.units, after: kept.units, immediately: false })),
  );
  return allChanged([{ fixedCharges: changed.map(({ row }) => row.id) }, units]);
}
