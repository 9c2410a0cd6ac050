import { afterAll, expect, it, vi } from 'vitest';
import { cleanUp } from '../process.ts';
import { billUnderKills, faultsOf } from './killed-run.ts';

vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 60_000 });
afterAll(cleanUp);

it.runIf(process.env.DATABASE_URL)(
  'three workers, of which one is killed each second, bill 2,000 customers once',
  async () => {
    const outcome = await billUnderKills({ customers: 2000, workers: 3, kills: 1000 });
    expect(faultsOf(outcome, 2000)).toEqual([]);
    expect(outcome.killed).toBeGreaterThan(10);
  },
);
