import type { ChargeState } from '../../billing/catalogue/charge-update.ts';
import type { FixedChargeState } from '../../billing/catalogue/fixed-charge-update.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** Where each kind of prices is. */
export const PRICE_TABLES = { charge: Prisma.raw('charges'), fixed_charge: Prisma.raw('fixed_charges') } as const;

/** Usage charges, or those that do not depend on usage. */
export type PriceKind = keyof typeof PRICE_TABLES;

/** A price with its code. */
export interface Coded {
  readonly id: string;
  /** The code before and after the change. */
  readonly codes: readonly [string, string];
}

/** Lets go of codes that change, where several do: rows of one statement may take each other's. */
export async function freeCodes(
  tx: TenantTransaction,
  { organizationId }: Actor,
  kind: PriceKind,
  rows: readonly Coded[],
): Promise<void> {
  const ids = rows.filter(({ codes: [before, after] }) => before !== after).map(({ id }) => id);
  if (ids.length < 2) return;
  await tx.$executeRaw`
    UPDATE ${PRICE_TABLES[kind]} SET code = id::text
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${ids}::uuid[])`;
}

export interface ChangedChargeRow extends Coded {
  readonly charge: ChargeState;
  /** Whether the stored conversion rate is another one. */
  readonly setsRate: boolean;
}

/** Stores charges that have changed, in as many statements for a hundred as for two. */
export async function changeCharges(
  tx: TenantTransaction,
  actor: Actor,
  rows: readonly ChangedChargeRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await freeCodes(tx, actor, 'charge', rows);
  const given = rows.map(({ id, charge: { metric, minAmountCents, conversionRate, ...members }, setsRate }) => ({
    ...{ id, ...members, billableMetricId: metric.id, minAmountCents: String(minAmountCents) },
    conversionRate: setsRate ? (conversionRate?.toFixed() ?? null) : null,
  }));
  await tx.$executeRaw`
    UPDATE charges SET code = given.code, charge_model = given.model, invoice_display_name = given."invoiceDisplayName",
      pay_in_advance = given."payInAdvance", prorated = given.prorated, invoiceable = given.invoiceable,
      min_amount_cents = given."minAmountCents", regroup_paid_fees = given."regroupPaidFees",
      accepts_target_wallet = given."acceptsTargetWallet", properties = given.properties,
      conversion_rate = COALESCE(given."conversionRate", charges.conversion_rate),
      billable_metric_id = given."billableMetricId", updated_at = ${actor.now}
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (id uuid, code text, model "ChargeModel",
      "invoiceDisplayName" text, "payInAdvance" boolean, prorated boolean, invoiceable boolean, "minAmountCents" bigint,
      "regroupPaidFees" "RegroupPaidFees", "acceptsTargetWallet" boolean, properties jsonb, "conversionRate" numeric,
      "billableMetricId" uuid)
    WHERE charges.id = given.id AND organization_id = ${actor.organizationId}::uuid`;
}

export interface ChangedFixedChargeRow extends Coded {
  readonly charge: FixedChargeState;
}

/** The same of fixed charges. */
export async function changeFixedCharges(
  tx: TenantTransaction,
  actor: Actor,
  rows: readonly ChangedFixedChargeRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await freeCodes(tx, actor, 'fixed_charge', rows);
  const given = rows.map(({ id, charge: { code, model, invoiceDisplayName, units, properties } }) => ({
    ...{ id, code, model, invoiceDisplayName, units: units.toFixed(), properties },
  }));
  await tx.$executeRaw`
    UPDATE fixed_charges SET code = given.code, charge_model = given.model,
      invoice_display_name = given."invoiceDisplayName", units = given.units, properties = given.properties,
      updated_at = ${actor.now}
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (id uuid, code text, model "FixedChargeModel",
      "invoiceDisplayName" text, units numeric, properties jsonb)
    WHERE fixed_charges.id = given.id AND organization_id = ${actor.organizationId}::uuid`;
}

/** Ends prices, and the filters of charges; the rows stay for what was billed by them. Says which ended with this. */
export async function removePrices(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  kind: PriceKind,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  if (kind === 'charge') {
    await tx.$executeRaw`
      UPDATE charge_filters SET deleted_at = ${now}
      WHERE organization_id = ${organizationId}::uuid AND charge_id = ANY(${ids}::uuid[]) AND deleted_at IS NULL`;
  }
  const ended = await tx.$queryRaw<{ id: string }[]>`
    UPDATE ${PRICE_TABLES[kind]} SET deleted_at = ${now}, updated_at = ${now}
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${ids}::uuid[]) AND deleted_at IS NULL RETURNING id`;
  return ended.map(({ id }) => id);
}

/** The codes of the live prices of plans. */
export async function codesOf(
  tx: TenantTransaction,
  { organizationId }: Actor,
  kind: PriceKind,
  planIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await tx.$queryRaw<{ planId: string; codes: string[] }[]>`
    SELECT plan_id AS "planId", array_agg(code) AS codes FROM ${PRICE_TABLES[kind]}
    WHERE organization_id = ${organizationId}::uuid AND plan_id = ANY(${planIds}::uuid[]) AND deleted_at IS NULL
    GROUP BY plan_id`;
  return new Map(rows.map(({ planId, codes }) => [planId, codes]));
}
