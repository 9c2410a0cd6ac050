import type { TenantClient } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import {
  type AnalyticsScope,
  earned,
  ISSUING_MONTH,
  issuedIn,
  narrowed,
  OF_INVOICE,
  OWED,
  queryOrganization,
} from './analytics.ts';

export interface MonthlyCollection {
  readonly month: string;
  readonly currency: string;
  readonly paymentStatus: string;
  readonly amountCents: string;
  readonly invoicesCount: number;
}

/** Totals of the invoices issued in each month, by the state of their payment. */
export const invoiceCollection = (db: TenantClient, scope: AnalyticsScope): Promise<MonthlyCollection[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT ${ISSUING_MONTH} AS month, i.currency, i.payment_status::text AS "paymentStatus",
        sum(i.total_amount_cents)::text AS "amountCents",
        count(*)::int AS "invoicesCount"
      FROM invoices i
      WHERE ${earned(scope)} AND ${issuedIn(scope)}
      GROUP BY 1, 2, 3
      ORDER BY 1, 2, 3`,
  );

export interface MonthlyOverdue {
  readonly month: string;
  readonly currency: string;
  readonly amountCents: string;
  readonly invoiceIds: readonly string[];
}

/** What is overdue now, by the month in which it was due. */
export const overdueBalances = (db: TenantClient, scope: AnalyticsScope): Promise<MonthlyOverdue[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT to_char(date_trunc('month', i.payment_due_date::timestamp), 'YYYY-MM-DD') AS month, i.currency,
        sum(i.total_due_amount_cents)::text AS "amountCents",
        array_agg(i.id::text ORDER BY i.payment_due_date, i.id) AS "invoiceIds"
      FROM invoices i
      WHERE ${OWED} AND i.payment_overdue ${narrowed(scope, OF_INVOICE)}
        AND i.payment_due_date >= ${scope.from}::date AND i.payment_due_date < (${scope.to}::date + interval '1 month')::date
      GROUP BY 1, 2
      ORDER BY 1, 2`,
  );

export interface MonthlyMetricUsage {
  readonly month: string;
  readonly code: string;
  readonly currency: string;
  readonly amountCents: string;
  readonly feesCount: number;
}

/** Fees for usage on the invoices issued in each month by billable metric: the newest month first, in it the greatest amounts. */
export const invoicedUsageByMetric = (db: TenantClient, scope: AnalyticsScope): Promise<MonthlyMetricUsage[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT ${ISSUING_MONTH} AS month, r.code, f.amount_currency AS currency,
        sum(f.amount_cents)::text AS "amountCents",
        count(*)::int AS "feesCount"
      FROM invoices i
      JOIN fees f ON f.invoice_id = i.id AND f.fee_type = 'charge' AND f.deleted_at IS NULL
      JOIN charges c ON c.id = f.charge_id
      JOIN billable_metrics r ON r.id = c.billable_metric_id
      WHERE ${earned(scope)} AND ${issuedIn(scope)}
      GROUP BY 1, r.code, f.amount_currency
      ORDER BY 1 DESC, sum(f.amount_cents) DESC, r.code, f.amount_currency`,
  );
