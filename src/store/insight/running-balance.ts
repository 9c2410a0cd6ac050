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
          coalesce(sum(CASE t.transaction_type WHEN 'inbound' THEN 1 ELSE -1 END * round(t.amount * w.units)) OVER later, 0)
            AS later_cents,
          coalesce(sum(CASE t.transaction_type WHEN 'inbound' THEN 1 ELSE -1 END * t.credit_amount) OVER later, 0)
            AS later_credits
        FROM (
          SELECT wallet_id, min(settled_at) AS since
          FROM wallet_transactions
          WHERE id = ANY(${transactionIds}::uuid[]) AND status = 'settled'
          GROUP BY wallet_id
        ) a
        JOIN (
          SELECT w.id, w.balance_cents, w.credits_balance, power(10::numeric, coalesce(m.digits, 2)) AS units
          FROM wallets w LEFT JOIN unnest(${CODES}::text[], ${DIGITS}::int[]) AS m(code, digits) ON m.code = w.currency
        ) w ON w.id = a.wallet_id
        CROSS JOIN LATERAL (
          SELECT id, settled_at, transaction_type, amount, credit_amount FROM wallet_transactions
          WHERE wallet_id = a.wallet_id AND status = 'settled' AND settled_at >= a.since
          UNION ALL
          SELECT id, settled_at, transaction_type, amount, credit_amount FROM wallet_transactions
          WHERE wallet_id = a.wallet_id AND status = 'settled' AND settled_at IS NULL
        ) t
        WINDOW later AS (
          PARTITION BY a.wallet_id ORDER BY t.settled_at DESC, t.id DESC
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
      ) b
      WHERE b.id = ANY(${transactionIds}::uuid[])`,
  );
