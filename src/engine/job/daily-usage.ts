import {
  addDays,
  compareDates,
  type LocalDate,
  laterDate,
  localDate,
  parseDate,
  startOfDay,
} from '../../billing/period/calendar.ts';
import {
  dailyUsage,
  dayGroups,
  dayReport,
  grownLines,
  hasGrown,
  isRecordable,
} from '../../billing/report/daily-usage.ts';
import type { SystemActor } from '../../store/access/audit.ts';
import { atOneMoment, type UsageMoment, type UsedSubscription } from '../../store/account/used-subscription.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import {
  type LastRecord,
  lastRecords,
  type NewRecord,
  storeRecords,
  type UnrecordedCustomer,
  unrecordedCustomers,
} from '../../store/job/daily-usage.ts';
import { addJobs, isAwaited } from '../../store/job/job.ts';
import type { Trouble } from '../life/trouble.ts';
import { inTransaction } from '../transaction.ts';
import { parted } from './plan-jobs.ts';

const DAY_MS = 86_400_000;
const [MOST_TAKEN, CUSTOMERS_OF_JOB] = [50_000, 100];

function days(from: LocalDate, to: LocalDate): LocalDate[] {
  const all: LocalDate[] = [];
  for (let day = from; compareDates(day, to) <= 0; day = addDays(day, 1)) all.push(day);
  return all;
}

/** The record of a day; none where nothing has changed since the one before it, but on the last day of a period, nor where it comes to more than can be stored. */
async function recordOf(
  moment: UsageMoment,
  used: UsedSubscription,
  { day, zone }: { readonly day: LocalDate; readonly zone: string },
  before: LastRecord | undefined,
): Promise<NewRecord | null> {
  const asked = dayReport(used.account, used.subscription, day, zone);
  if (!asked) return null;
  const { usage } = await moment.answered(used, (account) => dayGroups(asked, account.usage));
  const found = dailyUsage(asked, usage);
  if (!found) return null;
  const { period, currency, amountCents } = found;
  const former = before?.from === period.from ? before : undefined;
  const lines = grownLines(found.lines, former?.lines ?? []);
  if (!asked.isLast && !hasGrown(lines)) return null;
  const addedAmountCents = amountCents - (former?.amountCents ?? 0n);
  if (!isRecordable(amountCents, addedAmountCents)) return null;
  return { subscriptionId: used.subscription.id, day, ...period, currency, amountCents, addedAmountCents, lines };
}

/** Records of a customer for some days, in their order. */
async function recordsOf(
  db: TenantClient,
  { externalIds, zone }: UnrecordedCustomer,
  [first, ...others]: readonly LocalDate[],
): Promise<NewRecord[]> {
  if (!first) return [];
  const endedSince = new Date(startOfDay(first, zone));
  return atOneMoment(
    db,
    externalIds,
    async (moment) => {
      const ids = moment.used.map(({ subscription }) => subscription.id);
      const last = new Map((await lastRecords(moment.tx, ids)).map((record) => [record.subscriptionId, record]));
      const records: NewRecord[] = [];
      for (const day of [first, ...others]) {
        for (const used of moment.used) {
          const { id } = used.subscription;
          const record = await recordOf(moment, used, { day, zone }, last.get(id));
          if (!record) continue;
          records.push(record);
          last.set(id, record);
        }
      }
      return records;
    },
    undefined,
    { endedSince },
  );
}

/** Records the days of a customer that are over; the first of one that was never looked at is that of `since`. */
async function recordCustomer(
  db: TenantClient,
  actor: SystemActor,
  customer: UnrecordedCustomer,
  since: Date,
): Promise<void> {
  const { customerId, zone, recorded, startedAt } = customer;
  const until = parseDate(customer.until);
  const next = recorded === null ? localDate(since.getTime(), zone) : addDays(parseDate(recorded), 1);
  const first = laterDate(next, localDate(startedAt.getTime(), zone));
  await storeRecords(db, actor, customerId, await recordsOf(db, customer, days(first, until)), until);
}

/**
 * Records what subscriptions of some customers, or of all, had used at the end of each day that is over and not recorded: of the period up to the day,
 * where that has changed since the record before it, and on the last day of a period. Done again, it changes nothing. Trouble with one customer keeps none of the
 * others. Source: engine-money 1.5.
 */
export async function recordDailyUsage(
  db: TenantClient,
  actor: SystemActor,
  { customerIds, since, hasClock = false }: { customerIds?: readonly string[]; since?: Date; hasClock?: boolean },
  isOver: () => boolean = () => false,
): Promise<Trouble[]> {
  const first = since ?? new Date(actor.now.getTime() - DAY_MS);
  const troubles: Trouble[] = [];
  const asked = { hasClock, since: first, ...(customerIds && { ids: customerIds }) };
  for (const [place, customer] of (await unrecordedCustomers(db, actor, asked)).entries()) {
    if (place > 0 && isOver()) break;
    const { customerId } = customer;
    await recordCustomer(db, actor, customer, first).catch((error: unknown) => troubles.push({ customerId, error }));
  }
  return troubles;
}

/**
 * Makes jobs of the customers whose usage of the day before is not recorded, unless there are jobs that do. Who is left to a job that failed keeps no other
 * waiting. Says how many there were.
 */
export async function planDailyUsage(db: TenantClient, actor: SystemActor): Promise<number> {
  return inTransaction(db, actor, async (tx) => {
    if (await isAwaited(tx, 'daily_usage', { counts: 'unfailed' })) return 0;
    const customers = await unrecordedCustomers(tx, actor, { leavesJobs: true, most: MOST_TAKEN });
    const ids = customers.map(({ customerId }) => customerId);
    await addJobs(tx, actor, 'daily_usage', parted(ids, CUSTOMERS_OF_JOB));
    return ids.length;
  });
}
