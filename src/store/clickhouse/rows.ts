import { parseExactJson } from '../database/exact-json.ts';
import type { RowsElsewhere } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Connection, Row } from './connection.ts';
import { joined, name, type Sql, sql } from './sql.ts';
import { EVENTS } from './table.ts';

const COLUMNS: Readonly<Record<string, string>> = {
  ...{ id: 'id', organizationId: 'organization_id', externalSubscriptionId: 'external_subscription_id', code: 'code' },
  ...{ transactionId: 'transaction_id', timestamp: 'at', createdAt: 'created_at' },
};

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Array.isArray(value);

function columnOf(member: string): Sql {
  const column = COLUMNS[member];
  if (!column) throw new Error(`events are not found by ${member}`);
  return name(column);
}

function comparedOf(value: unknown): string | number {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string') return value;
  throw new Error(`events are not found by a ${typeof value}`);
}

const COMPARISONS: Readonly<Record<string, Sql>> = {
  ...{ equals: sql`=`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` },
};

function comparison(column: Sql, operator: string, value: unknown): Sql {
  if (operator === 'in' && Array.isArray(value)) {
    const values = value.map((one) => sql`${comparedOf(one)}`);
    return values.length === 0 ? sql`0` : sql`${column} IN (${joined(values, ', ')})`;
  }
  const sign = COMPARISONS[operator];
  if (!sign) throw new Error(`events are not found by ${operator}`);
  return sql`${column} ${sign} ${comparedOf(value)}`;
}

const every = (conditions: readonly Sql[]) =>
  conditions.length === 0 ? sql`1` : sql`(${joined(conditions, ' AND ')})`;
const some = (conditions: readonly Sql[]) => (conditions.length === 0 ? sql`0` : sql`(${joined(conditions, ' OR ')})`);

/** A condition of Prisma's form. Throws for what lists of events do not ask. */
function conditionOf(where: unknown): Sql {
  if (!isMembers(where)) throw new Error('no condition');
  return every(
    Object.entries(where).map(([member, wanted]) => {
      if (member === 'AND') return every([wanted].flat().map(conditionOf));
      if (member === 'OR') return some([wanted].flat().map(conditionOf));
      if (member === 'deletedAt' && wanted === null) return sql`1`; // none is
      const column = columnOf(member);
      if (!isMembers(wanted)) return comparison(column, 'equals', wanted);
      return every(Object.entries(wanted).map(([operator, value]) => comparison(column, operator, value)));
    }),
  );
}

function orderOf(orderBy: unknown): Sql {
  const terms = [orderBy ?? []].flat().flatMap((term: object) =>
    Object.entries(term).map(([member, direction]) => {
      return sql`${columnOf(member)} ${direction === 'desc' ? sql`DESC` : sql`ASC`}`;
    }),
  );
  return terms.length === 0 ? sql`` : sql`ORDER BY ${joined(terms, ', ')}`;
}

interface Query {
  readonly where?: unknown;
  readonly orderBy?: unknown;
  readonly take?: number;
  readonly skip?: number;
}

const limitOf = ({ take, skip = 0 }: Query) => (take === undefined ? sql`` : sql`LIMIT ${take} OFFSET ${skip}`);

function rowOf([id, organizationId, externalSubscriptionId, code, transactionId, at, createdAt, amount, written]: Row) {
  return {
    ...{
      id: String(id),
      organizationId: String(organizationId),
      externalSubscriptionId: String(externalSubscriptionId),
    },
    ...{ code: String(code), transactionId: String(transactionId), timestamp: new Date(Number(at)) },
    ...{
      createdAt: new Date(Number(createdAt)),
      deletedAt: null,
      preciseTotalAmountCents: amount === null ? null : new Prisma.Decimal(String(amount)),
    },
    properties: parseExactJson(String(written)),
    written: String(written),
  };
}

/** Lists of events and lookups, by queries of Prisma's form. All columns are read, whatever is selected. */
export const eventRows = (connection: Connection): RowsElsewhere => ({
  async findMany(args: Query) {
    const select = sql`SELECT id, organization_id, external_subscription_id, code, transaction_id, at, created_at, amount, properties
      FROM ${EVENTS} FINAL WHERE ${conditionOf(args.where ?? {})} ${orderOf(args.orderBy)} ${limitOf(args)}`;
    return (await connection.rows(select)).map(rowOf);
  },
  async count(args: Query) {
    const [row] = await connection.rows(
      sql`SELECT count() FROM ${EVENTS} FINAL WHERE ${conditionOf(args.where ?? {})}`,
    );
    return Number(row?.[0]);
  },
});
