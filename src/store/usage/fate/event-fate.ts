import { LAST_INSTANT } from '../../../billing/period/calendar.ts';
import type { TenantClient } from '../../database/tenant.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { EventFate } from '../../generated/prisma/enums.ts';
import type { Reason } from '../keep-refusals.ts';
import { FATE_SQL, type FatedEvent, fated, keptEvents, REASONS_SQL, readEvents } from './event-fate-sql.ts';

const { sql } = Prisma;

/** What became of a stored event, with why, and whatever else is worth a look. */
interface StoredFate {
  readonly fate: EventFate;
  readonly reasons: readonly Reason[];
}

/** A member and a code, as statements tell them. */
type ReasonPair = readonly [member: string, code: string];

export const reasonOf = ([member, code]: ReasonPair): Reason => ({ member, code });

interface FateRow {
  readonly eventId: string;
  readonly fate: EventFate;
  readonly reasons: readonly ReasonPair[];
}

/** The fates of events by their identifiers, by one statement for all. */
export async function fatesOf(
  db: TenantClient,
  organizationId: string,
  events: readonly FatedEvent[],
): Promise<ReadonlyMap<string, StoredFate>> {
  const { parts, from } = fated(readEvents(organizationId, events));
  const rows = await db.$queryRaw<FateRow[]>(
    sql`WITH ${parts} SELECT e.id AS "eventId", ${FATE_SQL} AS fate, ${REASONS_SQL(organizationId)} AS reasons ${from}`,
  );
  return new Map(rows.map(({ eventId, fate, reasons }) => [eventId, { fate, reasons: reasons.map(reasonOf) }]));
}

const QUARTER_MS = 900_000;

/** A time of receipt, `to` not included; null for no bound. */
export interface Received {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** The same, widened to whole quarters of an hour, by which what was refused is counted; the last one ends with the years that have names. */
export const inQuarters = ({ from, to }: Received): Received => ({
  from: from && new Date(Math.floor(from.getTime() / QUARTER_MS) * QUARTER_MS),
  to: to && new Date(Math.min(Math.ceil(to.getTime() / QUARTER_MS) * QUARTER_MS, LAST_INSTANT)),
});

/** `AND` of a column's bounds; nothing without any. */
export function within(column: Prisma.Sql, { from, to }: Received): Prisma.Sql {
  const after = from ? sql`AND ${column} >= ${from.toISOString()}::timestamptz` : Prisma.empty;
  return to ? sql`${after} AND ${column} < ${to.toISOString()}::timestamptz` : after;
}

/** How many events of each fate were received in a time: those that are stored now, and those that were refused. */
export async function countFates(
  db: TenantClient,
  organizationId: string,
  received: Received,
): Promise<ReadonlyMap<EventFate, bigint>> {
  const { parts, from } = fated(keptEvents(organizationId, within(sql`created_at`, received)));
  const rows = await db.$queryRaw<{ fate: EventFate; count: bigint }[]>(
    sql`WITH ${parts}
      SELECT fate, sum(count)::bigint AS count FROM (
        SELECT ${FATE_SQL} AS fate, count(*) AS count ${from} GROUP BY 1
        UNION ALL
        SELECT fate::text, count FROM event_tallies
        WHERE organization_id = ${organizationId}::uuid ${within(sql`quarter`, received)}) counted
      GROUP BY fate`,
  );
  return new Map(rows.map(({ fate, count }) => [fate, count]));
}
