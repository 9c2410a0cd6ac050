import { afterAll, expect, it, vi } from 'vitest';
import { cleanUp } from '../process.ts';
import { billUnderKills, faultsOf } from './killed-run.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 60_000 });
afterAll(cleanUp);

// `npm run test:alone` does the same with 2,000 customers, and a kill each second until all is billed.
it.runIf(process.env.DATABASE_URL)('workers that are killed bill every week once', async () => {
  const outcome = await billUnderKills({ customers: 120, workers: 3, kills: 4 });
  expect(faultsOf(outcome, 120)).toEqual([]);
  expect(outcome.killed).toBeGreaterThan(0);
});
