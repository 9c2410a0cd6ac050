import type { TenantClient } from '../../database/tenant.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { EventFate } from '../../generated/prisma/enums.ts';
import type { Reason } from '../keep-refusals.ts';
import { type Received, reasonOf, within } from './event-fate.ts';
import { FATE_SQL, fated, keptEvents, REASONS_SQL } from './event-fate-sql.ts';

const { sql } = Prisma;

/** Events that are looked for; an absent list is no condition. */
export interface Reviewed {
  readonly organizationId: string;
  readonly fates: readonly EventFate[];
  readonly reasonCodes?: readonly string[] | undefined;
  readonly codes?: readonly string[] | undefined;
  readonly externalSubscriptionIds?: readonly string[] | undefined;
  readonly received: Received;
}

/** A place in the list: newest first, then by identifiers. */
export interface ReviewPlace {
  readonly createdAt: Date;
  readonly id: string;
}

/** An event, stored or refused, with what became of it. */
export interface ReviewedEvent extends ReviewPlace {
  readonly isStored: boolean;
  readonly fate: EventFate;
  readonly reasons: readonly Reason[];
  readonly transactionId: string;
  readonly externalSubscriptionId: string;
  readonly code: string;
  readonly timestamp: Date | null;
}

const anyOf = (column: string, values: readonly string[] | undefined) =>
  values ? sql`AND ${Prisma.raw(column)} = ANY (${[...values]}::text[])` : Prisma.empty;

/** Stored and refused events of the fates, each with its reasons as JSON; `where` is a condition more on both. */
function found(
  { organizationId, fates, reasonCodes, codes, externalSubscriptionIds, received }: Reviewed,
  where: Prisma.Sql,
) {
  const condition = sql`${within(sql`created_at`, received)} ${anyOf('code', codes)}
    ${anyOf('external_subscription_id', externalSubscriptionIds)} ${where}`;
  const { parts, from } = fated(keptEvents(organizationId, condition));
  const reasons = REASONS_SQL(organizationId);
  const ofStored = reasonCodes
    ? sql`AND EXISTS (SELECT FROM json_array_elements(${reasons}) reason WHERE reason ->> 1 = ANY (${[...reasonCodes]}::text[]))`
    : Prisma.empty;
  const ofRefused = reasonCodes ? sql`AND reason_codes && ${[...reasonCodes]}::text[]` : Prisma.empty;
  const stored = sql`SELECT e.id, e.created_at, true AS is_stored, ${FATE_SQL} AS fate, ${reasons} AS reasons, e.transaction_id,
      e.external_subscription_id, e.code, e."timestamp"
    ${from} WHERE ${FATE_SQL} = ANY (${[...fates]}::text[]) ${ofStored}`;
  const refused = sql`SELECT id, created_at, false, fate::text,
      (SELECT json_agg(json_build_array(member, reason)) FROM unnest(reason_members, reason_codes) AS reasons (member, reason)),
      transaction_id, external_subscription_id, code, "timestamp"
    FROM event_refusals WHERE organization_id = ${organizationId}::uuid ${condition}
      AND fate::text = ANY (${[...fates]}::text[]) ${ofRefused}`;
  return { parts, stored, refused };
}

interface Row extends Omit<ReviewedEvent, 'reasons'> {
  readonly reasons: readonly (readonly [member: string, code: string])[];
}

/** Events of some fates, newest first, from after a place on. One statement, which looks at every event that was received in the time. */
export async function reviewedEvents(
  db: TenantClient,
  reviewed: Reviewed,
  after: ReviewPlace | undefined,
  take: number,
): Promise<ReviewedEvent[]> {
  const at = after?.createdAt.toISOString();
  const place = after
    ? sql`AND created_at <= ${at}::timestamptz AND (created_at < ${at}::timestamptz OR id > ${after.id}::uuid)`
    : Prisma.empty;
  const { parts, stored, refused } = found(reviewed, place);
  const page = sql`ORDER BY created_at DESC, id LIMIT ${take}`;
  const rows = await db.$queryRaw<Row[]>(sql`WITH ${parts}
    SELECT id, created_at AS "createdAt", is_stored AS "isStored", fate, reasons, transaction_id AS "transactionId",
      external_subscription_id AS "externalSubscriptionId", code, "timestamp"
    FROM ((${stored} ${page}) UNION ALL (${refused} ${page})) events ${page}`);
  return rows.map((row) => ({ ...row, reasons: row.reasons.map(reasonOf) }));
}

/** How many there are in the whole list. */
export async function countReviewed(db: TenantClient, reviewed: Reviewed): Promise<number> {
  const { parts, stored, refused } = found(reviewed, Prisma.empty);
  const [row] = await db.$queryRaw<{ count: bigint }[]>(sql`WITH ${parts}
    SELECT (SELECT count(*) FROM (${stored}) stored) + (SELECT count(*) FROM (${refused}) refused) AS count`);
  return Number(row?.count ?? 0);
}
