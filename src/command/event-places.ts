import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../store/database/database.ts';
import { quietly, type Step } from '../store/database/migration.ts';
import { receiveInto } from '../store/usage/event-intake.ts';
import { keepEventsIn } from '../store/usage/kept-events.ts';

/** A place of events cannot be used; the message is one line for the operator. */
export class EventPlaceError extends Error {
  override readonly name = 'EventPlaceError';
}

/** Where the events of a database are, beside it. */
export interface EventPlaces {
  /** Has received events go to the buffer, where there is one, and stores what comes from it. */
  receive(logger: Logger): void;
  /** Brings what the database itself has to where events are kept. */
  carry(step?: Step): Promise<void>;
  close(): Promise<void>;
}

const NOTHING = async () => undefined;

const reasonOf = (error: unknown) => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message?.split('\n')[0] || code || String(error);
};

type Places = Omit<EventPlaces, 'receive'>;

async function openStore(db: Database, url: string | undefined): Promise<Places> {
  if (!url) return { carry: NOTHING, close: NOTHING };
  const [{ openClickHouse }, { carryEvents }] = await Promise.all([
    import('../store/clickhouse/clickhouse-events.ts'),
    import('../store/clickhouse/carry-events.ts'),
  ]);
  const store = await openClickHouse(url).catch((error: unknown) => {
    throw new EventPlaceError(`EVENTS_URL does not lead to a usable ClickHouse: ${reasonOf(error)}`);
  });
  keepEventsIn(db.prisma, store);
  return {
    carry: async (step = quietly) => {
      if ((await db.prisma.$queryRaw<unknown[]>`SELECT FROM events WHERE deleted_at IS NULL LIMIT 1`).length === 0)
        return;
      await step('Carrying events to ClickHouse', async () => void (await carryEvents(db.prisma, store)));
    },
    close: () => store.close(),
  };
}

async function openBuffer(db: Database, url: string | undefined): Promise<Omit<EventPlaces, 'carry'>> {
  if (!url) return { receive: () => undefined, close: NOTHING };
  const { openJetStream } = await import('../store/jetstream/jetstream-events.ts');
  const stream = await openJetStream(url).catch((error: unknown) => {
    throw new EventPlaceError(`EVENTS_BUFFER_URL does not lead to a usable stream of NATS: ${reasonOf(error)}`);
  });
  return {
    receive: (logger) => {
      receiveInto(db.prisma, stream.buffer);
      stream.store(db.prisma, (err) => logger.error({ err }, 'a message of events cannot be stored and was put aside'));
    },
    close: () => stream.close(),
  };
}

/** Has events kept where the configuration says: only then is it loaded what that needs. */
export async function openEventPlaces(db: Database, config: Config): Promise<EventPlaces> {
  const { carry, close } = await openStore(db, config.EVENTS_URL);
  const buffer = await openBuffer(db, config.EVENTS_BUFFER_URL).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    carry,
    receive: buffer.receive,
    // What is under way from the buffer is stored before the store closes.
    close: () => buffer.close().finally(close),
  };
}
