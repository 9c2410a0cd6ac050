import { CURRENCIES, minorDigits } from '../../billing/money/currency.ts';
import type { TenantClient } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { queryOrganization } from './analytics.ts';

/** What a wallet held after one of its transactions. */
export interface RunningBalance {
  readonly transactionId: string;
  readonly balanceCents: string;
  readonly creditsBalance: string;
}

const CODES = [...CURRENCIES].filter((code) => minorDigits(code) !== 2);
const DIGITS = CODES.map(minorDigits);

interface Transactions {
  readonly organizationId: string;
  readonly transactionIds: readonly string[];
}

/**
 * What wallets held after settled transactions, in the order in which these count: as they were settled, then by their
 * identifiers. It is reckoned back from what the wallet holds now, so that only what came later is read, and a wallet that came
 * with a balance but without its past is right too. Transactions that are not settled have no balance.
 */
export const runningBalances = (
  db: TenantClient,
  { organizationId, transactionIds }: Transactions,
): Promise<RunningBalance[]> =>
  queryOrganization(
    db,
    organizationId,
    Prisma.sql`
      SELECT b.id AS "transactionId",
        (b.balance_cents - b.later_cents)::text AS "balanceCents",
        (b.credits_balance - b.later_credits)::text AS "creditsBalance"
      FROM (
        SELECT t.id, w.balance_cents, w.credits_balance,
          coalesce(sum(x.sign * round(t.amount * power(10::numeric, coalesce(m.digits, 2)))) OVER later, 0) AS later_cents,
          coalesce(sum(x.sign * t.credit_amount) OVER later, 0) AS later_credits
        FROM (
          SELECT wallet_id, min(settled_at) AS since
          FROM wallet_transactions
          WHERE id = ANY(${transactionIds}::uuid[]) AND status = 'settled'
          GROUP BY wallet_id
        ) a
        JOIN wallets w ON w.id = a.wallet_id
        LEFT JOIN unnest(${CODES}::text[], ${DIGITS}::int[]) AS m(code, digits) ON m.code = w.currency
        JOIN wallet_transactions t ON t.wallet_id = a.wallet_id AND t.status = 'settled'
          AND (t.settled_at >= a.since OR t.settled_at IS NULL)
        CROSS JOIN LATERAL (SELECT CASE t.transaction_type WHEN 'inbound' THEN 1 ELSE -1 END AS sign) x
        WINDOW later AS (
          PARTITION BY t.wallet_id ORDER BY t.settled_at, t.id ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
      ) b
      WHERE b.id = ANY(${transactionIds}::uuid[])`,
  );
