import { boundaries } from '../../billing/period/boundaries.ts';
import { PERIOD_COLUMNS, runningTerms } from '../../store/account/period-row.ts';

/** The columns that the current period of a subscription follows from. */
export const CURRENT_PERIOD_COLUMNS = { ...PERIOD_COLUMNS, status: true } as const;

type PeriodRow = Parameters<typeof runningTerms>[0] & { readonly status: string };

/** Bounds of the usage period that holds `now`, both inclusive; null unless the subscription is active. */
export function currentPeriod(row: PeriodRow, now: Date): { from: Date; to: Date } | null {
  if (row.status !== 'active' || !row.startedAt) return null;
  const { chargesFrom, chargesTo } = boundaries(runningTerms(row), now.getTime(), 'current_usage');
  if (chargesFrom === null || chargesTo === null) return null;
  return { from: new Date(chargesFrom), to: new Date(chargesTo) };
}
