import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { DatabaseBusyError } from '../database/unavailable.ts';
import type { SignalOf } from '../usage/event-cursor.ts';
import type { Sql } from './sql.ts';
import { TABLES } from './table.ts';

export type Row = readonly unknown[];

/** A ClickHouse that holds events. What it cannot do now it says by an error that is known as such. */
export interface Connection {
  rows(query: Sql, signalOf?: SignalOf): Promise<readonly Row[]>;
  /** The same a stretch at a time, while it is read. */
  stretches(query: Sql, signalOf?: SignalOf): AsyncIterable<readonly Row[]>;
  insert(table: Sql, values: readonly object[]): Promise<void>;
  run(statement: Sql): Promise<void>;
  close(): Promise<void>;
}

// It takes too long, there are too many statements, parts or bytes, a table only reads, another machine is missing.
const BUSY = new Set(['159', '164', '202', '203', '209', '210', '241', '242', '252', '285', '319', '425', '999']);

function asBusy(error: unknown): unknown {
  const isBusy = error instanceof ClickHouseError ? BUSY.has(error.code) : /timeout error/i.test(String(error));
  return isBusy ? new DatabaseBusyError('the store of events is busy', { cause: error }) : error;
}

const busy = (error: unknown): never => {
  throw asBusy(error);
};

const SETTINGS = {
  output_format_json_quote_64bit_integers: 0,
  max_query_size: '100000000',
  max_ast_elements: '1000000',
  wait_end_of_query: 0,
} as const;

const FORMAT = 'JSONCompactEachRow';

async function* read(client: ClickHouseClient, { text }: Sql, signalOf: SignalOf): AsyncGenerator<readonly Row[]> {
  const signal = signalOf?.();
  try {
    const found = await client.query({ query: text, format: FORMAT, ...(signal && { abort_signal: signal }) });
    for await (const rows of found.stream<Row>()) yield rows.map((row) => row.json<Row>());
  } catch (error) {
    signal?.throwIfAborted();
    busy(error);
  }
}

/** The address that the client takes: `clickhouse://` is HTTP. */
const httpAddress = (url: string) => url.replace(/^clickhouse:/, 'http:');

/** Opens a ClickHouse by its address, `clickhouse://`, `http://` or `https://`, and makes its tables. */
export async function connect(url: string): Promise<Connection> {
  const client = createClient({
    ...{ url: httpAddress(url), application: 'billing-gateway', clickhouse_settings: SETTINGS },
    ...{ request_timeout: 60_000, compression: { request: true, response: true } },
    log: { level: ClickHouseLogLevel.OFF }, // what fails is told by who asked
  });
  const stretches = (query: Sql, signalOf?: SignalOf) => read(client, query, signalOf);
  const run = async ({ text }: Sql) => void (await client.command({ query: text }).catch(busy));
  try {
    for (const table of TABLES) await run(table);
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    ...{ stretches, run, close: () => client.close() },
    rows: async (query, signalOf) => {
      const all: Row[] = [];
      for await (const rows of stretches(query, signalOf)) all.push(...rows);
      return all;
    },
    insert: async ({ text: table }, values) =>
      void (await client.insert({ table, values, format: 'JSONEachRow' }).catch(busy)),
  };
}
