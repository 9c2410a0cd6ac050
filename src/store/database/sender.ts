import type { PrismaClient } from '../generated/prisma/client.ts';
import { asNobody } from './connection-share.ts';
import type { StatementListener } from './failed-statement.ts';

/**
 * Sends a statement to the database past Prisma, which hears nothing of it, and answers the rows. PostgreSQL may keep the plan of
 * one that is sent again, unless that is not wanted.
 */
export type Send = (sql: string, args: readonly unknown[], isKept?: boolean) => Promise<readonly unknown[][]>;

/** The same, told to whoever listens to statements. */
export const observed =
  (send: Send, listeners: readonly StatementListener[]): Send =>
  async (sql, args, isKept) => {
    if (listeners.length === 0) return send(sql, args, isKept);
    const start = performance.now();
    const tell = (outcome: { failed?: true }) => {
      for (const listener of listeners) listener({ sql, milliseconds: performance.now() - start, ...outcome });
    };
    try {
      const rows = await send(sql, args, isKept);
      tell({});
      return rows;
    } catch (error) {
      tell({ failed: true });
      throw error;
    }
  };

const senders = new WeakMap<PrismaClient, Send>();

/** Lets lookups of the client be read by the sender. */
export const sendPast = (prisma: PrismaClient, send: Send): void => void senders.set(prisma, send);

export const senderOf = (prisma: PrismaClient): Send | undefined => senders.get(prisma);

/** Sends for several organizations at once: in no organization's share, each statement a transaction of its own. */
export function sharedSenderOf(prisma: PrismaClient): Send {
  const sender = senderOf(prisma);
  if (!sender) throw new Error('a client without a sender');
  return (sql, args) => asNobody(() => sender(sql, args));
}
