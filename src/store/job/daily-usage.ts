import { Decimal } from '../../billing/money/decimal.ts';
import { addDays, formatDate, isTimeZone, type LocalDate, localDate } from '../../billing/period/calendar.ts';
import { type DailyLine, type GrownLine, recordedUntil } from '../../billing/report/daily-usage.ts';
import type { Actor } from '../access/audit.ts';
import { isLeftToJob } from '../customer/left-to-job.ts';
import { type TenantClient, type TenantTransaction, transactionOf } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';

const { sql } = Prisma;

/** A customer with usage of which the day before is not recorded. */
export interface UnrecordedCustomer {
  readonly customerId: string;
  readonly zone: string;
  /** The last day that is recorded, as `2026-01-31`; null before the first. */
  readonly recorded: string | null;
  /** The last day that is over. */
  readonly until: string;
  /** When the first of its subscriptions began that run, or ended lately. */
  readonly startedAt: Date;
  /** Their external identifiers. */
  readonly externalIds: readonly string[];
}

const ZONE = sql`coalesce(c.timezone, e.timezone)`;

const USED = sql`due_customers d JOIN customers c ON c.id = d.customer_id JOIN billing_entities e ON e.id = c.billing_entity_id`;

const DAY_MS = 86_400_000;

/** Subscriptions with usage that run, or ended since the last day that is recorded; of who was never looked at, since the day of `since`. */
const running = (
  since: Date,
) => sql`subscriptions s ON s.customer_id = c.id AND s.started_at IS NOT NULL AND (s.status = 'active'
    OR s.status = 'terminated' AND s.terminated_at >= coalesce(d.usage_day::timestamptz, ${since}::timestamptz - interval '1 day'))
  AND EXISTS (SELECT FROM charges g WHERE g.plan_id = s.plan_id AND g.deleted_at IS NULL)`;

/** The moment of whose day a customer is looked at first. */
const dayBefore = (now: Date) => new Date(now.getTime() - DAY_MS);

/** Organizations that live by real time, in which a day may be over that is not recorded: no day begins earlier than fourteen hours before that of UTC. */
export async function organizationsUnrecorded(prisma: PrismaClient, now: Date): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT o.id::text FROM organizations o
    WHERE o.test_clock_at IS NULL AND EXISTS (
      SELECT FROM ${USED} JOIN ${running(dayBefore(now))} WHERE d.organization_id = o.id
        AND (d.usage_day IS NULL OR d.usage_day < (${now}::timestamptz AT TIME ZONE 'UTC' + interval '14 hours')::date - 1))
    ORDER BY o.id`;
  return rows.map(({ id }) => id);
}

/** The days before today of the zones in which customers live. */
async function lastDays(
  db: TenantClient | TenantTransaction,
  { organizationId, now }: Actor,
  among: Prisma.Sql,
): Promise<{ readonly zones: readonly string[]; readonly days: readonly string[] }> {
  const rows = await db.$queryRaw<{ zone: string }[]>`
    SELECT DISTINCT ${ZONE} AS zone FROM ${USED} WHERE d.organization_id = ${organizationId}::uuid ${among}`;
  const zones = rows.map(({ zone }) => zone).filter(isTimeZone);
  const moment = recordedUntil(now).getTime();
  return { zones, days: zones.map((zone) => formatDate(addDays(localDate(moment, zone), -1))) };
}

interface Asked {
  readonly ids?: readonly string[];
  /** Whether the organization lives by a clock of its own: nothing of it is due otherwise. */
  readonly hasClock?: boolean;
  /** Whether customers are left out who are left to a job. */
  readonly leavesJobs?: boolean;
  readonly most?: number;
  /** Of who was never looked at, the first day that counts; the day before by default. */
  readonly since?: Date | undefined;
}

/**
 * Customers whose usage of the day before is not recorded, of all or of some. Those of whom something is due come later: what is due may bill the
 * day. In the order of their identifiers.
 */
export async function unrecordedCustomers(
  db: TenantClient | TenantTransaction,
  actor: Actor,
  { ids, hasClock = false, leavesJobs = false, most, since }: Asked = {},
): Promise<UnrecordedCustomer[]> {
  const { organizationId, now } = actor;
  const among = ids ? sql`AND c.id = ANY(${[...ids]}::uuid[])` : sql``;
  const settled = hasClock ? sql`` : sql`AND (d.due_at IS NULL OR d.due_at > ${now})`;
  const free = leavesJobs ? sql`AND NOT ${isLeftToJob('daily_usage', organizationId, sql`c.id`, now)}` : sql``;
  const { zones, days } = await lastDays(db, actor, among);
  return db.$queryRaw<UnrecordedCustomer[]>`
    SELECT c.id::text AS "customerId", ${ZONE} AS zone, d.usage_day::text AS recorded, z.day::text AS until,
      min(s.started_at) AS "startedAt", array_agg(DISTINCT s.external_id) AS "externalIds"
    FROM ${USED} JOIN unnest(${zones}::text[], ${days}::date[]) AS z(zone, day) ON z.zone = ${ZONE} JOIN ${running(since ?? dayBefore(now))}
    WHERE d.organization_id = ${organizationId}::uuid AND (d.usage_day IS NULL OR d.usage_day < z.day) ${among} ${settled} ${free}
    GROUP BY c.id, e.timezone, d.usage_day, z.day ORDER BY c.id ${most === undefined ? sql`` : sql`LIMIT ${most}`}`;
}

interface StoredLine {
  readonly charge_id: string;
  readonly charge_code: string;
  readonly billable_metric_code: string;
  readonly filter_id: string | null;
  readonly grouped_by: Readonly<Record<string, string | null>>;
  readonly units: string;
  readonly events_count: number;
  readonly amount_cents: string;
  readonly added_units: string;
  readonly added_events_count: number;
  readonly added_amount_cents: string;
}

const stored = (line: GrownLine): StoredLine => ({
  charge_id: line.chargeId,
  charge_code: line.chargeCode,
  billable_metric_code: line.metricCode,
  filter_id: line.filterId,
  grouped_by: line.groupedBy,
  units: line.units.toFixed(),
  events_count: line.eventsCount,
  amount_cents: String(line.amountCents),
  added_units: line.addedUnits.toFixed(),
  added_events_count: line.addedEventsCount,
  added_amount_cents: String(line.addedAmountCents),
});

/** The lines of a record, as they are stored. */
export const recordedLines = (lines: unknown): GrownLine[] =>
  (lines as readonly StoredLine[]).map((line) => ({
    chargeId: line.charge_id,
    chargeCode: line.charge_code,
    metricCode: line.billable_metric_code,
    filterId: line.filter_id,
    groupedBy: line.grouped_by,
    units: new Decimal(line.units),
    eventsCount: line.events_count,
    amountCents: BigInt(line.amount_cents),
    addedUnits: new Decimal(line.added_units),
    addedEventsCount: line.added_events_count,
    addedAmountCents: BigInt(line.added_amount_cents),
  }));

/** What a subscription had used by the last day that is recorded. */
export interface LastRecord {
  readonly subscriptionId: string;
  readonly from: number;
  readonly amountCents: bigint;
  readonly lines: readonly DailyLine[];
}

/** The last record of each of some subscriptions. */
export async function lastRecords(tx: TenantTransaction, subscriptionIds: readonly string[]): Promise<LastRecord[]> {
  const rows = await tx.dailyUsage.findMany({
    where: { subscriptionId: { in: [...subscriptionIds] } },
    distinct: ['subscriptionId'],
    orderBy: [{ subscriptionId: 'asc' }, { usageDate: 'desc' }],
  });
  return rows.map(({ subscriptionId, fromDatetime, amountCents, lines }) => ({
    ...{ subscriptionId, from: fromDatetime.getTime(), amountCents, lines: recordedLines(lines) },
  }));
}

/** A record of a day that is to be made. */
export interface NewRecord {
  readonly subscriptionId: string;
  readonly day: LocalDate;
  readonly from: number;
  readonly to: number;
  readonly currency: string;
  readonly amountCents: bigint;
  readonly addedAmountCents: bigint;
  readonly lines: readonly GrownLine[];
}

/** Stores records of a customer, and that its usage is recorded up to a day. What another has recorded meanwhile stays as it is. */
export async function storeRecords(
  db: TenantClient,
  { organizationId, now }: Actor,
  customerId: string,
  records: readonly NewRecord[],
  until: LocalDate,
): Promise<void> {
  const data = records.map(({ day, from, to, lines, ...record }) => ({
    ...{ id: newId(now), organizationId, ...record, usageDate: dateOf(day), createdAt: now },
    ...{ fromDatetime: new Date(from), toDatetime: new Date(to), lines: lines.map(stored) as object[] },
  }));
  await transactionOf(db, async (tx) => {
    if (data.length > 0) await tx.dailyUsage.createMany({ data, skipDuplicates: true });
    await tx.dueCustomer.updateMany({ where: { organizationId, customerId }, data: { usageDay: dateOf(until) } });
  });
}

const dateOf = (day: LocalDate) => new Date(`${formatDate(day)}T00:00:00Z`);
