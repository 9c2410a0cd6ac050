import type { TenantClient } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** What figures are asked for. Months are given by their first day, YYYY-MM-01, both included. */
export interface AnalyticsScope {
  readonly organizationId: string;
  readonly from: string;
  readonly to: string;
  /** Nothing later is counted. */
  readonly now: Date;
  readonly currency?: string | undefined;
  readonly externalCustomerId?: string | undefined;
  readonly billingEntityCode?: string | undefined;
}

/** Customers whose figures are read by one statement. */
export interface Customers {
  readonly organizationId: string;
  readonly customerIds: readonly string[];
  readonly now: Date;
}

/** A row of the figures of one of them. */
export interface OfCustomer {
  readonly customerId: string;
  readonly currency: string;
}

// Each has a column organization_id.
const TABLES = new Set([
  'billable_metrics',
  'billing_entities',
  'charges',
  'credit_notes',
  'customers',
  'fees',
  'invoices',
  'plans',
  'subscriptions',
  'wallet_transactions',
  'wallets',
]);

function tablesOf({ sql }: Prisma.Sql): string[] {
  const names = [...sql.matchAll(/\b(?:from|join)\s+"?([a-z_]+)\b(?!\s*\()/gi)].map((match) => match[1] ?? '');
  const unknown = names.find((name) => !TABLES.has(name));
  if (unknown !== undefined) throw new Error(`${unknown} is not a table that figures are read from`);
  return [...new Set(names)];
}

/**
 * Runs one statement over the rows of one organization. Every table that it names is replaced by the organization's part
 * of that table, so the statement needs no condition of its own and can lose none; a table that has no such part is
 * refused.
 */
export function queryOrganization<Row>(db: TenantClient, organizationId: string, query: Prisma.Sql): Promise<Row[]> {
  const parts = tablesOf(query).map((table) => {
    const name = Prisma.raw(table);
    // Not recursive: inside its own definition the name still means the table.
    return Prisma.sql`${name} AS NOT MATERIALIZED (SELECT * FROM ${name} WHERE organization_id = ${organizationId}::uuid)`;
  });
  return db.$queryRaw<Row[]>(Prisma.sql`WITH ${Prisma.join(parts)} ${query}`);
}

const customerCondition = (column: Prisma.Sql, { externalCustomerId }: AnalyticsScope) =>
  externalCustomerId === undefined
    ? Prisma.empty
    : Prisma.sql`AND ${column} IN (
        SELECT id FROM customers WHERE external_id = ${externalCustomerId} AND deleted_at IS NULL)`;

const entityCondition = (column: Prisma.Sql, { billingEntityCode }: AnalyticsScope) =>
  billingEntityCode === undefined
    ? Prisma.empty
    : Prisma.sql`AND ${column} IN (
        SELECT id FROM billing_entities WHERE code = ${billingEntityCode} AND deleted_at IS NULL)`;

interface Columns {
  readonly currency: Prisma.Sql;
  readonly customer: Prisma.Sql;
  readonly entity: Prisma.Sql;
}

/** The arguments of a scope as conditions on the columns that carry them; each begins with AND. */
export function narrowed(scope: AnalyticsScope, { currency, customer, entity }: Columns): Prisma.Sql {
  const ofCurrency = scope.currency === undefined ? Prisma.empty : Prisma.sql`AND ${currency} = ${scope.currency}`;
  return Prisma.sql`${ofCurrency} ${customerCondition(customer, scope)} ${entityCondition(entity, scope)}`;
}

/** The columns of an invoice that scopes narrow. */
export const OF_INVOICE = {
  currency: Prisma.sql`i.currency`,
  customer: Prisma.sql`i.customer_id`,
  entity: Prisma.sql`i.billing_entity_id`,
};

const EARNED = Prisma.sql`i.status = 'finalized' AND NOT i.self_billed AND i.payment_dispute_lost_at IS NULL`;

/** Invoices that are money earned: final, issued to customers, and not lost in a dispute. The table's alias is `i`. */
export const earned = (scope: AnalyticsScope): Prisma.Sql => Prisma.sql`${EARNED} ${narrowed(scope, OF_INVOICE)}`;

/** Those of them on which something is still to be paid. The balances that customers are ordered by are of the same, in a migration. */
export const OWED = Prisma.sql`i.total_due_amount_cents > 0 AND ${EARNED}`;

/** Sums of what is owed, and of what is overdue among it. */
export const OWED_SUMS = Prisma.sql`
  sum(i.total_due_amount_cents)::text AS "outstandingAmountCents",
  coalesce(sum(i.total_due_amount_cents) FILTER (WHERE i.payment_overdue), 0)::text AS "overdueAmountCents"`;

/** Invoices issued in the months of a scope. */
export const issuedIn = ({ from, to }: AnalyticsScope): Prisma.Sql => Prisma.sql`
  i.issuing_date >= ${from}::date AND i.issuing_date < (${to}::date + interval '1 month')::date`;

/** The month of an invoice, as the text of its first day. */
export const ISSUING_MONTH = Prisma.sql`to_char(date_trunc('month', i.issuing_date::timestamp), 'YYYY-MM-DD')`;
