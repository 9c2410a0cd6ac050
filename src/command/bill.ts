import type { Command } from 'commander';
import { tryParseInstant } from '../billing/period/calendar.ts';
import { allChanged } from '../engine/changed.ts';
import { billEvents } from '../engine/subscription/bill-events.ts';
import { runBetween } from '../engine/subscription/run-due.ts';
import type { Database } from '../store/database/database.ts';
import { forOrganization } from '../store/database/tenant.ts';
import { CommandError, type WithDatabase } from './keys.ts';

const DAY_MS = 86_400_000;

function sinceOf(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() - DAY_MS);
  const instant = tryParseInstant(text);
  if (instant === undefined) throw new CommandError(`${text} is not a date-time with an offset (2027-01-31T00:00:00Z)`);
  if (instant >= now.getTime()) throw new CommandError(`${text} is not past`);
  return new Date(instant);
}

async function bill({ prisma }: Database, since: Date, now: Date): Promise<void> {
  // Test organizations have their own clocks.
  const organizations = await prisma.organization.findMany({ where: { testClockAt: null }, orderBy: { name: 'asc' } });
  for (const { id, name } of organizations) {
    const actor = { organizationId: id, now, job: 'bill' };
    const own = forOrganization(prisma, id);
    try {
      const used = await billEvents(own, actor, { thresholds: true });
      const { invoices = [] } = allChanged([used, await runBetween(own, actor, since, now)]);
      console.log(`${name}: ${invoices.length} invoices.`);
    } catch (error) {
      // What fails of one organization keeps no other waiting; the exit code tells cron.
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
}

/** `bill`. */
export function addBillCommand(program: Command, withDatabase: WithDatabase): void {
  program
    .command('bill')
    .description(
      'let happen what is due: usage that is billed at once, subscriptions that start, end and are billed, drafts that become final; nothing happens twice',
    )
    .option('--since <time>', 'from when on, where days were missed; a day ago when absent')
    .action(async ({ since }: { since?: string }) => {
      const now = new Date();
      const from = sinceOf(since, now); // before a database is opened, or made
      await withDatabase((db) => bill(db, from, now));
    });
}
