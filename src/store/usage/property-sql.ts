import { Prisma } from '../generated/prisma/client.ts';

// What these read of a property is what `textOf` and `decimalOf` of the rules read of the same one. Numbers that a JavaScript number
// cannot hold reach the rules as they are written (`parseExactJson`), all others in their shortest form.

const { sql } = Prisma;

/** A property as text; null without one. Objects and lists have a text only in the rules: see `isOdd`. */
export const textSql = (key: string): Prisma.Sql => sql`property_text(properties, ${key}::text)`;

/** A property as an exact decimal; null where it reads as none. */
export const decimalSql = (key: string): Prisma.Sql => sql`property_number(properties, ${key}::text)`;

/** Whether any of the properties is an object or a list. */
export function isOdd(keys: readonly string[]): Prisma.Sql {
  if (keys.length === 0) return sql`false`;
  const odd = keys.map((key) => sql`jsonb_typeof(properties -> ${key}::text) IN ('object', 'array')`);
  return sql`COALESCE(${Prisma.join(odd, ' OR ')}, false)`;
}

/** A value of a unique count as `property_mark` has it, however long: null where only the rules have its text. */
export const markSql = (key: string): Prisma.Sql => sql`CASE WHEN NOT ${isOdd([key])} THEN
  CASE WHEN properties ->> 'operation_type' = 'remove' THEN '-' ELSE '+' END || COALESCE('=' || ${textSql(key)}, '') END`;
