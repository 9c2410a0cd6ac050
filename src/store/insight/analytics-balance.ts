import type { TenantClient } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type AnalyticsScope, narrowed, OF_INVOICE, OWED, OWED_SUMS, queryOrganization } from './analytics.ts';

export interface Receivable {
  readonly currency: string;
  readonly outstandingAmountCents: string;
  readonly outstandingInvoicesCount: number;
  readonly overdueAmountCents: string;
  readonly overdueInvoicesCount: number;
}

/** What customers still owe on final invoices, now: totals less what was paid and what credit notes were offset against. */
export const receivables = (db: TenantClient, scope: AnalyticsScope): Promise<Receivable[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT i.currency, ${OWED_SUMS},
        count(*)::int AS "outstandingInvoicesCount",
        (count(*) FILTER (WHERE i.payment_overdue))::int AS "overdueInvoicesCount"
      FROM invoices i
      WHERE ${OWED} ${narrowed(scope, OF_INVOICE)}
      GROUP BY i.currency
      ORDER BY i.currency`,
  );

export interface WalletBalance {
  readonly currency: string;
  readonly balanceCents: string;
  readonly ongoingBalanceCents: string;
  readonly credits: string;
  readonly walletsCount: number;
}

const OF_WALLET = {
  currency: Prisma.sql`w.currency`,
  customer: Prisma.sql`w.customer_id`,
  entity: Prisma.sql`coalesce(w.billing_entity_id, c.billing_entity_id)`,
};

/** What active wallets hold, now: those past their expiration are not, whether or not something has ended them yet. */
export const walletBalances = (db: TenantClient, scope: AnalyticsScope): Promise<WalletBalance[]> =>
  queryOrganization(
    db,
    scope.organizationId,
    Prisma.sql`
      SELECT w.currency,
        sum(w.balance_cents)::text AS "balanceCents",
        sum(w.ongoing_balance_cents)::text AS "ongoingBalanceCents",
        sum(w.credits_balance)::text AS credits,
        count(*)::int AS "walletsCount"
      FROM wallets w
      JOIN customers c ON c.id = w.customer_id
      WHERE w.status = 'active'
        AND (w.expiration_at IS NULL OR w.expiration_at > ${scope.now.toISOString()}::timestamptz)
        ${narrowed(scope, OF_WALLET)}
      GROUP BY w.currency
      ORDER BY w.currency`,
  );
