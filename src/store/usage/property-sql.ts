import { Prisma } from '../generated/prisma/client.ts';

// What these read of a property is what `textOf` and `decimalOf` of the rules read of the same one. Numbers that a JavaScript number
// cannot hold reach the rules as they are written (`parseExactJson`), all others in their shortest form.

const { sql } = Prisma;

/** A property as text; null without one. Objects and lists have a text only in the rules: see `isOdd`. */
export const textSql = (key: string): Prisma.Sql => sql`property_text(properties, ${key}::text)`;

/** A property as an exact decimal; null where it reads as none. */
export const decimalSql = (key: string): Prisma.Sql => sql`property_number(properties, ${key}::text)`;

/** Whether an event takes its value of a unique count away. */
export const REMOVES: Prisma.Sql = sql`COALESCE(properties ->> 'operation_type' = 'remove', false)`;

/** Whether any of the properties is an object or a list. */
export function isOdd(keys: readonly string[]): Prisma.Sql {
  if (keys.length === 0) return sql`false`;
  const odd = keys.map((key) => sql`jsonb_typeof(properties -> ${key}::text) IN ('object', 'array')`);
  return sql`COALESCE(${Prisma.join(odd, ' OR ')}, false)`;
}
