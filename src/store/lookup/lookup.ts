import { asOrganization } from '../database/connection-share.ts';
import { tablesOf } from '../database/model.ts';
import { type Send, senderOf } from '../database/sender.ts';
import { originOf, type TenantClient } from '../database/tenant.ts';
import { conditions, limits, ordering } from './condition-sql.ts';
import { aliasOf, type Decode, type Draft, type Query, tableOf, Unreadable } from './draft.ts';
import { shapeOf } from './select-sql.ts';
import { objectSql, type WrittenObject } from './written-sql.ts';

const OWNER = '$1';

interface Row {
  readonly id: string;
}

/** Objects that PostgreSQL writes as text for every row, and how their texts are kept with it. */
export interface Writing {
  readonly objects: readonly WrittenObject[];
  /** The row with its texts, in which holes are left. */
  keep(row: object, texts: readonly string[], decoders: ReadonlyMap<number, Decode>): object;
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
  decode(columns: readonly unknown[]): Row;
}

function decoderOf(decode: Decode, writing: Writing | undefined, { decoders }: Draft): Statement['decode'] {
  const rowOf = (json: unknown) => decode(JSON.parse(String(json))) as Row;
  if (!writing) return ([json]) => rowOf(json);
  return ([json, ...texts]) => writing.keep(rowOf(json), texts.map(String), decoders) as Row;
}

function write(model: string, query: Query, writing: Writing | undefined, draft: Draft): Statement {
  const table = tableOf(model, draft);
  const alias = aliasOf(draft);
  const owner = `${alias}.${model === 'Organization' ? '"id"' : '"organization_id"'} = ${OWNER}`;
  const { values, decode } = shapeOf(model, query, alias, draft);
  const texts = (writing?.objects ?? []).map((object) => `, ${objectSql(object, { model, alias }, draft)}`).join('');
  const where = [owner, ...conditions(query.where, table, alias, draft)].join(' AND ');
  const select = `SELECT json_build_array(${values.join(', ')})::text${texts} FROM ${table.sql} ${alias} WHERE ${where}`;
  const [, ...constants] = draft.constants;
  const named = `$${draft.constants.length + 1}`;
  const all = `${select}${ordering(query.orderBy, table, alias)}${limits(query.take, query.skip, draft)}`;
  const one = `${select} AND ${alias}."id" = ${named}`;
  // As one text: drivers differ in how they write lists.
  const several = `${select} AND ${alias}."id" = ANY (${named}::text::uuid[])`;
  const end = draft.constants.slice(constants.length + 1);
  return { constants, all, limits: end, one, several, decode: decoderOf(decode, writing, draft) };
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
  if (!origin) return undefined;
  try {
    const tables = tablesOf(origin.prisma);
    return write(model, query, writing, { tables, constants: [undefined], aliases: 0, decoders: new Map() });
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
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
    return rows.map(decode);
  };
}

/** The rows that Prisma would find for a query, by a statement of its own. Undefined where only Prisma can read them. */
export function lookupOf(client: TenantClient, model: string, query: Query, writing?: Writing): Lookup | undefined {
  const statement = statementOf(client, model, query, writing);
  return statement && lookupBy(client, statement);
}
