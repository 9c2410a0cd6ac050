import { dec } from '../../../billing/money/decimal.ts';
import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { idsByCode } from '../../../store/catalogue/code-lock.ts';
import { lockOverrides, lockPlan, touchPlan } from '../../../store/catalogue/plan-lock.ts';
import { codesOf } from '../../../store/catalogue/price-change.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import { UNIQUE_CHARGE_CODE, UNIQUE_FIXED_CHARGE_CODE, whereUnique } from '../../../store/database/unique.ts';
import { allChanged, type Written } from '../../changed.ts';
import { inTransaction } from '../../transaction.ts';
import { cascadeCharges } from './cascade-charge.ts';
import { cascadeFixedCharges } from './cascade-fixed-charge.ts';
import { moveUnits } from './fixed-charge-change.ts';
import {
  type ChargeSent,
  type FixedChargeSent,
  lookUpCharges,
  lookUpFixedCharges,
  saveNewCharges,
  saveNewFixedCharges,
} from './new-price.ts';

/** Whether overrides get what is made, changed or ended; false where nothing is said. */
export interface Cascading {
  readonly cascadeUpdates?: boolean | null;
}

/** One thing alone, which says its code. */
const alone = <Sent>(sent: Sent) => [{ sent, at: [], needsCode: true }];

async function makeCharge(tx: TenantTransaction, actor: Actor, planCode: string, sent: ChargeSent & Cascading) {
  const planId = await lockPlan(tx, actor, planCode);
  const known = await lookUpCharges(tx, actor, [sent]);
  const codes = await codesOf(tx, actor, 'charge', [planId]);
  const fitting = known.read(alone(sent), codes.get(planId) ?? []);
  const taxes = await idsByCode(tx, actor, 'tax', sent.taxCodes ?? []);
  const [made] = await saveNewCharges(tx, actor, planId, fitting, taxes);
  if (!made) throw new Error('no charge was stored');
  const overrides = sent.cascadeUpdates ? await lockOverrides(tx, actor, planId) : [];
  const cascadedTo = await cascadeCharges(tx, actor, overrides, { created: [made.row] });
  await touchPlan(tx, actor, planId);
  const { id, ...record } = made.record;
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'charge.created', objectType: 'charge', objectId: id, before: null },
    after: { planId, ...record, cascadedTo },
  });
  return { id, changed: { charges: cascadedTo, plans: [planId], auditLogs: [entry] } };
}

async function makeFixedCharge(
  tx: TenantTransaction,
  actor: Actor,
  planCode: string,
  sent: FixedChargeSent & Cascading,
) {
  const planId = await lockPlan(tx, actor, planCode);
  const known = await lookUpFixedCharges(tx, actor, [sent]);
  const codes = await codesOf(tx, actor, 'fixed_charge', [planId]);
  const fitting = known.read(alone(sent), codes.get(planId) ?? []);
  const taxes = await idsByCode(tx, actor, 'tax', sent.taxCodes ?? []);
  const [made] = await saveNewFixedCharges(tx, actor, planId, fitting, taxes);
  if (!made) throw new Error('no fixed charge was stored');
  const { charge, immediately, ...row } = made.row;
  const fixedCharge = { ...row, payInAdvance: charge.payInAdvance };
  const moved = await moveUnits(tx, actor, [{ fixedCharge, before: dec(0), after: charge.units, immediately }]);
  const overrides = sent.cascadeUpdates ? await lockOverrides(tx, actor, planId) : [];
  const cascaded = await cascadeFixedCharges(tx, actor, overrides, { created: [made.row] });
  await touchPlan(tx, actor, planId);
  const { id, ...record } = made.record;
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'fixed_charge.created', objectType: 'fixed_charge', objectId: id, before: null },
    after: { planId, ...record, cascadedTo: cascaded.fixedCharges ?? [] },
  });
  return { id, changed: allChanged([moved, cascaded, { plans: [planId], auditLogs: [entry] }]) };
}

/**
 * Adds a charge to a plan, and on request to its overrides; says all that was written. Throws `object_not_found` for an unknown plan,
 * metric or tax and one validation error for all that does not fit.
 */
export const createCharge = (
  db: TenantClient,
  actor: Actor,
  planCode: string,
  sent: ChargeSent & Cascading,
): Promise<Written> =>
  whereUnique([UNIQUE_CHARGE_CODE], () => inTransaction(db, actor, (tx) => makeCharge(tx, actor, planCode, sent)));

/** Adds a fixed charge to a plan, as a charge. Its units begin with the next period of each subscription, or at once. */
export const createFixedCharge = (
  db: TenantClient,
  actor: Actor,
  planCode: string,
  sent: FixedChargeSent & Cascading,
): Promise<Written> =>
  whereUnique([UNIQUE_FIXED_CHARGE_CODE], () =>
    inTransaction(db, actor, (tx) => makeFixedCharge(tx, actor, planCode, sent)),
  );
