import { setTimeout as wait } from 'node:timers/promises';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { BillingError } from '../../billing/errors.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import type { EventRow } from '../usage/event-row.ts';
import { rowsOf } from './message.ts';
import type { Stream } from './stream.ts';

/** Where messages go. */
export interface Sink {
  /** Stores one event; false where another of its names is there already. */
  store(row: EventRow): Promise<boolean>;
  /** Is told of events whose names others have: their senders were told that they are taken. */
  known(rows: readonly EventRow[]): Promise<void>;
  /** Is told of a message that cannot be stored, and was put aside. */
  rejected(error: unknown): void;
}

// So many events of messages are under way at once: they fill the statements of the queue.
const MOST_UNDER_WAY = 4000;
// A message that the store refuses so often is put aside: the others are not to wait for it.
const MOST_DELIVERIES = 5;
const LATER_MS = 1000;

/** A consumer of a stream. */
export interface Consuming {
  /** Lets what is under way be stored and acknowledged, and takes no more. */
  stop(): Promise<void>;
}

/** Puts a message aside, where it is kept for an operator, and takes it from the stream. */
async function reject({ client, rejected }: Stream, message: JsMsg, sink: Sink, error: unknown): Promise<void> {
  await client.publish(rejected, message.data, { msgID: `${message.seq}` });
  sink.rejected(error);
  message.term(); // servers before 2.10.4 take no reason with it
}

function readMessage(message: JsMsg): readonly EventRow[] | Error {
  try {
    return rowsOf(message.string());
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Stores the events of a message, each by itself, and answers for it once all are committed. */
async function settle(stream: Stream, message: JsMsg, rows: readonly EventRow[] | Error, sink: Sink): Promise<void> {
  if (rows instanceof Error) return reject(stream, message, sink, rows);
  const outcomes = await Promise.allSettled(rows.map((row) => sink.store(row)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) {
    const isBusy = isDatabaseUnavailable(failed.reason) || failed.reason instanceof BillingError;
    const isLasting = !isBusy && message.info.deliveryCount >= MOST_DELIVERIES;
    if (isLasting) return reject(stream, message, sink, failed.reason);
    return message.nak(LATER_MS);
  }
  const known = rows.filter((_row, at) => {
    const outcome = outcomes[at];
    return outcome?.status === 'fulfilled' && !outcome.value;
  });
  if (known.length > 0) await sink.known(known);
  // Waits for the server: what it has not heard of comes again, and is known by its identifiers.
  await message.ackAck();
}

/**
 * Takes messages from a stream and stores what is in them. A message is acknowledged after its events were committed: a process that
 * ends before leaves it to the next one, to which what is stored already is known. What cannot be stored keeps no other waiting.
 */
export function consume(stream: Stream, sink: Sink): Consuming {
  let isStopped = false;
  let underWay = 0;
  let messages: ConsumerMessages | undefined;
  const running = new Set<Promise<void>>();

  const take = (message: JsMsg) => {
    const rows = readMessage(message);
    const count = rows instanceof Error ? 1 : rows.length;
    underWay += count;
    // What fails here comes again after a while.
    const run = settle(stream, message, rows, sink).catch(() => undefined);
    running.add(run);
    return run.finally(() => {
      underWay -= count;
      running.delete(run);
    });
  };

  const loop = async () => {
    while (!isStopped) {
      try {
        messages = await stream.consumer.consume({ max_messages: 1000 });
        if (isStopped) await messages.close();
        for await (const message of messages) {
          void take(message);
          while (underWay >= MOST_UNDER_WAY) await Promise.race(running);
          if (isStopped) break;
        }
      } catch {
        await wait(LATER_MS); // the server is away: it is asked again
      }
    }
  };
  const done = loop();
  return {
    async stop() {
      isStopped = true;
      await messages?.close();
      await done;
      await Promise.all(running);
    },
  };
}
