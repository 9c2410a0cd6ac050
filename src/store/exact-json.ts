import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQueryable,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils';

// Joined relations arrive as one JSON text a row, in which a decimal is a number: JSON.parse would cut it to 17 digits.
// A number that is not exactly the text of a JavaScript number is therefore handed over as a string, which Prisma's
// decimals read with every digit. Numbers inside JSON columns came from JavaScript and stay numbers.
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Quotes the numbers of a JSON text that a JavaScript number cannot hold: `[1.50,2]` becomes `["1.50",2]`. */
export function quoteInexactNumbers(json: string): string {
  return json.replace(TOKEN, (token) =>
    token.charCodeAt(0) === 0x22 || String(Number(token)) === token ? token : `"${token}"`,
  );
}

function exactResult(result: SqlResultSet): SqlResultSet {
  const columns = result.columnTypes.flatMap((type, column) => (type === ColumnTypeEnum.Json ? [column] : []));
  if (columns.length === 0) return result;
  for (const row of result.rows) {
    for (const column of columns) {
      const value = row[column];
      if (typeof value === 'string') row[column] = quoteInexactNumbers(value);
    }
  }
  return result;
}

function exactQueries<T extends SqlQueryable>(queryable: T): T {
  const queryRaw = queryable.queryRaw.bind(queryable);
  queryable.queryRaw = async (query) => exactResult(await queryRaw(query));
  return queryable;
}

function exactAdapter(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (level): Promise<Transaction> => exactQueries(await startTransaction(level));
  return exactQueries(adapter);
}

/** The same driver adapter, with decimals of joined relations kept exact. */
export function withExactJson(factory: SqlMigrationAwareDriverAdapterFactory): SqlMigrationAwareDriverAdapterFactory {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => exactAdapter(await connect());
  return factory;
}
