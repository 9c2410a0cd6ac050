import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

// As PostgreSQL's own settings have it.
const [EVERY_MS, ROWS, DEAD, CHANGED] = [60_000, 50, 0.2, 0.1];

const WORN = `
  SELECT relid::regclass::text AS name FROM pg_stat_user_tables
  WHERE n_dead_tup > ${ROWS} + ${DEAD} * n_live_tup OR n_mod_since_analyze > ${ROWS} + ${CHANGED} * n_live_tup`;

/**
 * Vacuums and analyzes tables when autovacuum would, on a server where that is off, as it is on no server that is in use: without it rows that are
 * gone are read again and again. Gives what ends it.
 */
export async function keepVacuumed(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ended = new AbortController();
  const { rows } = await client.query('SHOW autovacuum');
  const work = async () => {
    while (rows[0].autovacuum === 'off' && !ended.signal.aborted) {
      await pause(EVERY_MS, undefined, { signal: ended.signal }).catch(() => undefined);
      if (ended.signal.aborted) return;
      for (const { name } of (await client.query<{ name: string }>(WORN)).rows) {
        await client.query(`VACUUM (ANALYZE) ${name}`);
      }
    }
  };
  const working = work();
  return async () => {
    ended.abort();
    await working;
    await client.end();
  };
}
