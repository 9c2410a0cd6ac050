import { setImmediate as turn } from 'node:timers/promises';
import type { UsageEvent } from '../../billing/usage/usage.ts';
import { parseExactJson } from '../database/exact-json.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { EVENT_ORDER, type EventsRead, eventParts, together } from './event-sql.ts';

const PAGE = 2000;

/** Tells that nobody wants what is read any more. */
export type SignalOf = (() => AbortSignal) | undefined;

type Values = readonly [timestamp: number, createdAt: number | null, id: string | null, ...rest: unknown[]];

const { sql } = Prisma;
const milliseconds = (column: string) => Prisma.raw(`(extract(epoch FROM ${column}) * 1000)::bigint`);

function rowSql(names: readonly string[]): Prisma.Sql {
  const properties = names.map((name) => sql`, properties -> ${name}::text`);
  return sql`json_build_array(${milliseconds('at')}, ${milliseconds('created_at')}, id,
    trim_scale(amount)::text${properties.length === 0 ? Prisma.empty : Prisma.join(properties, '')})::text AS event`;
}

function eventOf([timestamp, createdAt, id, amount, ...values]: Values, names: readonly string[]): UsageEvent {
  const kept = createdAt === null || id === null ? {} : { createdAt, id };
  const properties = Object.fromEntries(names.flatMap((name, at) => (values[at] == null ? [] : [[name, values[at]]])));
  return { ...kept, timestamp, properties, preciseTotalAmountCents: amount as string | null };
}

/**
 * Events in their one order, with the properties of these names, a page at a time: the memory that they take does not grow with them,
 * and others are let through between two pages.
 */
export async function* eventPages(
  tx: TenantTransaction,
  read: EventsRead,
  names: readonly string[],
  signalOf: SignalOf,
): AsyncGenerator<readonly UsageEvent[]> {
  // The rows of each part come from the index in the order of time: together they need no sorting but that of each moment.
  const events = together(eventParts(read, Prisma.empty, true));
  const select = sql`SELECT ${rowSql(names)} FROM (${events}) events ORDER BY ${EVENT_ORDER}`;
  const pageOf = (rows: readonly { readonly event: string }[]) =>
    (parseExactJson(`[${rows.map(({ event }) => event).join(',')}]`) as Values[]).map((values) =>
      eventOf(values, names),
    );
  await tx.$executeRaw`DECLARE usage_events NO SCROLL CURSOR FOR ${select}`;
  const signal = signalOf?.();
  for (let isLast = false; !isLast; ) {
    const rows = await tx.$queryRaw<{ event: string }[]>`FETCH ${Prisma.raw(String(PAGE))} FROM usage_events`;
    isLast = rows.length < PAGE;
    yield pageOf(rows);
    signal?.throwIfAborted();
    await turn(); // the embedded server answers within one turn of the event loop
  }
  await tx.$executeRaw`CLOSE usage_events`;
}
