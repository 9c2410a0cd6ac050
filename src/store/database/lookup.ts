import type { PrismaClient } from '../generated/prisma/client.ts';
import { asOrganization } from './connection-share.ts';
import type { StatementListener } from './failed-statement.ts';
import {
  aliasOf,
  conditions,
  type Draft,
  limits,
  ordering,
  type Query,
  shapeOf,
  tableOf,
  Unreadable,
} from './lookup-sql.ts';
import { tablesOf } from './model.ts';
import { originOf, type TenantClient } from './tenant.ts';

/** Sends a statement to the database past Prisma, which hears nothing of it, and answers the rows. */
export type Send = (sql: string, args: readonly unknown[]) => Promise<readonly unknown[][]>;

/** The same, told to whoever listens to statements. */
export const observed =
  (send: Send, listeners: readonly StatementListener[]): Send =>
  async (sql, args) => {
    if (listeners.length === 0) return send(sql, args);
    const start = performance.now();
    const tell = (outcome: { failed?: true }) => {
      for (const listener of listeners) listener({ sql, milliseconds: performance.now() - start, ...outcome });
    };
    try {
      const rows = await send(sql, args);
      tell({});
      return rows;
    } catch (error) {
      tell({ failed: true });
      throw error;
    }
  };

const OWNER = '$1';

const senders = new WeakMap<PrismaClient, Send>();

/** Lets lookups of the client be read by the sender. */
export const sendPast = (prisma: PrismaClient, send: Send): void => void senders.set(prisma, send);

interface Row {
  readonly id: string;
}

/** Reads the rows of one organization that a query means; or, without its order and its limits, those with the identifiers given, which are UUIDs. */
export type Lookup = (ids?: readonly string[]) => Promise<Row[]>;

/** How a query is read, for every organization alike. */
export interface Statement {
  /** What the conditions compare with. The arguments are the organization, these, and what ends them. */
  readonly constants: readonly unknown[];
  readonly all: string;
  /** Ends the arguments of `all`. */
  readonly limits: readonly unknown[];
  /** With one identifier, which ends the arguments, and with several of them. */
  readonly one: string;
  readonly several: string;
  decode(values: unknown): unknown;
}

function write(model: string, query: Query, draft: Draft): Statement {
  const table = tableOf(model, draft);
  const alias = aliasOf(draft);
  const owner = `${alias}.${model === 'Organization' ? '"id"' : '"organization_id"'} = ${OWNER}`;
  const { values, decode } = shapeOf(model, query, alias, draft);
  const where = [owner, ...conditions(query.where, table, alias, draft)].join(' AND ');
  const select = `SELECT json_build_array(${values.join(', ')})::text FROM ${table.sql} ${alias} WHERE ${where}`;
  const [, ...constants] = draft.constants;
  const named = `$${draft.constants.length + 1}`;
  const all = `${select}${ordering(query.orderBy, table, alias)}${limits(query.take, query.skip, draft)}`;
  const one = `${select} AND ${alias}."id" = ${named}`;
  // As one text: drivers differ in how they write lists.
  const several = `${select} AND ${alias}."id" = ANY (${named}::text::uuid[])`;
  return { constants, all, limits: draft.constants.slice(constants.length + 1), one, several, decode };
}

/**
 * The statement that finds what Prisma would find for a query, in the same form: PostgreSQL puts a row and what belongs to it
 * into one JSON array. Undefined for a query that only Prisma can read.
 */
export function statementOf(client: TenantClient, model: string, query: Query): Statement | undefined {
  const origin = originOf(client);
  if (!origin) return undefined;
  try {
    return write(model, query, { tables: tablesOf(origin.prisma), constants: [undefined], aliases: 0 });
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** A statement with the client's organization. Undefined within a transaction, which only Prisma reads. */
export function lookupBy(client: TenantClient, statement: Statement): Lookup | undefined {
  const { constants, all, one, several, decode } = statement;
  const origin = originOf(client);
  const sender = origin && senders.get(origin.prisma);
  if (!sender) return undefined;
  const send: Send = (sql, args) => asOrganization(origin.organizationId, () => sender(sql, args));
  const args = [origin.organizationId, ...constants];
  const read = (ids: readonly string[]) =>
    ids.length === 1 ? send(one, [...args, ids[0]]) : send(several, [...args, `{${ids.join()}}`]);
  return async (ids) => {
    const rows = await (ids ? read(ids) : send(all, [...args, ...statement.limits]));
    return rows.map(([json]) => decode(JSON.parse(String(json))) as Row);
  };
}

/** The rows that Prisma would find for a query, by a statement of its own. Undefined where only Prisma can read them. */
export function lookupOf(client: TenantClient, model: string, query: Query): Lookup | undefined {
  const statement = statementOf(client, model, query);
  return statement && lookupBy(client, statement);
}
