import type { UsageEvent } from '../../../billing/usage/usage.ts';
import type { Actor } from '../../access/audit.ts';
import { isLeftToJob } from '../../customer/left-to-job.ts';
import { parseExactJson } from '../../database/exact-json.ts';
import type { Send } from '../../database/sender.ts';
import type { TenantClient, TenantTransaction } from '../../database/tenant.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import type { DueLife } from '../../subscription/due-life.ts';
import type { EventRow } from '../event-row.ts';
import { asking, eventsJson, GIVEN } from './due-sql.ts';
import { letStrangersWait } from './waiting-due.ts';

const { sql } = Prisma;

/** Rows that are billed in one transaction. */
export const MOST_DUES = 500;

/** What is taken up: events that are billed at once, of all subscriptions or some, and with `thresholds` also looks at thresholds. */
export interface DueAsked {
  readonly externalIds?: readonly string[] | undefined;
  /** Of these customers only. */
  readonly customerIds?: readonly string[] | undefined;
  /** Whether customers are left out who are left to a job. */
  readonly leavesJobs?: boolean | undefined;
  readonly thresholds: boolean;
}

/** An event that is to be billed. */
export interface DueEvent {
  readonly externalId: string;
  readonly metricCode: string;
  readonly event: UsageEvent & { readonly transactionId: string };
}

/** What is due of a life: the rows that ask for it. */
export interface UsageDues {
  readonly ids: readonly string[];
  readonly events: readonly DueEvent[];
  readonly hasThresholds: boolean;
}

const askedOf = (
  organizationId: string,
  { externalIds, thresholds }: DueAsked,
) => sql`organization_id = ${organizationId}::uuid AND NOT waits
  ${externalIds ? sql`AND external_subscription_id = ANY(${[...externalIds]})` : sql``}
  ${thresholds ? sql`` : sql`AND event IS NOT NULL`}`;

/** Asks for what is to be billed of events that are stored elsewhere: before they are, so that none is forgotten. */
export async function askApart(send: Send, parts: readonly (readonly EventRow[])[]): Promise<void> {
  const placed = parts.flatMap((rows, part) => rows.map((row) => ({ row, part })));
  await send(`WITH ${GIVEN}, ${asking('')} SELECT 1 FROM given LIMIT 1`, [eventsJson(placed)]);
}

/**
 * Customers of whom something is due, each with the external identifiers that it is due of: those of its subscriptions that run, or ran
 * last. What is due of an identifier that no subscription has begun with waits for one from then on.
 */
export async function dueUsageLives(
  db: TenantClient,
  { organizationId, now }: Actor,
  asked: DueAsked,
): Promise<DueLife[]> {
  const { customerIds, leavesJobs } = asked;
  const among = customerIds ? sql`AND s.customer_id = ANY(${[...customerIds]}::uuid[])` : sql``;
  const apart = leavesJobs ? sql`AND NOT ${isLeftToJob('usage', organizationId, sql`s.customer_id`, now)}` : sql``;
  await letStrangersWait(db, askedOf(organizationId, asked));
  return db.$queryRaw<DueLife[]>`
    SELECT customer_id::text AS "customerId", entity::text AS "billingEntityId",
      array_agg(external_id ORDER BY external_id) AS "externalIds"
    FROM (
      SELECT DISTINCT ON (s.external_id) s.customer_id, coalesce(s.billing_entity_id, c.billing_entity_id) AS entity, s.external_id
      FROM subscriptions s JOIN customers c ON c.id = s.customer_id
      WHERE s.organization_id = ${organizationId}::uuid AND s.started_at IS NOT NULL
        AND s.external_id IN (SELECT external_subscription_id FROM usage_dues WHERE ${askedOf(organizationId, asked)})
        ${among} ${apart}
      ORDER BY s.external_id, s.status = 'active' DESC, s.started_at DESC
    ) AS last GROUP BY customer_id, entity ORDER BY customer_id, entity`;
}

interface DueRow {
  readonly id: string;
  readonly externalId: string;
  readonly event: string | null;
  readonly createdAt: Date;
}

interface StoredEvent {
  readonly transactionId: string;
  readonly code: string;
  readonly timestamp: string;
  readonly properties: Record<string, unknown>;
  readonly amount: string | null;
}

function dueEvent({ id, externalId, event, createdAt }: DueRow): DueEvent[] {
  if (event === null) return [];
  const { code, transactionId, timestamp, properties, amount } = parseExactJson(event) as StoredEvent;
  const times = { timestamp: Date.parse(timestamp), createdAt: createdAt.getTime() };
  return [
    {
      externalId,
      metricCode: code,
      event: { id, transactionId, ...times, properties, preciseTotalAmountCents: amount },
    },
  ];
}

const byTime = ({ event: one }: DueEvent, { event: other }: DueEvent) => one.timestamp - other.timestamp;

/** What is due of a life whose customer is locked, the oldest rows first and no more than `MOST_DUES`; its events in the order of their times. */
export async function readDues(
  tx: TenantTransaction,
  { organizationId }: Actor,
  life: DueLife,
  { thresholds }: DueAsked,
): Promise<UsageDues> {
  const rows = await tx.$queryRaw<DueRow[]>`
    SELECT id::text, external_subscription_id AS "externalId", event::text, created_at AS "createdAt" FROM usage_dues
    WHERE ${askedOf(organizationId, { externalIds: life.externalIds, thresholds })}
    ORDER BY created_at, id LIMIT ${MOST_DUES}`;
  return {
    ids: rows.map(({ id }) => id),
    events: rows.flatMap(dueEvent).sort(byTime),
    hasThresholds: rows.some(({ event }) => event === null),
  };
}

/** Organizations that live by real time, of which usage is to be billed. */
export async function organizationsOwing(prisma: PrismaClient): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM organizations o WHERE test_clock_at IS NULL
      AND EXISTS (SELECT FROM usage_dues due WHERE due.organization_id = o.id AND NOT due.waits) ORDER BY id`;
  return rows.map(({ id }) => id);
}

/** Asks for a look at the thresholds of all subscriptions that run on a plan or on its overrides. */
export async function askForLooks(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  planId: string,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO usage_dues (id, organization_id, external_subscription_id, created_at)
    SELECT gen_random_uuid(), s.organization_id, s.external_id, ${now}::timestamptz
    FROM subscriptions s JOIN plans p ON p.id = s.plan_id
    WHERE s.organization_id = ${organizationId}::uuid AND s.status = 'active'
      AND ${planId}::uuid IN (p.id, p.parent_id)`;
}

/** Asks for a look at the thresholds of a subscription, where it runs. */
export async function askForLook(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  externalId: string,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO usage_dues (id, organization_id, external_subscription_id, created_at)
    SELECT gen_random_uuid(), organization_id, external_id, ${now}::timestamptz FROM subscriptions
    WHERE organization_id = ${organizationId}::uuid AND external_id = ${externalId} AND status = 'active'`;
}
