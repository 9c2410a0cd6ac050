import { Prisma } from '../generated/prisma/client.ts';

// What these read of a property is what `textOf` and `decimalOf` of the rules read of the same one. Numbers that a JavaScript number
// cannot hold reach the rules as they are written (`quoteInexactNumbers`), all others in their shortest form.

const { sql } = Prisma;

const shortest = (raw: Prisma.Sql) => sql`CASE WHEN strpos(${raw}, '.') = 0 THEN ${raw}
  WHEN length(btrim(translate(${raw}, '-.', ''), '0')) <= 15 THEN trim_scale(${raw}::numeric)::text ELSE ${raw} END`;

/** A property as text; null without one. Objects and lists have a text only in the rules: see `isOdd`. */
export function textSql(properties: Prisma.Sql, key: string): Prisma.Sql {
  const raw = sql`(${properties} ->> ${key}::text)`;
  return sql`CASE jsonb_typeof(${properties} -> ${key}::text) WHEN 'string' THEN ${raw} WHEN 'boolean' THEN ${raw}
    WHEN 'number' THEN ${shortest(raw)} END`;
}

/** Whether any of the properties is an object or a list. */
export function isOdd(properties: Prisma.Sql, keys: readonly string[]): Prisma.Sql {
  if (keys.length === 0) return sql`false`;
  const odd = keys.map((key) => sql`jsonb_typeof(${properties} -> ${key}::text) IN ('object', 'array')`);
  return sql`COALESCE(${Prisma.join(odd, ' OR ')}, false)`;
}

/** A property as an exact decimal; null where it reads as none. */
export function decimalSql(properties: Prisma.Sql, key: string): Prisma.Sql {
  const raw = sql`(${properties} ->> ${key}::text)`;
  return sql`CASE jsonb_typeof(${properties} -> ${key}::text)
    WHEN 'number' THEN CASE WHEN length(${raw}) <= 1000 THEN ${raw}::numeric END
    WHEN 'string' THEN CASE WHEN length(${raw}) <= 1000 AND ${raw} ~ '^-?[0-9]+(\\.[0-9]+)?$' THEN ${raw}::numeric END END`;
}

/** Whether an event takes its value of a unique count away. */
export const removesSql = (properties: Prisma.Sql): Prisma.Sql =>
  sql`COALESCE(${properties} ->> 'operation_type' = 'remove', false)`;
