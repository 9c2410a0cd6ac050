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
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly currency: string;
  readonly amountCents: string;
  /** Null of what is not counted in units. */
  readonly units: string | null;
  readonly feesCount: number;
}

/** What the fees of one month are, of a plan or a metric. */
export type MonthOfRevenue = Omit<RevenueOf, 'code' | 'name'> & { readonly month: string };

/** Whose revenue fees are. The alias of its rows is `r`. */
export interface Earner {
  readonly fees: Prisma.Sql;
  readonly units: Prisma.Sql;
}

/** Fees of subscriptions are their plan's; an override counts for the plan it was made from. */
export const PLANS: Earner = {
  fees: Prisma.sql`
    fees f ON f.invoice_id = i.id AND f.deleted_at IS NULL
      AND f.fee_type IN ('subscription', 'charge', 'fixed_charge', 'commitment')
    JOIN subscriptions s ON s.id = f.subscription_id
    JOIN plans p ON p.id = s.plan_id
    JOIN plans r ON r.id = coalesce(p.parent_id, p.id)`,
  units: Prisma.sql`NULL::numeric`,
};

/** Fees for usage are their billable metric's, with the units used. */
export const METRICS: Earner = {
  fees: Prisma.sql`
    fees f ON f.invoice_id = i.id AND f.fee_type = 'charge' AND f.deleted_at IS NULL
    JOIN charges c ON c.id = f.charge_id
    JOIN billable_metrics r ON r.id = c.billable_metric_id`,
  units: Prisma.sql`f.units`,
};

const sumsOf = ({ units }: Earner) => Prisma.sql`
  f.amount_currency AS currency,
  sum(f.amount_cents)::text AS "amountCents",
  sum(${units})::text AS units,
  count(*)::int AS "feesCount"`;

/** What each earned in each currency. The greatest amounts first. */
export const revenueBy = (
  db: TenantClient,
  scope: AnalyticsScope,
  earner: Earner,
  most: number,
): Promise<RevenueOf[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT r.id, r.code, r.name, ${sumsOf(earner)}
      FROM invoices i
      JOIN ${earner.fees}
      WHERE ${earned(scope)} AND ${issuedIn(scope)}
      GROUP BY r.id, r.code, r.name, f.amount_currency
      ORDER BY sum(f.amount_cents) DESC, r.code, r.id, f.amount_currency
      LIMIT ${most}`,
  );

/** The same of some of them by month of issue, in the order of months. */
export const monthsOfRevenue = (
  db: TenantClient,
  scope: AnalyticsScope,
  earner: Earner,
  ids: readonly string[],
): Promise<MonthOfRevenue[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT r.id, ${ISSUING_MONTH} AS month, ${sumsOf(earner)}
      FROM invoices i
      JOIN ${earner.fees}
      WHERE ${earned(scope)} AND ${issuedIn(scope)} AND r.id = ANY(${ids}::uuid[])
      GROUP BY r.id, 2, f.amount_currency
      ORDER BY 2`,
  );
