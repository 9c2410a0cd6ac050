import { parseExactJson } from '../database/exact-json.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { EventRow } from '../usage/event-row.ts';
import type { EventStore } from '../usage/event-store.ts';

interface Kept {
  readonly id: string;
  readonly organization_id: string;
  readonly transaction_id: string;
  readonly external_subscription_id: string;
  readonly code: string;
  readonly timestamp: Date;
  readonly created_at: Date;
  readonly written: string;
  readonly amount: string | null;
}

const PAGE = 1000;

const rowOf = (row: Kept): EventRow => ({
  ...{ id: row.id, organizationId: row.organization_id, transactionId: row.transaction_id, code: row.code },
  ...{ externalSubscriptionId: row.external_subscription_id, timestamp: row.timestamp, createdAt: row.created_at },
  ...{ deletedAt: null, written: row.written, preciseTotalAmountCents: row.amount },
  properties: parseExactJson(row.written) as Record<string, unknown>,
});

/**
 * Brings events that are rows of the database, from before it had another store or from an import, into that store; what that has
 * already stays there as it is. Each is in one of the two at any moment, and in both only for so long as its page takes: a process
 * that dies in between begins again. Answers how many there were.
 */
export async function carryEvents(prisma: PrismaClient, store: EventStore): Promise<number> {
  let carried = 0;
  for (;;) {
    const rows = await prisma.$queryRaw<Kept[]>`
      SELECT id::text, organization_id::text, transaction_id, external_subscription_id, code, "timestamp", created_at,
        properties::text AS written, trim_scale(precise_total_amount_cents)::text AS amount
      FROM events WHERE deleted_at IS NULL ORDER BY created_at, id LIMIT ${PAGE}`;
    if (rows.length === 0) return carried;
    await store.append(rows.map((row) => [rowOf(row)]));
    const ids = rows.map(({ id }) => id);
    await prisma.$executeRaw`DELETE FROM events WHERE id = ANY (${ids}::uuid[])`;
    carried += rows.length;
  }
}
