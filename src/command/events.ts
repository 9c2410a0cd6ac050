import type { Command } from 'commander';
import type { Logger } from 'pino';
import type { Database } from '../store/database/database.ts';
import { isHeldByOthers, isInUse } from '../store/database/unavailable.ts';
import { foldUsage, remakeUsage } from '../store/usage/hours/keep-usage.ts';
import { detachMonths, keepMonthsAhead } from '../store/usage/table/event-month.ts';
import { CommandError, type WithDatabase } from './keys.ts';

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
// What is billed once a year counts usage of a year, and its invoice may be a draft for some weeks.
const YOUNGEST_MONTHS = 13;

async function keepAhead(db: Database, logger: Logger): Promise<void> {
  try {
    const made = await keepMonthsAhead(db, new Date());
    if (made.length > 0) logger.info({ months: made }, 'tables of events are made');
  } catch (err) {
    // Events are stored without them, in the table of the rest.
    logger.warn({ err }, 'tables of events could not be made');
  }
}

const foldKept = ({ prisma }: Database, logger: Logger) =>
  foldUsage(prisma).catch((err: unknown) => logger.warn({ err }, 'what is kept of usage could not be put together'));

/**
 * Looks after events: makes the tables of the coming months, now and every hour, and puts together every minute what is kept of
 * usage. `stop` ends it.
 */
export async function lookAfterEvents(db: Database, logger: Logger): Promise<{ stop(): void }> {
  await keepAhead(db, logger);
  const timers = [
    setInterval(() => void keepAhead(db, logger), HOUR_MS).unref(),
    setInterval(() => void foldKept(db, logger), MINUTE_MS).unref(),
  ];
  return { stop: () => timers.forEach(clearInterval) };
}

/** The first day of a month that is old enough. Throws a CommandError. */
function oldMonth(text: string, now: Date): string {
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? `${text}-01` : undefined;
  if (!month) throw new CommandError(`${text} is no month, which is like 2025-01`);
  const youngest = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - YOUNGEST_MONTHS + 1));
  if (new Date(month) > youngest) {
    const last = youngest.toISOString().slice(0, 7);
    throw new CommandError(`months of the last year may still be billed: the latest is --before ${last}`);
  }
  return month;
}

async function detach(db: Database, day: string, forgetsKeys: boolean): Promise<void> {
  const detached = await detachMonths(db, day, forgetsKeys).catch((error: unknown) => {
    if (isInUse(error)) {
      throw new CommandError(
        'a recurring metric counts events of the next month in every period: it and later ones stay',
      );
    }
    if (isHeldByOthers(error)) throw new CommandError('events are being read or written for long; run it again');
    throw error;
  });
  for (const { month, table, events } of detached) console.log(`${month}: ${events} events are in the table ${table}.`);
  if (detached.length === 0) return console.log('There is no month to detach.');
  const keys = forgetsKeys
    ? 'Their keys are forgotten: one that is sent again is stored again.'
    : 'Their keys are kept: one that is sent again is refused as known.';
  console.log(`Nothing reads or counts them any more; dump and drop the tables at leisure. ${keys}`);
}

/** `events detach` and `events remake`. */
export function addEventCommands(program: Command, withDatabase: WithDatabase): void {
  const events = program.command('events').description('put old usage events away, and make anew what is kept of them');
  events
    .command('remake')
    .description('make anew, of the events, the sums and values that are kept of subscriptions with very many of them')
    .option('--organization <name>', 'of one organization; of all when absent')
    .action(({ organization }: { organization?: string }) =>
      withDatabase(async ({ prisma }) => {
        console.log(`Made anew: ${await remakeUsage(prisma, organization)} metrics of subscriptions.`);
      }),
    );
  events
    .command('detach')
    .description('take whole months out of what is read and counted; their tables stay in the database')
    .requiredOption('--before <month>', 'like 2025-01: that month and later ones stay')
    .option('--forget-keys', 'forget which events there were: one that is sent again is stored again')
    .action(async ({ before, forgetKeys = false }: { before: string; forgetKeys?: boolean }) => {
      const day = oldMonth(before, new Date()); // before a database is opened, or made
      await withDatabase((db) => detach(db, day, forgetKeys));
    });
}
