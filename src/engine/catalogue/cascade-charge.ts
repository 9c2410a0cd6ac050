import { type CascadedCharge, cascadedCharge, sameProperties } from '../../billing/catalogue/cascade.ts';
import type { ChargeState } from '../../billing/catalogue/charge-update.ts';
import type { Actor } from '../../store/access/audit.ts';
import { CHARGE_COLUMNS, type ChargeRow, chargeState } from '../../store/catalogue/charge-row.ts';
import { groupsOf } from '../../store/catalogue/group.ts';
import { lockOverrides } from '../../store/catalogue/plan-lock.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import type { PlanWhereInput } from '../../store/generated/prisma/models.ts';
import { cascadeFilters, type FilterChanges } from './cascade-filter.ts';

/** The plan of a child that a cascade reaches: one that somebody uses, or is about to. */
export const REACHED_PLAN = {
  deletedAt: null,
  subscriptions: { some: { status: { in: ['active', 'pending'] } } },
} satisfies PlanWhereInput;

/** The overrides of a charge that a cascade reaches, locked; those under another model than the parent's are left out. */
export async function childCharges(
  tx: TenantTransaction,
  actor: Actor,
  parentId: string,
  model: ChargeState['model'],
): Promise<ChargeRow[]> {
  await lockOverrides(tx, actor, 'charge', parentId);
  return tx.charge.findMany({
    where: { parentId, deletedAt: null, chargeModel: model, plan: REACHED_PLAN },
    select: CHARGE_COLUMNS,
    orderBy: { id: 'asc' },
  });
}

const isSame = (one: CascadedCharge, other: CascadedCharge) =>
  one.code === other.code && sameProperties(one.properties, other.properties);

/** Plans on which a code is already another charge's: there the child keeps its own. */
async function plansWithCode(tx: TenantTransaction, children: readonly ChargeRow[], code: string) {
  const planId = { in: children.map((child) => child.planId) };
  const rows = await tx.charge.findMany({ where: { planId, code, deletedAt: null }, select: { planId: true } });
  return new Set(rows.map((row) => row.planId));
}

async function cascadeMembers(
  tx: TenantTransaction,
  children: readonly ChargeRow[],
  before: CascadedCharge,
  after: CascadedCharge,
): Promise<string[]> {
  const taken = before.code === after.code ? new Set() : await plansWithCode(tx, children, after.code);
  const changed = children.flatMap((row) => {
    const child = chargeState(row);
    const next = cascadedCharge(child, before, after);
    const kept = taken.has(row.planId) ? { ...next, code: child.code } : next;
    return isSame(child, kept) ? [] : [{ id: row.id, code: kept.code, properties: kept.properties }];
  });
  for (const group of groupsOf(changed, ({ code, properties }) => JSON.stringify([code, properties]))) {
    const [{ code, properties }] = group;
    const id = { in: group.map((one) => one.id) };
    await tx.charge.updateMany({ where: { id }, data: { code, properties: properties as object } });
  }
  return changed.map(({ id }) => id);
}

/** Carries a change of a charge and its filters over to the overrides made from it; says which of them changed. */
export async function cascadeCharge(
  tx: TenantTransaction,
  actor: Actor,
  parentId: string,
  change: { readonly before: ChargeState; readonly after: ChargeState; readonly filters: FilterChanges | null },
): Promise<string[]> {
  const { before, after, filters } = change;
  const children = await childCharges(tx, actor, parentId, after.model);
  const changed = await cascadeMembers(tx, children, before, after);
  const filtered = filters ? await cascadeFilters(tx, actor, children, filters) : [];
  return [...new Set([...changed, ...filtered])];
}
