import { setImmediate as turn } from 'node:timers/promises';
import { invalid } from '../../billing/errors.ts';
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

// One text is parsed at once, and becomes fourteen times as much at worst: no more than a thread may take beyond its memory while
// it is being ended (16 MB). With more the process would end with it.
const LONGEST_TEXT = 1_000_000;

export interface MostEvents {
  readonly events: number;
  readonly bytes: number;
}

/** What is read at most. Half a million events of nine properties, 91 MB, take a thread its 768 MB. */
const MOST: MostEvents = { events: 500_000, bytes: 100_000_000 };

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

const listOf = (events: readonly string[]) => `[${events.join(',')}]`;

/** Rows as lists, each of a length that is parsed at once. */
function pagesOf(rows: readonly { readonly event: string }[]): string[] {
  const pages: string[] = [];
  let page: string[] = [];
  let length = 0;
  for (const { event } of rows) {
    if (page.length > 0 && length + event.length > LONGEST_TEXT) {
      pages.push(listOf(page));
      [page, length] = [[], 0];
    }
    page.push(event);
    length += event.length;
  }
  return [...pages, listOf(page)];
}

const sizeOf = (pages: readonly string[]) => pages.reduce((sum, page) => sum + Buffer.byteLength(page), 0);

/**
 * Reads events by pages: what one statement answers is a moment's work, however many there are. A page that is not full is the
 * only one, and costs one statement. Refuses more than is computed at once: `usage: ['value_is_too_long']`.
 */
export async function loadStoredEvents(tx: TenantTransaction, asked: EventsAsked, most = MOST): Promise<StoredEvents> {
  const select = selectOf(asked);
  const first = await tx.$queryRaw<{ event: string }[]>`${select} LIMIT ${PAGE}`;
  if (first.length < PAGE) return { count: first.length, pages: pagesOf(first) };
  await tx.$executeRaw`DECLARE stored_events NO SCROLL CURSOR FOR ${select}`;
  const pages: string[] = [];
  let [count, bytes] = [0, 0];
  const signal = asked.signalOf?.();
  for (let isLast = false; !isLast; ) {
    const rows = await tx.$queryRaw<{ event: string }[]>`FETCH ${Prisma.raw(String(PAGE))} FROM stored_events`;
    isLast = rows.length < PAGE;
    const read = pagesOf(rows);
    count += rows.length;
    bytes += sizeOf(read);
    if (count > most.events || bytes > most.bytes) throw invalid({ usage: ['value_is_too_long'] });
    pages.push(...read);
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
