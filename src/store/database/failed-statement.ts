import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';

/** A statement that was sent, as listeners are told of it. */
export interface ToldStatement {
  readonly sql: string;
  readonly milliseconds: number;
  /** The database refused it, cancelled it, or was gone. */
  readonly failed?: true;
}

export type StatementListener = (statement: ToldStatement) => void;

function tellingQueries<T extends SqlQueryable>(queryable: T, listeners: readonly StatementListener[]): T {
  const telling =
    <Query extends { readonly sql: string }, Result>(send: (query: Query) => Promise<Result>) =>
    async (query: Query) => {
      const start = performance.now();
      try {
        return await send(query);
      } catch (error) {
        const milliseconds = performance.now() - start;
        for (const listener of listeners) listener({ sql: query.sql, milliseconds, failed: true });
        throw error;
      }
    };
  queryable.queryRaw = telling(queryable.queryRaw.bind(queryable));
  queryable.executeRaw = telling(queryable.executeRaw.bind(queryable));
  return queryable;
}

/** The same driver adapter, which tells of statements that fail: Prisma tells of those only that went well. */
export function tellingFailures(
  factory: SqlMigrationAwareDriverAdapterFactory,
  listeners: readonly StatementListener[],
): SqlMigrationAwareDriverAdapterFactory {
  const connect = factory.connect.bind(factory);
  factory.connect = async (): Promise<SqlDriverAdapter> => {
    const adapter = tellingQueries(await connect(), listeners);
    const startTransaction = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level): Promise<Transaction> =>
      tellingQueries(await startTransaction(level), listeners);
    return adapter;
  };
  return factory;
}
