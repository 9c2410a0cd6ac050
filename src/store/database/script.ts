import type { PGlite } from '@electric-sql/pglite';
import type pg from 'pg';
import type { PrismaClient } from '../generated/prisma/client.ts';

/** Answers the rows of a statement, or those of the last one of a script. A script may begin and end a transaction. */
export type ExecuteSql = (text: string, values?: readonly unknown[]) => Promise<{ rows: object[] }>;

const given = (values: readonly unknown[]) => values.map((value) => value ?? null);

/** On a pool of connections. A script that fails within its transaction leaves none open. */
export const executeOnPool =
  (pool: pg.Pool): ExecuteSql =>
  async (text, values = []) => {
    if (values.length > 0) return pool.query<object>(text, given(values));
    const client = await pool.connect();
    try {
      const answered: pg.QueryResult<object> | pg.QueryResult<object>[] = await client.query<object>(text);
      return { rows: (Array.isArray(answered) ? answered.at(-1)?.rows : answered.rows) ?? [] };
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  };

/** On the embedded server. */
export const executeOn =
  (server: PGlite): ExecuteSql =>
  async (text, values = []) => {
    if (values.length > 0) return server.query<object>(text, given(values));
    try {
      return { rows: ((await server.exec(text)).at(-1)?.rows ?? []) as object[] };
    } catch (error) {
      await server.exec('ROLLBACK').catch(() => undefined);
      throw error;
    }
  };

/** Within a transaction: statements only. */
export const executeWithin =
  (tx: Pick<PrismaClient, '$queryRawUnsafe'>): ExecuteSql =>
  async (text, values = []) => ({ rows: await tx.$queryRawUnsafe<object[]>(text, ...given(values)) });
