import { setImmediate as turn } from 'node:timers/promises';
import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';

/**
 * The embedded server works in this thread and answers before the event loop has gone on: a statement after the other, as of a billing
 * run, would let nothing else begin, not even the reading of a request. The same function, which waits for such a turn first.
 */
export const afterTurn =
  <Sent extends readonly unknown[], Answer>(send: (...sent: Sent) => Promise<Answer>) =>
  async (...sent: Sent): Promise<Answer> => {
    await turn();
    return send(...sent);
  };

function takingTurns<T extends SqlQueryable>(queryable: T): T {
  queryable.queryRaw = afterTurn(queryable.queryRaw.bind(queryable));
  queryable.executeRaw = afterTurn(queryable.executeRaw.bind(queryable));
  return queryable;
}

/** The same driver adapter, whose statements each begin in a turn of the event loop of their own. */
export function withTurns(factory: SqlMigrationAwareDriverAdapterFactory): SqlMigrationAwareDriverAdapterFactory {
  const connect = factory.connect.bind(factory);
  factory.connect = async (): Promise<SqlDriverAdapter> => {
    const adapter = takingTurns(await connect());
    const startTransaction = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level): Promise<Transaction> => takingTurns(await startTransaction(level));
    return adapter;
  };
  return factory;
}
