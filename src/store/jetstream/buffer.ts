import { JetStreamApiError } from '@nats-io/jetstream';
import { BillingError, invalid, tooManyWaiting } from '../../billing/errors.ts';
import { DatabaseBusyError } from '../database/unavailable.ts';
import type { EventBuffer } from '../usage/event-intake.ts';
import type { EventRow } from '../usage/event-row.ts';
import { identifierOf, messageOf } from './message.ts';
import type { Stream } from './stream.ts';

const PATIENCE_MS = 5000;

/** Events of requests that the server has not acknowledged yet. */
const MOST_WAITING = 20_000;

// The server's code for a message that a full stream does not take; its text says by what it is full.
const NOT_STORED = 10_077;
const FULL = /maximum (messages|bytes)/;

const isFull = (error: unknown) =>
  error instanceof JetStreamApiError && error.code === NOT_STORED && FULL.test(error.message);

/**
 * Hands events to a stream, the events of a request as one message, and answers once the server has it on its disk. The same message
 * again, within the window of the stream, is known; what is the same later is found where events are stored.
 */
export function bufferOf(stream: Stream): EventBuffer {
  let waiting = 0;
  const publish = async (rows: readonly EventRow[]) => {
    const subject = stream.subjectOf(rows[0]?.organizationId ?? '');
    const text = messageOf(rows);
    const most = stream.connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    // Room for the subject and the headers.
    if (Buffer.byteLength(text) + 1024 > most) {
      throw invalid({ events: ['value_is_too_long'] }, { events: { limit: `at most ${most} bytes together` } });
    }
    return stream.client.publish(subject, text, { msgID: identifierOf(rows), timeout: PATIENCE_MS });
  };
  return {
    async add(rows) {
      if (waiting + rows.length > MOST_WAITING) throw tooManyWaiting();
      waiting += rows.length;
      try {
        const { duplicate } = await publish(rows);
        return duplicate ? rows.map((_row, place) => place) : [];
      } catch (error) {
        if (isFull(error)) throw tooManyWaiting();
        if (error instanceof BillingError) throw error;
        throw new DatabaseBusyError('the buffer of events does not answer', { cause: error });
      } finally {
        waiting -= rows.length;
      }
    },
    async waiting() {
      const { state } = await stream.manager.streams.info(stream.name);
      // What was acknowledged in its millisecond may be it.
      const since = state.messages === 0 ? null : new Date(Date.parse(state.first_ts) - 1);
      return { count: state.messages, since };
    },
    ready: async () => void (await stream.manager.streams.info(stream.name)),
  };
}
