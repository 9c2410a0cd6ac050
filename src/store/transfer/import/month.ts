import type { Database } from '../../database/database.ts';
import { isHeldByOthers } from '../../database/unavailable.ts';
import { keepMonths } from '../../usage/table/event-month.ts';
import type { Part } from './source.ts';

// Months of which fewer events come need no tables of their own; no more of these are made at once.
const MANY_EVENTS = 5000;
const MOST_MONTHS = 60;

/** Makes the months of what is imported. One that somebody holds up is made another time: its events are stored without it. */
export async function prepareMonths(db: Database, parts: readonly Part[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const [month, count] of parts.flatMap(({ months }) => [...months])) {
    counts.set(month, (counts.get(month) ?? 0) + count);
  }
  const isMonth = (month: string) => /^(19[789]|20)\d/.test(month) && !Number.isNaN(Date.parse(`${month}-01`));
  const full = [...counts].flatMap(([month, count]) => (count >= MANY_EVENTS && isMonth(month) ? [month] : []));
  const latest = full.sort().slice(-MOST_MONTHS);
  await keepMonths(
    db,
    latest.map((month) => `${month}-01`),
  ).catch((error: unknown) => {
    if (!isHeldByOthers(error)) throw error;
  });
}
