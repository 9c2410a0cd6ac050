import type { Database } from '../../../src/store/database/database.ts';

/** Every row of every table as a sum, but for the last use of keys. */
export async function everything({ prisma }: Database): Promise<Record<string, string>> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'api_keys' ORDER BY 1`;
  const sums: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await prisma.$queryRawUnsafe<{ sum: string }[]>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' ORDER BY t::text)), '') AS sum FROM "${name}" t`,
    );
    sums[name] = row?.sum ?? '';
  }
  return sums;
}
