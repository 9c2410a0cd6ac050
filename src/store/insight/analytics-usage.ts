import type { TenantClient } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type AnalyticsScope, narrowed, queryOrganization } from './analytics.ts';

/** What usage is asked for beside the scope; days are ISO texts, both included. */
export interface UsageScope {
  readonly fromDate: string;
  readonly toDate: string;
  readonly interval: 'day' | 'week' | 'month';
  readonly customerType?: string | undefined;
  readonly customerCountry?: string | undefined;
  readonly externalSubscriptionId?: string | undefined;
  readonly planCode?: string | undefined;
  readonly billableMetricCode?: string | undefined;
  readonly isBillableMetricRecurring?: boolean | undefined;
}

export interface BilledUsage {
  readonly fromDate: string;
  readonly toDate: string;
  readonly code: string;
  readonly isDeleted: boolean;
  readonly currency: string;
  readonly amountCents: string;
  readonly units: string;
}

const OF_FEE = {
  currency: Prisma.sql`f.amount_currency`,
  customer: Prisma.sql`s.customer_id`,
  entity: Prisma.sql`coalesce(s.billing_entity_id, u.billing_entity_id)`,
};

const equal = (column: Prisma.Sql, value: string | boolean | undefined) =>
  value === undefined ? Prisma.empty : Prisma.sql`AND ${column} = ${value}`;

const INTERVALS = {
  day: Prisma.sql`interval '1 day'`,
  week: Prisma.sql`interval '1 week'`,
  month: Prisma.sql`interval '1 month'`,
} as const;

/**
 * Usage that was billed, on final invoices or at its event, by the days, weeks from Monday or months in UTC that its period ended in, by metric and
 * currency. A metric that is deleted counts apart from a later one of its code.
 */
export const billedUsage = (db: TenantClient, scope: AnalyticsScope, usage: UsageScope): Promise<BilledUsage[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT to_char(b.start, 'YYYY-MM-DD') AS "fromDate",
        to_char(b.start + ${INTERVALS[usage.interval]} - interval '1 day', 'YYYY-MM-DD') AS "toDate",
        b.code, b.deleted AS "isDeleted", b.currency,
        sum(b.amount_cents)::text AS "amountCents", sum(b.units)::text AS units
      FROM (
        SELECT date_trunc(${usage.interval}, coalesce(f.to_date, f.created_at) AT TIME ZONE 'UTC') AS start,
          r.code, r.deleted_at IS NOT NULL AS deleted, f.amount_currency AS currency, f.amount_cents, f.units
        FROM fees f
        JOIN charges c ON c.id = f.charge_id
        JOIN billable_metrics r ON r.id = c.billable_metric_id
        JOIN subscriptions s ON s.id = f.subscription_id
        JOIN plans p ON p.id = s.plan_id
        JOIN customers u ON u.id = s.customer_id
        LEFT JOIN invoices i ON i.id = f.invoice_id
        WHERE f.fee_type = 'charge' AND f.deleted_at IS NULL AND (f.invoice_id IS NULL OR i.status = 'finalized')
          AND coalesce(f.to_date, f.created_at) >= ${usage.fromDate}::date::timestamp AT TIME ZONE 'UTC'
          AND coalesce(f.to_date, f.created_at) < (${usage.toDate}::date + interval '1 day') AT TIME ZONE 'UTC'
          ${narrowed(scope, OF_FEE)}
          ${equal(Prisma.sql`u.customer_type::text`, usage.customerType)}
          ${equal(Prisma.sql`u.country`, usage.customerCountry)}
          ${equal(Prisma.sql`s.external_id`, usage.externalSubscriptionId)}
          ${equal(Prisma.sql`p.code`, usage.planCode)}
          ${equal(Prisma.sql`r.code`, usage.billableMetricCode)}
          ${equal(Prisma.sql`r.recurring`, usage.isBillableMetricRecurring)}
      ) b
      GROUP BY b.start, b.code, b.deleted, b.currency
      ORDER BY b.start, b.code, b.deleted, b.currency`,
  );
