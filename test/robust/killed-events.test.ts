import { afterAll, describe, expect, it, vi } from 'vitest';
import { cleanUp, temporaryFolder } from '../process.ts';
import { createServerDatabase } from '../support.ts';
import { faultsOf, sendUnderKills } from './killed-events.ts';

vi.setConfig({ testTimeout: 300_000 });
afterAll(cleanUp);

// `npm run bench -- killed-events` does the same with a million events and twenty kills.
describe('of events sent to a gateway that is killed none is lost, none counts twice, and each has its fate', () => {
  it('in the embedded database', async () => {
    const outcome = await sendUnderKills({
      events: 4000,
      kills: 2,
      environment: { DATA_DIR: await temporaryFolder() },
    });
    expect([faultsOf(outcome), outcome.kills]).toEqual([[], 2]);
  });

  if (process.env.DATABASE_URL) {
    it('on a PostgreSQL server', async () => {
      const { url, drop } = await createServerDatabase();
      const outcome = await sendUnderKills({ events: 10_000, kills: 3, environment: { DATABASE_URL: url } });
      expect([faultsOf(outcome), outcome.kills]).toEqual([[], 3]);
      await drop();
    });
  }
});
