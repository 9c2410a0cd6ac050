import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseExactJson } from '../database/exact-json.ts';
import { type EventRow, keyOf } from '../usage/event-row.ts';

const moment = z.number().int();

const message = z.array(
  z.object({
    ...{ id: z.uuid(), organization: z.uuid(), subscription: z.string(), code: z.string(), transaction: z.string() },
    ...{ at: moment, received: moment, amount: z.string().nullable(), properties: z.string() },
  }),
);

/** Events that were received together as one message: they are taken together or not at all. */
export const messageOf = (rows: readonly EventRow[]): string =>
  JSON.stringify(
    rows.map((row) => ({
      ...{ id: row.id, organization: row.organizationId, subscription: row.externalSubscriptionId, code: row.code },
      ...{ transaction: row.transactionId, at: row.timestamp.getTime(), received: row.createdAt.getTime() },
      // A text of its own, so that its numbers keep their digits.
      ...{ amount: row.preciseTotalAmountCents, properties: row.written },
    })),
  );

/** The events of a message. Throws where it is none. */
export function rowsOf(text: string): readonly EventRow[] {
  return message.parse(JSON.parse(text)).map((row) => ({
    ...{ id: row.id, organizationId: row.organization, externalSubscriptionId: row.subscription, code: row.code },
    ...{ transactionId: row.transaction, timestamp: new Date(row.at), createdAt: new Date(row.received) },
    ...{ preciseTotalAmountCents: row.amount, written: row.properties, deletedAt: null },
    properties: z.record(z.string(), z.unknown()).parse(parseExactJson(row.properties)),
  }));
}

/** What a message is once within the window of the stream: its organization, subscriptions and transaction ids. */
export const identifierOf = (rows: readonly EventRow[]): string =>
  createHash('sha256').update(rows.map(keyOf).join('\n')).digest('base64url');
