import type { Database } from '../../database/database.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

// A month that is missing harms nothing: its events are in the table of the rest, and are moved when it is made.
const AHEAD = 3;
// So many events of a month that was not made are moved to one of their own.
const MANY = 50_000;
const YEARS_BACK = 10;

// Who reads all months waits for the moment in which one is added; nobody waits for longer.
const PATIENCE = `SET LOCAL lock_timeout = '2s'`;
const LONGEST_MS = 60 * 60 * 1000;

/** The first day of the month that is `later` months after that of a moment, in UTC. */
const monthOf = (moment: Date, later = 0): string =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + later)).toISOString().slice(0, 10);

const patiently = <T>({ prisma }: Database, run: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> =>
  prisma.$transaction(
    async (tx) => {
      await tx.$executeRawUnsafe(PATIENCE);
      return run(tx);
    },
    { timeout: LONGEST_MS },
  );

/**
 * Makes tables of the months that begin on these days, where they are missing; answers those that were. Each is a transaction.
 * Throws what the database throws where somebody holds the table of the rest for longer than two seconds.
 */
export async function keepMonths(db: Database, days: readonly string[]): Promise<string[]> {
  const missing = await db.prisma.$queryRaw<{ day: string }[]>`SELECT day FROM unnest(${[...days]}::text[]) day
    WHERE to_regclass('public.' || to_char(day::date, '"events_"YYYY_MM')) IS NULL ORDER BY day`;
  for (const { day } of missing) await patiently(db, (tx) => tx.$executeRaw`SELECT keep_event_month(${day}::date)`);
  return missing.map(({ day }) => day);
}

/** The months of which tables are made ahead, and those of which many events came although there was none. */
export async function keepMonthsAhead(db: Database, now: Date): Promise<string[]> {
  const [first, last] = [monthOf(now, -12 * YEARS_BACK), monthOf(now, 13)];
  const full = await db.prisma.$queryRaw<{ day: string }[]>`
    SELECT to_char(date_trunc('month', "timestamp" AT TIME ZONE 'UTC'), 'YYYY-MM-DD') AS day FROM events_default
    WHERE "timestamp" >= ${first}::timestamptz AND "timestamp" < ${last}::timestamptz GROUP BY 1 HAVING count(*) >= ${MANY}`;
  const ahead = Array.from({ length: AHEAD + 1 }, (_, later) => monthOf(now, later));
  return keepMonths(db, [...new Set([...ahead, ...full.map(({ day }) => day)])]);
}

/** A month that was put away, and the table that its events are in. */
export interface DetachedMonth {
  readonly month: string;
  readonly table: string;
  readonly events: number;
}

/** The first days of the months that end by a day, oldest first. */
async function monthsBefore({ prisma }: Database, day: string): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ day: string }[]>`
    SELECT to_char(to_date(right(relname, 7), 'YYYY_MM'), 'YYYY-MM-DD') AS day FROM pg_inherits
    JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'public.events'::regclass AND relname ~ '^events_[0-9]{4}_[0-9]{2}$'
      AND to_date(right(relname, 7), 'YYYY_MM') < date_trunc('month', ${day}::date) ORDER BY 1`;
  return rows.map((row) => row.day);
}

async function detach(db: Database, day: string, forgetsKeys: boolean): Promise<DetachedMonth[]> {
  return patiently(db, async (tx) => {
    const [found] = await tx.$queryRaw<{ name: string | null }[]>`SELECT detach_event_month(${day}::date) AS name`;
    if (!found?.name) return [];
    const { name: table } = found;
    const [counted] = await tx.$queryRawUnsafe<{ count: bigint }[]>(`SELECT count(*) FROM "${table}"`);
    // Made anew, they would not be there.
    await tx.$executeRaw`DELETE FROM usage_hours WHERE hour >= ${day}::timestamptz
      AND hour < (${day}::date + interval '1 month') AT TIME ZONE 'UTC'`;
    await tx.$executeRaw`DELETE FROM usage_values WHERE start >= ${day}::timestamptz
      AND start < (${day}::date + interval '1 month') AT TIME ZONE 'UTC'`;
    await tx.$executeRaw`DELETE FROM usage_dues WHERE waits AND (event ->> 'timestamp')::timestamptz >= ${day}::timestamptz
      AND (event ->> 'timestamp')::timestamptz < (${day}::date + interval '1 month') AT TIME ZONE 'UTC'`;
    if (forgetsKeys) {
      await tx.$executeRaw`DELETE FROM event_keys WHERE "timestamp" >= ${day}::timestamptz
        AND "timestamp" < (${day}::date + interval '1 month') AT TIME ZONE 'UTC'`;
    }
    return [{ month: day.slice(0, 7), table, events: Number(counted?.count ?? 0) }];
  });
}

/**
 * Puts the months before that of a day away, oldest first: nothing reads or counts their events any more. Their keys stay, so that
 * none is stored a second time, unless they are to be forgotten. Throws what the database throws, `object_in_use` (55006) where a
 * recurring metric counts events of a month; the months before it are put away then.
 */
export async function detachMonths(db: Database, day: string, forgetsKeys: boolean): Promise<DetachedMonth[]> {
  const detached: DetachedMonth[] = [];
  for (const month of await monthsBefore(db, day)) detached.push(...(await detach(db, month, forgetsKeys)));
  return detached;
}
