import { asOrganization } from '../database/connection-share.ts';
import { type Send, senderOf } from '../database/sender.ts';
import { originOf, type TenantClient } from '../database/tenant.ts';
import { conditions } from './condition-sql.ts';
import type { Draft, Query } from './draft.ts';
import { draftOf, headOf, type Row, unlessUnreadable, type Writing } from './head.ts';
import { limits, ordering } from './order-sql.ts';

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
  decode(rows: readonly (readonly unknown[])[]): Row[];
}

function write(model: string, query: Query, writing: Writing | undefined, draft: Draft): Statement {
  const { select, table, alias, owner, decode } = headOf(model, query, writing, draft);
  const where = [owner, ...conditions(query.where, table, alias, draft)].join(' AND ');
  const from = `${select} FROM ${table.sql} ${alias} WHERE ${where}`;
  const [, ...constants] = draft.constants;
  const named = `$${draft.constants.length + 1}`;
  const all = `${from}${ordering(query.orderBy, table, alias)}${limits(query.take, query.skip, draft)}`;
  const one = `${from} AND ${alias}."id" = ${named}`;
  // As one text: drivers differ in how they write lists.
  const several = `${from} AND ${alias}."id" = ANY (${named}::text::uuid[])`;
  return { constants, all, limits: draft.constants.slice(constants.length + 1), one, several, decode };
}

/**
 * The statement that finds what Prisma would find for a query, in the same form: PostgreSQL puts a row and what belongs to it
 * into one JSON array, and writes objects beside it. Undefined for what only Prisma can read.
 */
export function statementOf(
  client: TenantClient,
  model: string,
  query: Query,
  writing?: Writing,
): Statement | undefined {
  const origin = originOf(client);
  return origin && unlessUnreadable(() => write(model, query, writing, draftOf(origin.prisma, writing)));
}

/** A statement with the client's organization. Undefined within a transaction, which only Prisma reads. */
export function lookupBy(client: TenantClient, statement: Statement): Lookup | undefined {
  const { constants, all, one, several, decode } = statement;
  const origin = originOf(client);
  const sender = origin && senderOf(origin.prisma);
  if (!sender) return undefined;
  const send: Send = (sql, args) => asOrganization(origin.organizationId, () => sender(sql, args));
  const args = [origin.organizationId, ...constants];
  const read = (ids: readonly string[]) =>
    ids.length === 1 ? send(one, [...args, ids[0]]) : send(several, [...args, `{${ids.join()}}`]);
  return async (ids) => {
    const rows = await (ids ? read(ids) : send(all, [...args, ...statement.limits]));
    return decode(rows);
  };
}

/** The rows that Prisma would find for a query, by a statement of its own. Undefined where only Prisma can read them. */
export function lookupOf(client: TenantClient, model: string, query: Query, writing?: Writing): Lookup | undefined {
  const statement = statementOf(client, model, query, writing);
  return statement && lookupBy(client, statement);
}
