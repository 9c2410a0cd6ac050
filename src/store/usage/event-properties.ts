import { parse } from 'lossless-json';
import { isHeld } from '../database/exact-json.ts';
import type { TenantClient } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';

const { sql } = Prisma;

const LONG_INTEGER = /^-?\d{16,}$/;

/** Whether properties that were read have a text that may have been sent as a number: of one that a number cannot hold the digits are read. */
export function mayHaveLost(value: unknown): boolean {
  if (typeof value === 'string') return LONG_INTEGER.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(mayHaveLost);
}

const numberOf = (token: string) => {
  if (isHeld(token)) return Number(token);
  return LONG_INTEGER.test(token) ? BigInt(token) : token;
};

/** The properties of a JSON text with the types that were sent: an integer that a number cannot hold is a bigint. */
export const asSent = (written: string): unknown => parse(written, undefined, numberOf);

/** The same of stored events, by their identifiers; by one statement for all. */
export async function propertiesAsSent(
  db: TenantClient,
  organizationId: string,
  events: readonly { readonly id: string; readonly timestamp: Date }[],
): Promise<ReadonlyMap<string, unknown>> {
  const named = events.map(({ id, timestamp }) => sql`(${id}::uuid, ${timestamp.toISOString()}::timestamptz)`);
  const rows = await db.$queryRaw<{ id: string; properties: string }[]>(sql`
    SELECT id::text, properties::text FROM events
    WHERE organization_id = ${organizationId}::uuid AND (id, "timestamp") IN (${Prisma.join(named)})`);
  return new Map(rows.map(({ id, properties }) => [id, asSent(properties)]));
}
