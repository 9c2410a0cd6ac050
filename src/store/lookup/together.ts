import { asOrganization } from '../database/connection-share.ts';
import { parseExactJson } from '../database/exact-json.ts';
import { senderOf } from '../database/sender.ts';
import { originOf, type TenantClient } from '../database/tenant.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { conditions } from './condition-sql.ts';
import { aliasOf, type Decode, type Draft, type Query, tableOf } from './draft.ts';
import { draftOf, OWNER, unlessUnreadable } from './head.ts';
import { ordering } from './order-sql.ts';
import { shapeOf } from './select-sql.ts';

/** Queries of Prisma for rows of several models. */
type Queries = readonly { readonly model: string; readonly query: Query }[];

interface Together {
  readonly sql: string;
  readonly constants: readonly unknown[];
  readonly decoders: readonly Decode[];
}

/** One query as a value: a JSON array of its rows. */
function partOf({ model, query }: Queries[number], draft: Draft): { sql: string; decode: Decode } {
  const { where, orderBy, ...selection } = query;
  const table = tableOf(model, draft);
  const alias = aliasOf(draft);
  const { values, decode } = shapeOf(model, selection, alias, draft);
  const all = [`${alias}."organization_id" = ${OWNER}`, ...conditions(where, table, alias, draft)].join(' AND ');
  const order = ordering(orderBy, table, alias);
  const rows = `json_agg(json_build_array(${values.join(', ')})${order})`;
  return { sql: `(SELECT coalesce(${rows}, '[]') FROM ${table.sql} ${alias} WHERE ${all})::text`, decode };
}

function write(queries: Queries, draft: Draft): Together {
  const parts = queries.map((query) => partOf(query, draft));
  const sql = `SELECT ${parts.map((part) => part.sql).join(', ')}`;
  return { sql, constants: draft.constants, decoders: parts.map(({ decode }) => decode) };
}

const known = new WeakMap<PrismaClient, Map<string, Together | undefined>>();

/** Values that a statement is written without: it is the same for others. */
export class Given {
  private readonly values = new Map<string, string>();

  /** What stands for the values. */
  of(name: string, values: readonly string[]): string[] {
    return values.map((value, index) => {
      const key = `${name} ${index}`;
      this.values.set(key, value);
      return key;
    });
  }

  /** Tells apart statements for more values and for fewer. */
  get shape(): string {
    return [...this.values.keys()].join();
  }

  valueOf(constant: unknown): unknown {
    return this.values.get(String(constant)) ?? constant;
  }
}

/**
 * The rows of several queries by one statement, so that all are as they were at one moment without a transaction. The queries
 * differ by the values given only. Undefined within a transaction, and where only Prisma can read them.
 */
export function readTogether(client: TenantClient, queries: Queries, given: Given): Promise<unknown[][]> | undefined {
  const origin = originOf(client);
  const sender = origin && senderOf(origin.prisma);
  if (!sender) return undefined;
  const ofClient = known.get(origin.prisma) ?? new Map<string, Together | undefined>();
  known.set(origin.prisma, ofClient);
  const { shape } = given;
  if (!ofClient.has(shape))
    ofClient.set(
      shape,
      unlessUnreadable(() => write(queries, draftOf(origin.prisma))),
    );
  const together = ofClient.get(shape);
  if (!together) return undefined;
  const [, ...constants] = together.constants;
  const args = [origin.organizationId, ...constants.map((constant) => given.valueOf(constant))];
  return asOrganization(origin.organizationId, async () => {
    const [row = []] = await sender(together.sql, args);
    return together.decoders.map((decode, index) => (parseExactJson(String(row[index])) as unknown[]).map(decode));
  });
}
