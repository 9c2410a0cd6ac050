import type { MetricState } from '../../../billing/catalogue/charge-update.ts';
import { gathered, refuse } from '../../../billing/errors.ts';
import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { CHARGE_COLUMNS, METRIC_COLUMNS, metricState } from '../../../store/catalogue/charge-row.ts';
import { idsByCode } from '../../../store/catalogue/code-lock.ts';
import { isAttached, lockOverrides, lockPlan, lockPriced, touchPlan } from '../../../store/catalogue/plan-lock.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import { UNIQUE_CHARGE_CODE, UNIQUE_FILTER_VALUES, whereUnique } from '../../../store/database/unique.ts';
import { isUuid } from '../../../store/database/uuid.ts';
import type { Written } from '../../changed.ts';
import { inTransaction } from '../../transaction.ts';
import { cascadeCharges } from './cascade-charge.ts';
import { type ChargeChange, changedCharge, saveChangedCharges } from './charge-change.ts';

/** Where a charge stands. */
export interface ChargePath {
  readonly planCode: string;
  readonly chargeCode: string;
}

/** What a caller changes of one charge. */
export interface ChargeUpdate extends ChargeChange {
  readonly cascadeUpdates?: boolean | null;
  /** Whether members that cannot change are refused where they would; else they are left as they are without a word. */
  readonly refusesIgnored?: boolean;
}

/** The metric that is asked for; null where the organization has none such, undefined where none is asked for. */
async function metricOf(tx: TenantTransaction, id: string | null | undefined): Promise<MetricState | null | undefined> {
  if (id == null) return undefined;
  if (!isUuid(id)) return null;
  const row = await tx.billableMetric.findFirst({ where: { id, deletedAt: null }, select: METRIC_COLUMNS });
  return row && metricState(row);
}

async function isCodeTaken(tx: TenantTransaction, planId: string, id: string, code: string): Promise<boolean> {
  const where = { planId, code, deletedAt: null, id: { not: id } };
  return (await tx.charge.findFirst({ where, select: { id: true } })) !== null;
}

async function update(tx: TenantTransaction, actor: Actor, path: ChargePath, change: ChargeUpdate): Promise<Written> {
  const { cascadeUpdates, refusesIgnored = false } = change;
  const planId = await lockPlan(tx, actor, path.planCode);
  const id = await lockPriced(tx, actor, 'charge', { planId, code: path.chargeCode });
  const row = await tx.charge.findUniqueOrThrow({ where: { id }, select: CHARGE_COLUMNS });
  const attached = await isAttached(tx, planId);
  const metric = attached ? undefined : await metricOf(tx, change.billableMetricId);
  const { after, read } = changedCharge({ row, change, metric }, { attached, refusesIgnored });
  const isTaken = after.code !== row.code && (await isCodeTaken(tx, planId, id, after.code));
  const taken = () => refuse(isTaken ? { code: ['value_already_exist'] } : {});
  const [changed] = gathered([read, taken]);
  const taxes = await idsByCode(tx, actor, 'tax', change.taxCodes ?? []);
  const [record] = await saveChangedCharges(tx, actor, [changed], taxes);
  const overrides = cascadeUpdates ? await lockOverrides(tx, actor, planId) : [];
  const cascadedTo = await cascadeCharges(tx, actor, overrides, { changed: [changed] });
  await touchPlan(tx, actor, planId);
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'charge.updated', objectType: 'charge', objectId: id },
    before: record?.before,
    after: { ...record?.after, cascadedTo },
  });
  return { id, changed: { charges: cascadedTo, plans: [planId], auditLogs: [entry] } };
}

/**
 * Changes a charge of a plan with its filters and taxes, and on request the overrides made from it; says all that was written.
 * On a plan that has or had subscriptions structural members are ignored. Throws `object_not_found` for an unknown plan,
 * charge or tax and a validation error for what does not fit; nothing is changed then.
 */
export async function updateCharge(
  db: TenantClient,
  actor: Actor,
  path: ChargePath,
  change: ChargeUpdate,
): Promise<Written> {
  const rules = [UNIQUE_CHARGE_CODE, UNIQUE_FILTER_VALUES];
  return whereUnique(rules, () => inTransaction(db, actor, (tx) => update(tx, actor, path, change)));
}
