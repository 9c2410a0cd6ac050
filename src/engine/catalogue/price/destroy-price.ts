import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { CHARGE_COLUMNS, chargeRecord, chargeState, filterState } from '../../../store/catalogue/charge-row.ts';
import { FIXED_CHARGE_COLUMNS, fixedChargeState } from '../../../store/catalogue/fixed-charge-row.ts';
import { lockOverrides, lockPlan, lockPriced, touchPlan } from '../../../store/catalogue/plan-lock.ts';
import { type PriceKind, removePrices } from '../../../store/catalogue/price-change.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import { allChanged, type Written } from '../../changed.ts';
import { inTransaction } from '../../transaction.ts';
import { cascadeCharges } from './cascade-charge.ts';
import { cascadeFixedCharges } from './cascade-fixed-charge.ts';
import type { Cascading } from './create-price.ts';

const codes = (taxes: readonly { readonly code: string }[]) => taxes.map(({ code }) => code);

const RECORDS: Readonly<Record<PriceKind, (tx: TenantTransaction, id: string) => Promise<object>>> = {
  async charge(tx, id) {
    const row = await tx.charge.findUniqueOrThrow({ where: { id }, select: CHARGE_COLUMNS });
    return chargeRecord(chargeState(row), codes(row.taxes), row.filters.map(filterState));
  },
  async fixed_charge(tx, id) {
    const row = await tx.fixedCharge.findUniqueOrThrow({ where: { id }, select: FIXED_CHARGE_COLUMNS });
    return { ...fixedChargeState(row), addOnId: row.addOn.id, taxCodes: codes(row.taxes) };
  },
};

async function destroy(
  tx: TenantTransaction,
  actor: Actor,
  kind: PriceKind,
  { planCode, code }: { readonly planCode: string; readonly code: string },
  { cascadeUpdates }: Cascading,
): Promise<Written> {
  const planId = await lockPlan(tx, actor, planCode);
  const id = await lockPriced(tx, actor, kind, { planId, code });
  const record = await RECORDS[kind](tx, id);
  const removed = await removePrices(tx, actor, kind, [id]);
  const overrides = cascadeUpdates ? await lockOverrides(tx, actor, planId) : [];
  const cascaded =
    kind === 'charge'
      ? { charges: await cascadeCharges(tx, actor, overrides, { removed }) }
      : await cascadeFixedCharges(tx, actor, overrides, { removed });
  await touchPlan(tx, actor, planId);
  const entry = await recordAudit(tx, {
    ...{ actor, action: `${kind}.deleted`, objectType: kind, objectId: id, before: { planId, ...record }, after: null },
  });
  return { id, changed: allChanged([cascaded, { plans: [planId], auditLogs: [entry] }]) };
}

/**
 * Ends a charge of a plan with its filters, and on request its copies on overrides; its row stays for what was billed by it. Throws
 * `object_not_found`.
 */
export const destroyCharge = (
  db: TenantClient,
  actor: Actor,
  { planCode, chargeCode: code }: { readonly planCode: string; readonly chargeCode: string },
  cascading: Cascading,
): Promise<Written> => inTransaction(db, actor, (tx) => destroy(tx, actor, 'charge', { planCode, code }, cascading));

/** Ends a fixed charge of a plan, as a charge. */
export const destroyFixedCharge = (
  db: TenantClient,
  actor: Actor,
  { planCode, fixedChargeCode: code }: { readonly planCode: string; readonly fixedChargeCode: string },
  cascading: Cascading,
): Promise<Written> =>
  inTransaction(db, actor, (tx) => destroy(tx, actor, 'fixed_charge', { planCode, code }, cascading));
