import { forOrganization } from '../database/tenant.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { type EventBuffer, queueOf } from '../usage/event-intake.ts';
import type { EventRow } from '../usage/event-row.ts';
import { keepRefusals } from '../usage/keep-refusals.ts';
import { refusal } from '../usage/refusal.ts';
import { bufferOf } from './buffer.ts';
import { type Consuming, consume, type Sink } from './consume.ts';
import { openStream } from './stream.ts';

/** A buffer of events in a stream, and what stores from it. */
export interface JetStreamEvents {
  readonly buffer: EventBuffer;
  /** Stores what comes, until it is closed. */
  store(prisma: PrismaClient, onRejected: (error: unknown) => void): void;
  close(): Promise<void>;
}

/** Whether a row is stored itself, by an attempt of before. */
async function isStored(prisma: PrismaClient, { id, organizationId }: EventRow): Promise<boolean> {
  return (await forOrganization(prisma, organizationId).event.count({ where: { id } })) > 0;
}

/** What became of an event whose names another has. */
function refusalOf(row: EventRow) {
  const { transactionId, externalSubscriptionId, code, timestamp, written, preciseTotalAmountCents: amount } = row;
  const names = { transaction_id: transactionId, external_subscription_id: externalSubscriptionId, code };
  const sent = { ...names, timestamp, properties: row.properties, precise_total_amount_cents: amount };
  // Without a time of its own an event has that of its receipt.
  const isTimed = timestamp.getTime() !== row.createdAt.getTime();
  return refusal(sent, row.organizationId, row.createdAt, {
    ...{ fate: 'met', reasons: [{ member: 'transaction_id', code: 'value_already_exist' }] },
    compared: { code, timestamp, isTimed, properties: written, computed: null, amount },
  });
}

const sinkOf = (prisma: PrismaClient, rejected: Sink['rejected']): Sink => ({
  store: async (row) => {
    const known = await queueOf(prisma).add([row]);
    return known.length === 0 || isStored(prisma, row);
  },
  known: async (rows) => {
    for (const row of rows) await keepRefusals(forOrganization(prisma, row.organizationId), [refusalOf(row)]);
  },
  rejected,
});

/** Opens the stream of an address. Throws where it leads to none. */
export async function openJetStream(url: string): Promise<JetStreamEvents> {
  const stream = await openStream(url);
  let consuming: Consuming | undefined;
  return {
    buffer: bufferOf(stream),
    store: (prisma, onRejected) => {
      consuming ??= consume(stream, sinkOf(prisma, onRejected));
    },
    close: async () => {
      await consuming?.stop();
      await stream.connection.drain();
    },
  };
}
