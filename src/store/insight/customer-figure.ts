import type { TenantClient } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type Customers, type OfCustomer, OWED, OWED_SUMS, queryOrganization } from './analytics.ts';

/** What a customer owes in a currency. */
export interface Owed extends OfCustomer {
  readonly outstandingAmountCents: string;
  readonly overdueAmountCents: string;
}

/** What customers still owe on final invoices, by customer and currency. */
export const owedBy = (db: TenantClient, { organizationId, customerIds }: Customers): Promise<Owed[]> =>
  queryOrganization(
    db,
    organizationId,
    Prisma.sql`
      SELECT i.customer_id AS "customerId", i.currency, ${OWED_SUMS}
      FROM invoices i
      WHERE i.customer_id = ANY(${customerIds}::uuid[]) AND ${OWED}
      GROUP BY i.customer_id, i.currency
      ORDER BY i.currency`,
  );

/** A sum of a customer in a currency. */
export interface Sum extends OfCustomer {
  readonly amountCents: string;
}

/** What is left of the credit of customers' final notes, by customer and currency. */
export const creditOf = (db: TenantClient, { organizationId, customerIds }: Customers): Promise<Sum[]> =>
  queryOrganization(
    db,
    organizationId,
    Prisma.sql`
      SELECT n.customer_id AS "customerId", n.currency, sum(n.balance_amount_cents)::text AS "amountCents"
      FROM credit_notes n
      WHERE n.customer_id = ANY(${customerIds}::uuid[]) AND n.balance_amount_cents > 0
        AND n.status = 'finalized' AND n.credit_status = 'available'
      GROUP BY n.customer_id, n.currency
      ORDER BY n.currency`,
  );
