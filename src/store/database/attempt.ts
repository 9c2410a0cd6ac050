import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQueryable,
} from '@prisma/driver-adapter-utils';
import { isConflict } from './unavailable.ts';

const MOST_ATTEMPTS = 4;
const SHORTEST_PAUSE = 20;

/** Longer each time, and different for each of those who were in each other's way. */
const pause = (attempt: number) =>
  new Promise((resolve) => setTimeout(resolve, SHORTEST_PAUSE * 2 ** attempt * (0.5 + Math.random())));

/**
 * Runs a whole transaction, and again where others were in its way (a deadlock, a serialization failure): the database has
 * undone it. After four attempts, which take a quarter of a second beside their own time, the failure stands.
 */
export async function repeated<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= MOST_ATTEMPTS || !isConflict(error)) throw error;
      await pause(attempt);
    }
  }
}

/** Runs what it is given one after another, in the order in which it is given; what fails keeps none of the others. */
export function inTurn(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run);
    last = next.catch(() => undefined);
    return next;
  };
}

type Told = (error: unknown) => void;

function repeatingQueries<T extends SqlQueryable>(queryable: T, told: Told, isWhole: boolean): T {
  const around = <A, R>(send: (query: A) => Promise<R>) => {
    return async (query: A): Promise<R> => {
      try {
        return await (isWhole ? repeated(() => send(query)) : send(query));
      } catch (error) {
        told(error);
        throw error;
      }
    };
  };
  queryable.queryRaw = around(queryable.queryRaw.bind(queryable));
  queryable.executeRaw = around(queryable.executeRaw.bind(queryable));
  return queryable;
}

function repeatingAdapter(adapter: SqlDriverAdapter, told: Told): SqlDriverAdapter {
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (level) => repeatingQueries(await startTransaction(level), told, false);
  return repeatingQueries(adapter, told, true);
}

/** The same driver adapter, with statements that are transactions of their own repeated on a conflict. Failures are told. */
export function withRepetition(
  factory: SqlMigrationAwareDriverAdapterFactory,
  told: Told,
): SqlMigrationAwareDriverAdapterFactory {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => repeatingAdapter(await connect(), told);
  return factory;
}
