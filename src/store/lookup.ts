import type { SqlDriverAdapter, SqlQuery } from '@prisma/driver-adapter-utils';
import type { PrismaClient } from './generated/prisma/client.ts';
import { aliasOf, conditions, type Draft, type Query, shapeOf, tableOf, Unreadable } from './lookup-sql.ts';
import { tablesOf } from './model.ts';
import { originOf, type TenantClient } from './tenant.ts';

/** Sends a statement to the database past Prisma, which hears nothing of it. */
export type Send = (sql: string, args: readonly unknown[]) => Promise<readonly unknown[][]>;

type Statement = { readonly sql: string; readonly milliseconds: number };

interface SendOptions {
  readonly connect: () => Promise<SqlDriverAdapter>;
  /** Who is told of statements. */
  readonly listeners: readonly ((statement: Statement) => void)[];
}

const TEXT: SqlQuery['argTypes'][number] = { scalarType: 'string', arity: 'scalar' };

/** By the connections of a driver adapter of Prisma, so that errors and time limits are the same. */
export function sender({ connect, listeners }: SendOptions): Send {
  let adapter: Promise<SqlDriverAdapter> | undefined;
  return async (sql, args) => {
    adapter ??= connect();
    const connected = await adapter;
    const start = listeners.length > 0 ? performance.now() : 0;
    const { rows } = await connected.queryRaw({ sql, args: [...args], argTypes: args.map(() => TEXT) });
    for (const listener of listeners) listener({ sql, milliseconds: performance.now() - start });
    return rows;
  };
}

const senders = new WeakMap<PrismaClient, Send>();

/** Lets lookups of the client be read by the sender. */
export const sendPast = (prisma: PrismaClient, send: Send): void => void senders.set(prisma, send);

interface Row {
  readonly id: string;
}

/** Reads rows of one organization by their identifiers. Which are UUIDs, and are not there, are left out. */
export type Lookup = (ids: readonly string[]) => Promise<Row[]>;

interface Owner {
  readonly send: Send;
  readonly organizationId: string;
}

function lookup(model: string, query: Query, draft: Draft, { send, organizationId }: Owner): Lookup {
  const table = tableOf(model, draft);
  const alias = aliasOf(draft);
  draft.constants.push(organizationId, ''); // $1, and $2 for the identifiers
  const owner = `${alias}.${model === 'Organization' ? '"id"' : '"organization_id"'} = $1`;
  const { values, decode } = shapeOf(model, query, alias, draft);
  const where = [owner, ...conditions(query.where, table, alias, draft)].join(' AND ');
  const select = `SELECT json_build_array(${values.join(', ')})::text FROM ${table.sql} ${alias} WHERE ${where}`;
  const one = `${select} AND ${alias}."id" = $2`;
  // As one text: drivers differ in how they write lists.
  const many = `${select} AND ${alias}."id" = ANY ($2::text::uuid[])`;
  const [, , ...constants] = draft.constants;
  return async (ids) => {
    const args = [organizationId, ids.length === 1 ? ids[0] : `{${ids.join()}}`, ...constants];
    const rows = await send(ids.length === 1 ? one : many, args);
    return rows.map(([json]) => decode(JSON.parse(String(json))) as Row);
  };
}

/**
 * The rows that Prisma would find for a query, `{ select | include, where }`, and identifiers: in the same form, by one
 * statement that is written once. PostgreSQL puts a row and what belongs to it into one JSON array. Undefined for a query that only Prisma can read.
 */
export function lookupOf(client: TenantClient, model: string, query: Query): Lookup | undefined {
  const origin = originOf(client);
  const send = origin && senders.get(origin.prisma);
  if (!send) return undefined;
  try {
    const draft: Draft = { tables: tablesOf(origin.prisma), constants: [], aliases: 0 };
    return lookup(model, query, draft, { send, organizationId: origin.organizationId });
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
