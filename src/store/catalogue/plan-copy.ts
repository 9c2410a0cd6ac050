import type { Actor } from '../access/audit.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import { copyFilters } from './filter-copy.ts';
import type { PriceKind } from './price-change.ts';
import { copyPrices } from './price-copy.ts';

/** Keeps a plan from being changed and deleted until the transaction ends; its overrides too, whose changes lock their plan first. */
export async function holdPlan(tx: TenantTransaction, { organizationId }: Actor, id: string): Promise<void> {
  await tx.$queryRaw`
    SELECT id FROM plans WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid FOR SHARE`;
}

/** The row of a plan and what it has once: its taxes, and its commitment with its own. Thresholds and features stay the plan's. */
async function copyRow(tx: TenantTransaction, { organizationId, now }: Actor, parentId: string): Promise<string> {
  const [id, commitmentId] = [newId(now), newId(now)];
  await tx.$executeRaw`
    INSERT INTO plans (id, organization_id, parent_id, code, name, description, invoice_display_name, interval, amount_cents,
      amount_currency, pay_in_advance, trial_period, bill_charges_monthly, bill_fixed_charges_monthly, metadata, created_at,
      updated_at)
    SELECT ${id}::uuid, organization_id, id, code, name, description, invoice_display_name, interval, amount_cents,
      amount_currency, pay_in_advance, trial_period, bill_charges_monthly, bill_fixed_charges_monthly, metadata, ${now}, ${now}
    FROM plans WHERE organization_id = ${organizationId}::uuid AND id = ${parentId}::uuid`;
  await tx.$executeRaw`
    INSERT INTO "_PlanTaxes" ("A", "B") SELECT ${id}::uuid, "B" FROM "_PlanTaxes" WHERE "A" = ${parentId}::uuid`;
  await tx.$executeRaw`
    WITH copied AS (
      INSERT INTO minimum_commitments (id, organization_id, plan_id, amount_cents, invoice_display_name, created_at, updated_at)
      SELECT ${commitmentId}::uuid, organization_id, ${id}::uuid, amount_cents, invoice_display_name, ${now}, ${now}
      FROM minimum_commitments WHERE organization_id = ${organizationId}::uuid AND plan_id = ${parentId}::uuid)
    INSERT INTO "_MinimumCommitmentTaxes" ("A", "B")
    SELECT ${commitmentId}::uuid, tax."B" FROM minimum_commitments AS own
    JOIN "_MinimumCommitmentTaxes" AS tax ON tax."A" = own.id
    WHERE own.organization_id = ${organizationId}::uuid AND own.plan_id = ${parentId}::uuid`;
  return id;
}

async function copyAll(tx: TenantTransaction, actor: Actor, kind: PriceKind, parentId: string, planId: string) {
  const query = {
    where: { planId: parentId, deletedAt: null },
    select: { id: true, code: true } as const,
    orderBy: OLDEST_FIRST,
  };
  const rows = await (kind === 'charge' ? tx.charge.findMany(query) : tx.fixedCharge.findMany(query));
  return copyPrices(
    tx,
    actor,
    kind,
    rows.map(({ id, code }) => ({ planId, parentId: id, code })),
  );
}

/** Copies a plan that is held as an override of it, with its prices; says what the copies are called. The statements do not depend on how many prices there are. */
export async function copyPlan(tx: TenantTransaction, actor: Actor, parentId: string) {
  const id = await copyRow(tx, actor, parentId);
  const charges = await copyAll(tx, actor, 'charge', parentId, id);
  await copyFilters(tx, actor, charges);
  const fixedCharges = await copyAll(tx, actor, 'fixed_charge', parentId, id);
  return { id, charges, fixedCharges };
}

/** Puts a subscription on an override of its plan: the histories of its units go on under the copies of its fixed charges. */
export async function moveToOverride(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  subscriptionId: string,
  planId: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE fixed_charge_units_events AS event SET fixed_charge_id = copy.id FROM fixed_charges AS copy
    WHERE event.organization_id = ${organizationId}::uuid AND event.subscription_id = ${subscriptionId}::uuid
      AND copy.organization_id = ${organizationId}::uuid AND copy.plan_id = ${planId}::uuid
      AND copy.parent_id = event.fixed_charge_id`;
  await tx.subscription.update({
    where: { id: subscriptionId },
    data: { planId, updatedAt: now },
    select: { id: true },
  });
}
