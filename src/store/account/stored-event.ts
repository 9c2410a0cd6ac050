import { setImmediate as turn } from 'node:timers/promises';
import { compareEvents, type SubscriptionEvent } from '../../billing/usage/usage.ts';
import { quoteInexactNumbers } from '../database/exact-json.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** Usage as it was read: many events as few texts, which cost little to keep and to give to another thread. */
export interface StoredEvents {
  readonly count: number;
  /** Lists in JSON, for `eventsIn`. */
  readonly pages: readonly string[];
}

export const NO_EVENTS: StoredEvents = { count: 0, pages: [] };

/** Which events are read: of recurring metrics all, of others those from a moment on. */
export interface EventsAsked {
  readonly organizationId: string;
  readonly externalSubscriptionIds: readonly string[];
  readonly recurringCodes: readonly string[];
  readonly otherCodes: readonly string[];
  readonly since: Date;
  /** Tells that nobody wants them any more: it ends the reading of many. */
  readonly signalOf?: (() => AbortSignal) | undefined;
}

const PAGE = 2000;

const milliseconds = (column: string) => Prisma.raw(`(extract(epoch FROM ${column}) * 1000)::bigint`);
const EVENT = Prisma.sql`json_build_array(external_subscription_id, code, transaction_id, ${milliseconds('"timestamp"')},
  ${milliseconds('created_at')}, properties, trim_scale(precise_total_amount_cents)::text)::text AS event`;

function selectOf({ organizationId, externalSubscriptionIds, recurringCodes, otherCodes, since }: EventsAsked) {
  const ofRecurring = Prisma.sql`code = ANY (${[...recurringCodes]})`;
  const ofOthers = Prisma.sql`code = ANY (${[...otherCodes]}) AND "timestamp" >= ${since}`;
  return Prisma.sql`SELECT ${EVENT} FROM events
    WHERE organization_id = ${organizationId}::uuid AND external_subscription_id = ANY (${[...externalSubscriptionIds]})
    AND deleted_at IS NULL AND (${ofRecurring} OR (${ofOthers}))`;
}

const listOf = (rows: readonly { readonly event: string }[]) => `[${rows.map(({ event }) => event).join(',')}]`;

/**
 * Reads events by pages: what one statement answers is a moment's work, however many there are. A page that is not full is the
 * only one, and costs one statement.
 */
export async function loadStoredEvents(tx: TenantTransaction, asked: EventsAsked): Promise<StoredEvents> {
  const select = selectOf(asked);
  const first = await tx.$queryRaw<{ event: string }[]>`${select} LIMIT ${PAGE}`;
  if (first.length < PAGE) return { count: first.length, pages: [listOf(first)] };
  await tx.$executeRaw`DECLARE stored_events NO SCROLL CURSOR FOR ${select}`;
  const pages: string[] = [];
  let count = 0;
  const signal = asked.signalOf?.();
  for (let isLast = false; !isLast; ) {
    const rows = await tx.$queryRaw<{ event: string }[]>`FETCH ${Prisma.raw(String(PAGE))} FROM stored_events`;
    isLast = rows.length < PAGE;
    count += rows.length;
    pages.push(listOf(rows));
    signal?.throwIfAborted();
    await turn(); // the embedded server answers within one turn of the event loop
  }
  await tx.$executeRaw`CLOSE stored_events`;
  return { count, pages };
}

type Values = readonly [string, string, string, number, number, Record<string, unknown>, string | null];

const eventOf = (values: Values): SubscriptionEvent => {
  const [externalSubscriptionId, metricCode, transactionId, timestamp, createdAt, properties, amount] = values;
  const names = { externalSubscriptionId, metricCode, transactionId };
  return { ...names, timestamp, createdAt, properties, preciseTotalAmountCents: amount };
};

/** The events of the pages in their one order. Numbers that a JavaScript number cannot hold are texts with every digit. */
export function eventsIn({ pages }: StoredEvents): SubscriptionEvent[] {
  const lists = pages.map((page) => JSON.parse(quoteInexactNumbers(page)) as Values[]);
  return lists.flatMap((list) => list.map(eventOf)).sort(compareEvents);
}
