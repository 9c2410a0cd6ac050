import type { TenantClient } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type AnalyticsScope, type Customers, narrowed, type OfCustomer, queryOrganization } from './analytics.ts';

export interface RecurringRevenue {
  readonly month: string;
  readonly currency: string;
  readonly amountCents: string;
  readonly annualAmountCents: string;
  readonly subscriptionsCount: number;
}

const OF_SUBSCRIPTION = {
  currency: Prisma.sql`p.amount_currency`,
  customer: Prisma.sql`s.customer_id`,
  entity: Prisma.sql`coalesce(s.billing_entity_id, c.billing_entity_id)`,
};

// The moment a month is judged at: its end in UTC, or now in the month that has not ended.
const judgedAt = ({ now }: AnalyticsScope) =>
  Prisma.sql`least((m.month + interval '1 month') AT TIME ZONE 'UTC', ${now.toISOString()}::timestamptz)`;

// Fifty-two weeks make a year, so that the year's figure is a whole number and the month's is the twelfth part of it.
const PERIODS_A_YEAR = Prisma.sql`
  CASE p.interval WHEN 'weekly' THEN 52 WHEN 'monthly' THEN 12 WHEN 'quarterly' THEN 4 WHEN 'semiannual' THEN 2 ELSE 1 END`;

/** Subscriptions that earn at a moment: active then, and past their trial. Aliases are `s`, and `p` for the plan. */
const earningAt = (moment: Prisma.Sql) => Prisma.sql`
  s.status IN ('active', 'terminated') AND s.started_at < ${moment}
  AND (s.terminated_at IS NULL OR s.terminated_at >= ${moment})
  AND s.started_at + p.trial_period::float8 * interval '1 day' <= ${moment}`;

const REVENUE = Prisma.sql`
  p.amount_currency AS currency,
  (sum(p.amount_cents::numeric * ${PERIODS_A_YEAR})::numeric(60, 12) / 12)::text AS "amountCents",
  sum(p.amount_cents::numeric * ${PERIODS_A_YEAR})::text AS "annualAmountCents",
  count(*)::int AS "subscriptionsCount"`;

/**
 * Plan amounts of the subscriptions that were active at the end of each month and past their trial, brought to a year and
 * its twelfth part: weekly times 52, monthly times 12, quarterly times 4, semiannual times 2, yearly once.
 */
export const recurringRevenue = (db: TenantClient, scope: AnalyticsScope): Promise<RecurringRevenue[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT to_char(m.month, 'YYYY-MM-DD') AS month, ${REVENUE}
      FROM generate_series(${scope.from}::timestamp, ${scope.to}::timestamp, interval '1 month') AS m(month)
      CROSS JOIN subscriptions s
      JOIN plans p ON p.id = s.plan_id
      JOIN customers c ON c.id = s.customer_id
      WHERE m.month AT TIME ZONE 'UTC' < ${scope.now.toISOString()}::timestamptz
        AND ${earningAt(judgedAt(scope))} ${narrowed(scope, OF_SUBSCRIPTION)}
      GROUP BY m.month, p.amount_currency
      ORDER BY m.month, p.amount_currency`,
  );

/** The same of some customers at a moment, by customer and currency. */
export const recurringRevenueOf = (db: TenantClient, { organizationId, customerIds, now }: Customers) =>
  queryOrganization<Omit<RecurringRevenue, 'month'> & OfCustomer>(
    db,
    organizationId,
    Prisma.sql`
      SELECT s.customer_id AS "customerId", ${REVENUE}
      FROM subscriptions s
      JOIN plans p ON p.id = s.plan_id
      WHERE s.customer_id = ANY(${customerIds}::uuid[]) AND ${earningAt(Prisma.sql`${now.toISOString()}::timestamptz`)}
      GROUP BY s.customer_id, p.amount_currency
      ORDER BY p.amount_currency`,
  );
