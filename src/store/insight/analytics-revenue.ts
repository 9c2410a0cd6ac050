import type { TenantClient } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type AnalyticsScope, earned, ISSUING_MONTH, issuedIn, queryOrganization } from './analytics.ts';

// Sums of bigints are read as text: they may have more digits than a bigint column.

export interface MonthlyRevenue {
  readonly month: string;
  readonly currency: string;
  readonly amountCents: string;
  readonly taxesAmountCents: string;
  readonly invoicesCount: number;
}

/** Totals of the invoices issued in each month, with taxes, after coupons, credit notes and prepaid credits. */
export const grossRevenue = (db: TenantClient, scope: AnalyticsScope): Promise<MonthlyRevenue[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT ${ISSUING_MONTH} AS month, i.currency,
        sum(i.total_amount_cents)::text AS "amountCents",
        sum(i.taxes_amount_cents)::text AS "taxesAmountCents",
        count(*)::int AS "invoicesCount"
      FROM invoices i
      WHERE ${earned(scope)} AND ${issuedIn(scope)}
      GROUP BY 1, 2
      ORDER BY 1, 2`,
  );

export interface MonthlyUsage {
  readonly month: string;
  readonly currency: string;
  readonly amountCents: string;
  readonly feesCount: number;
}

/** Fees for usage on the invoices issued in each month, without taxes and before coupons. */
export const invoicedUsage = (db: TenantClient, scope: AnalyticsScope): Promise<MonthlyUsage[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT ${ISSUING_MONTH} AS month, f.amount_currency AS currency,
        sum(f.amount_cents)::text AS "amountCents",
        count(*)::int AS "feesCount"
      FROM invoices i
      JOIN fees f ON f.invoice_id = i.id AND f.fee_type = 'charge' AND f.deleted_at IS NULL
      WHERE ${earned(scope)} AND ${issuedIn(scope)}
      GROUP BY 1, 2
      ORDER BY 1, 2`,
  );

export interface RevenueOf {
  readonly code: string;
  readonly name: string;
  readonly currency: string;
  readonly amountCents: string;
  readonly units: string;
  readonly feesCount: number;
}

/** Fees of subscriptions by plan; an override counts for the plan it was made from. The greatest amounts first. */
export const revenueByPlan = (db: TenantClient, scope: AnalyticsScope, most: number): Promise<RevenueOf[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT r.code, r.name, f.amount_currency AS currency,
        sum(f.amount_cents)::text AS "amountCents",
        count(*)::int AS "feesCount"
      FROM invoices i
      JOIN fees f ON f.invoice_id = i.id AND f.deleted_at IS NULL
      JOIN subscriptions s ON s.id = f.subscription_id
      JOIN plans p ON p.id = s.plan_id
      JOIN plans r ON r.id = coalesce(p.parent_id, p.id)
      WHERE ${earned(scope)} AND ${issuedIn(scope)}
        AND f.fee_type IN ('subscription', 'charge', 'fixed_charge', 'commitment')
      GROUP BY r.id, r.code, r.name, f.amount_currency
      ORDER BY sum(f.amount_cents) DESC, r.code, r.id, f.amount_currency
      LIMIT ${most}`,
  );

/** Fees for usage by billable metric, with the units used. The greatest amounts first. */
export const revenueByMetric = (db: TenantClient, scope: AnalyticsScope, most: number): Promise<RevenueOf[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT m.code, m.name, f.amount_currency AS currency,
        sum(f.amount_cents)::text AS "amountCents",
        sum(f.units)::text AS units,
        count(*)::int AS "feesCount"
      FROM invoices i
      JOIN fees f ON f.invoice_id = i.id AND f.fee_type = 'charge' AND f.deleted_at IS NULL
      JOIN charges c ON c.id = f.charge_id
      JOIN billable_metrics m ON m.id = c.billable_metric_id
      WHERE ${earned(scope)} AND ${issuedIn(scope)}
      GROUP BY m.id, m.code, m.name, f.amount_currency
      ORDER BY sum(f.amount_cents) DESC, m.code, m.id, f.amount_currency
      LIMIT ${most}`,
  );
