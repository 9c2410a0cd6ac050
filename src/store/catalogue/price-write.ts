import type { ChargeState } from '../../billing/catalogue/charge-update.ts';
import type { FilterState } from '../../billing/catalogue/filter-write.ts';
import type { FixedChargeState } from '../../billing/catalogue/fixed-charge-update.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import { addFilters, filtersByCharge } from './charge-filter-write.ts';
import type { PlacedFilter } from './charge-row.ts';
import { attachTaxes } from './tax-link.ts';

interface NewPrice {
  readonly planId: string;
  /** The price of the parent plan that it follows. */
  readonly parentId?: string | null;
  readonly taxIds: readonly string[];
}

export interface NewChargeRow extends NewPrice {
  readonly charge: ChargeState;
  readonly filters: readonly FilterState[];
  readonly pricingUnitId: string | null;
}

export interface NewFixedChargeRow extends NewPrice {
  readonly charge: FixedChargeState;
  readonly addOnId: string;
}

const linksOf = (rows: readonly { readonly id: string; readonly taxIds: readonly string[] }[]) =>
  rows.flatMap(({ id, taxIds }) => taxIds.map((taxId) => ({ ownerId: id, taxId })));

/** Stores new charges with their filters and taxes, in as many statements for a hundred as for one; says their identifiers and filters. */
export async function addCharges(
  tx: TenantTransaction,
  actor: Actor,
  charges: readonly NewChargeRow[],
): Promise<{ readonly id: string; readonly filters: readonly PlacedFilter[] }[]> {
  if (charges.length === 0) return [];
  const { organizationId, now } = actor;
  const rows = charges.map((row) => ({ ...row, id: newId(now) }));
  const given = rows.map(({ id, planId, parentId, charge, pricingUnitId }) => {
    const { metric, minAmountCents, conversionRate, ...members } = charge;
    const rate = conversionRate?.toFixed();
    return {
      id,
      planId,
      parentId,
      pricingUnitId,
      ...members,
      metricId: metric.id,
      minimum: String(minAmountCents),
      rate,
    };
  });
  await tx.$executeRaw`
    INSERT INTO charges (id, organization_id, plan_id, parent_id, billable_metric_id, pricing_unit_id, conversion_rate, code,
      charge_model, invoice_display_name, pay_in_advance, prorated, invoiceable, min_amount_cents, regroup_paid_fees,
      accepts_target_wallet, properties, created_at, updated_at)
    SELECT id, ${organizationId}::uuid, "planId", "parentId", "metricId", "pricingUnitId", rate, code, model,
      "invoiceDisplayName", "payInAdvance", prorated, invoiceable, minimum, "regroupPaidFees", "acceptsTargetWallet",
      properties, ${now}, ${now}
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (id uuid, "planId" uuid, "parentId" uuid, "metricId" uuid,
      "pricingUnitId" uuid, rate numeric, code text, model "ChargeModel", "invoiceDisplayName" text, "payInAdvance" boolean,
      prorated boolean, invoiceable boolean, minimum bigint, "regroupPaidFees" "RegroupPaidFees",
      "acceptsTargetWallet" boolean, properties jsonb)`;
  const placed = rows.flatMap(({ id, filters }) =>
    filters.map((filter, position) => ({ chargeId: id, filter, position })),
  );
  const stored = await addFilters(tx, actor, placed);
  await attachTaxes(tx, 'charge', linksOf(rows));
  const filtersOf = filtersByCharge(stored);
  return rows.map(({ id }) => ({ id, filters: filtersOf.get(id) ?? [] }));
}

/** Stores new fixed charges with their taxes, in as many statements for a hundred as for one; says their identifiers. */
export async function addFixedCharges(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  charges: readonly NewFixedChargeRow[],
): Promise<{ readonly id: string }[]> {
  if (charges.length === 0) return [];
  const rows = charges.map((row) => ({ ...row, id: newId(now) }));
  const given = rows.map(({ id, planId, parentId, addOnId, charge: { units, ...members } }) => ({
    ...{ id, planId, parentId, addOnId, ...members, units: units.toFixed() },
  }));
  await tx.$executeRaw`
    INSERT INTO fixed_charges (id, organization_id, plan_id, parent_id, add_on_id, code, charge_model, invoice_display_name,
      pay_in_advance, prorated, units, properties, created_at, updated_at)
    SELECT id, ${organizationId}::uuid, "planId", "parentId", "addOnId", code, model, "invoiceDisplayName", "payInAdvance",
      prorated, units, properties, ${now}, ${now}
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (id uuid, "planId" uuid, "parentId" uuid, "addOnId" uuid,
      code text, model "FixedChargeModel", "invoiceDisplayName" text, "payInAdvance" boolean, prorated boolean, units numeric,
      properties jsonb)`;
  await attachTaxes(tx, 'fixed_charge', linksOf(rows));
  return rows.map(({ id }) => ({ id }));
}
