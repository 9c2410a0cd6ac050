import type { FilterSync } from '../../../billing/catalogue/filter-sync.ts';
import { changedFilter, type FilterInput } from '../../../billing/catalogue/filter-write.ts';
import { notFound } from '../../../billing/errors.ts';
import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { changeFilters, removeFilters } from '../../../store/catalogue/charge-filter-write.ts';
import {
  CHARGE_COLUMNS,
  chargeState,
  filterRecord,
  filterState,
  type PlacedFilter,
} from '../../../store/catalogue/charge-row.ts';
import { lockOverrides, lockPlan, lockPriced, touchPlan } from '../../../store/catalogue/plan-lock.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import { readUuid } from '../../../store/database/uuid.ts';
import type { Written } from '../../changed.ts';
import { inTransaction } from '../../transaction.ts';
import { cascadeCharges } from './cascade-charge.ts';
import type { ChargeOnPlan } from './create-charge-filter.ts';
import type { Cascading } from './create-price.ts';
import type { ChargePath } from './update-charge.ts';

/** Where a filter stands. */
export interface FilterPath extends ChargePath {
  readonly svcId: string;
}

/** What a caller changes of a filter; absent members leave what there is. */
export interface FilterUpdate extends FilterInput, Cascading {
  /** Whether other values are refused; else they are left as they are without a word. */
  readonly refusesIgnored?: boolean;
}

/** A filter of a charge of a plan that is locked. */
export interface FilterOnPlan extends ChargeOnPlan {
  readonly svcId: string;
}

/** A filter with its charge. Throws `object_not_found`. */
async function found(tx: TenantTransaction, actor: Actor, { planId, chargeCode, svcId }: FilterOnPlan) {
  const id = await lockPriced(tx, actor, 'charge', { planId, code: chargeCode });
  const row = await tx.charge.findUniqueOrThrow({ where: { id }, select: CHARGE_COLUMNS });
  const filter = row.filters.map(filterState).find((one) => one.id === readUuid(svcId));
  if (!filter) throw notFound('charge_filter');
  return { planId, row, charge: chargeState(row), filter };
}

type Found = Awaited<ReturnType<typeof found>>;

/** What a write of a filter carries over to overrides, and logs. */
async function finish(
  tx: TenantTransaction,
  actor: Actor,
  { planId, row, charge, filter }: Found,
  { cascadeUpdates }: Cascading,
  done: { readonly verb: string; readonly sync: FilterSync<PlacedFilter>; readonly after: object | null },
): Promise<Written> {
  const { verb, sync, after } = done;
  const overrides = cascadeUpdates ? await lockOverrides(tx, actor, planId) : [];
  const changed = [{ row, before: charge, after: charge, sync }];
  const cascadedTo = await cascadeCharges(tx, actor, overrides, { changed });
  await touchPlan(tx, actor, planId);
  const entry = await recordAudit(tx, {
    ...{ actor, action: `charge_filter.${verb}`, objectType: 'charge_filter', objectId: filter.id },
    before: { chargeId: row.id, ...filterRecord(filter) },
    after: after && { chargeId: row.id, ...after, cascadedTo },
  });
  return { id: filter.id, changed: { charges: [row.id, ...cascadedTo], plans: [planId], auditLogs: [entry] } };
}

/** Changes the name and the prices of a filter of a locked plan. Throws `object_not_found` and a validation error. */
export async function changeFilter(
  tx: TenantTransaction,
  actor: Actor,
  path: FilterOnPlan,
  { refusesIgnored = false, ...change }: FilterUpdate,
): Promise<Written> {
  const of = await found(tx, actor, path);
  const { charge, filter: stored } = of;
  const wanted = changedFilter(stored, change, charge, refusesIgnored);
  const to = { ...stored, ...wanted };
  if (JSON.stringify(to) === JSON.stringify(stored)) return { id: stored.id, changed: {} };
  await changeFilters(tx, actor, [{ from: stored, to }]);
  const sync = { kept: [{ stored, wanted }], created: [], removed: [] };
  return finish(tx, actor, of, change, { verb: 'updated', sync, after: filterRecord(to) });
}

/** Ends a filter of a locked plan. Throws `object_not_found`. */
export async function endFilter(
  tx: TenantTransaction,
  actor: Actor,
  path: FilterOnPlan,
  cascading: Cascading,
): Promise<Written> {
  const of = await found(tx, actor, path);
  await removeFilters(tx, actor, [of.filter]);
  const sync = { kept: [], created: [], removed: [of.filter] };
  return finish(tx, actor, of, cascading, { verb: 'deleted', sync, after: null });
}

const locked = async (tx: TenantTransaction, actor: Actor, { planCode, ...path }: FilterPath) => ({
  ...path,
  planId: await lockPlan(tx, actor, planCode),
});

/**
 * Changes the name and the prices of a filter, and on request of those of the same values on overrides; its values stay. Throws
 * `object_not_found` and a validation error for prices that do not fit.
 */
export const updateChargeFilter = (
  db: TenantClient,
  actor: Actor,
  path: FilterPath,
  change: FilterUpdate,
): Promise<Written> =>
  inTransaction(db, actor, async (tx) => changeFilter(tx, actor, await locked(tx, actor, path), change));

/** Ends a filter, and on request those of overrides that are still as it is. Throws `object_not_found`. */
export const destroyChargeFilter = (
  db: TenantClient,
  actor: Actor,
  path: FilterPath,
  cascading: Cascading,
): Promise<Written> =>
  inTransaction(db, actor, async (tx) => endFilter(tx, actor, await locked(tx, actor, path), cascading));
