import { type FilterInput, writtenFilter } from '../../../billing/catalogue/filter-write.ts';
import { invalid } from '../../../billing/errors.ts';
import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { addFilters } from '../../../store/catalogue/charge-filter-write.ts';
import { CHARGE_COLUMNS, chargeState, filterRecord } from '../../../store/catalogue/charge-row.ts';
import { lockOverrides, lockPlan, lockPriced, touchPlan } from '../../../store/catalogue/plan-lock.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import { UNIQUE_FILTER_VALUES, whereUnique } from '../../../store/database/unique.ts';
import type { Written } from '../../changed.ts';
import { inTransaction } from '../../transaction.ts';
import { cascadeCharges } from './cascade-charge.ts';
import type { ChargePath } from './update-charge.ts';

export interface NewFilterInput extends FilterInput {
  readonly cascadeUpdates?: boolean | null;
}

/** A charge of a plan that is locked. */
export interface ChargeOnPlan {
  readonly planId: string;
  readonly chargeCode: string;
}

/** Adds a filter to a charge of a locked plan. Throws `object_not_found` for an unknown charge and a validation error. */
export async function addFilter(
  tx: TenantTransaction,
  actor: Actor,
  { planId, chargeCode }: ChargeOnPlan,
  input: NewFilterInput,
): Promise<Written> {
  const chargeId = await lockPriced(tx, actor, 'charge', { planId, code: chargeCode });
  const row = await tx.charge.findUniqueOrThrow({ where: { id: chargeId }, select: CHARGE_COLUMNS });
  const charge = chargeState(row);
  const filter = writtenFilter(input, charge);
  if (row.filters.some(({ canonicalValues }) => canonicalValues === filter.canonical)) {
    throw invalid({ values: ['value_already_exist'] });
  }
  const position = Math.max(-1, ...row.filters.map((other) => other.position)) + 1;
  const [stored] = await addFilters(tx, actor, [{ chargeId, filter, position }]);
  if (!stored) throw new Error('no filter was stored');
  const overrides = input.cascadeUpdates ? await lockOverrides(tx, actor, planId) : [];
  const sync = { kept: [], created: [filter], removed: [] };
  const changed = [{ row, before: charge, after: charge, sync }];
  const cascadedTo = await cascadeCharges(tx, actor, overrides, { changed });
  await touchPlan(tx, actor, planId);
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'charge_filter.created', objectType: 'charge_filter', objectId: stored.id },
    before: null,
    after: { chargeId, ...filterRecord(stored), cascadedTo },
  });
  return { id: stored.id, changed: { charges: [chargeId, ...cascadedTo], plans: [planId], auditLogs: [entry] } };
}

/**
 * Adds a filter to a charge, and on request to the overrides made from it; says all that was written. Throws
 * `object_not_found` for an unknown plan or charge and a validation error for what does not fit or exists already.
 */
export async function createChargeFilter(
  db: TenantClient,
  actor: Actor,
  path: ChargePath,
  input: NewFilterInput,
): Promise<Written> {
  return whereUnique([UNIQUE_FILTER_VALUES], () =>
    inTransaction(db, actor, async (tx) => {
      const planId = await lockPlan(tx, actor, path.planCode);
      return addFilter(tx, actor, { planId, chargeCode: path.chargeCode }, input);
    }),
  );
}
