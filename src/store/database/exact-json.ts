import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQueryable,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils';

// Joined relations arrive as one JSON text a row, in which a decimal is a number: JSON.parse would cut it to 17 digits.
// A number that a JavaScript number cannot hold is therefore handed over as a string, which Prisma's decimals read with
// every digit. Numbers inside JSON columns came from JavaScript, which can hold them: they stay numbers.
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const EXACT_DIGITS = 15; // any decimal of so many digits comes back from a JavaScript number as it was

/** Whether a JavaScript number holds every digit of a number that is written so. */
export function isHeld(token: string): boolean {
  const number = Number(token);
  if (String(number) === token) return true;
  const [mantissa = ''] = token.split(/[eE]/);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return digits.length <= EXACT_DIGITS && Number.isFinite(number) && (number !== 0 || digits === '');
}

// A number that is not held has as many digits, or an exponent of three. Most texts have none such, and are left as they are.
const MAY_BE_LONG = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** Quotes the numbers of a JSON text that a JavaScript number cannot hold: `[1.5,0.12345678901234567]` becomes `[1.5,"0.12345678901234567"]`. */
function quoteInexactNumbers(json: string): string {
  if (!MAY_BE_LONG.test(json)) return json;
  return json.replace(TOKEN, (token) => (token.charCodeAt(0) === 0x22 || isHeld(token) ? token : `"${token}"`));
}

/** The value of a JSON text; a number that a JavaScript number cannot hold is a string of its digits. */
export const parseExactJson = (json: string): unknown => JSON.parse(quoteInexactNumbers(json));

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
