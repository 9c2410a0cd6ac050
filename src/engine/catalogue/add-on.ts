import { ADD_ON } from '../../billing/resource/add-on.ts';
import type { Actor } from '../../store/access/audit.ts';
import { lockPlans } from '../../store/catalogue/plan-lock.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { UNIQUE_ADD_ON_CODE } from '../../store/database/unique.ts';
import type { Changed } from '../changed.ts';
import type { Stored, Subject } from '../resource/stored.ts';

/** Ends the fixed charges that price it, on all plans and overrides. */
async function endFixedCharges(
  tx: TenantTransaction,
  actor: Actor,
  { id }: Subject<typeof ADD_ON.fields>,
): Promise<Changed> {
  const where = { addOnId: id, deletedAt: null };
  const priced = await tx.fixedCharge.findMany({ where, select: { planId: true } });
  if (priced.length === 0) return {};
  const plans = await lockPlans(
    tx,
    actor,
    priced.map(({ planId }) => planId),
  );
  const ended = await tx.fixedCharge.updateManyAndReturn({
    where,
    data: { deletedAt: actor.now, updatedAt: actor.now },
    select: { id: true },
  });
  return { plans, fixedCharges: ended.map((one) => one.id) };
}

/** Add-ons. With a deleted one go the fixed charges that price it. */
export const ADD_ONS: Stored<typeof ADD_ON.fields> = {
  resource: ADD_ON,
  model: 'AddOn',
  unique: UNIQUE_ADD_ON_CODE,
  deleted: endFixedCharges,
  drafts: (_, { plans = [] }) => ({ plans }),
};
