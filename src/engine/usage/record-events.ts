import {
  eventRefusal,
  isBeyondUnits,
  isComputable,
  type ReadEvent,
  readEvent,
  type SentEvent,
} from '../../billing/catalogue/event-write.ts';
import { rangeText } from '../../billing/catalogue/number-range.ts';
import { BillingError, type ErrorHint, invalid } from '../../billing/errors.ts';
import { ALONE, inList, type Naming, PlacedFaults } from '../../billing/placed-faults.ts';
import { ExpressionFault, withComputed } from '../../billing/usage/expression.ts';
import type { Actor } from '../../store/access/audit.ts';
import { isNamed } from '../../store/access/idempotency.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { isTaken } from '../../store/database/unavailable.ts';
import { computedMetrics, numericFields } from '../../store/usage/computed-metric.ts';
import {
  areStoredWithin,
  findKnown,
  findKnownApart,
  storeEvents,
  storeEventsWithin,
} from '../../store/usage/event-intake.ts';
import { type EventRow, eventRow, keyOf } from '../../store/usage/event-row.ts';
import { billAtOnce } from '../subscription/bill-events.ts';
import { inTransaction } from '../transaction.ts';
import { type Attempt, KNOWN, refuseEvents } from './refuse-events.ts';

const MOST_EVENTS = 100;

const UNITS = { properties: { limit: `a number ${rangeText('fee', 'units')}` } };

/** An event where it stood in what was sent. */
interface Placed {
  readonly place: number;
  readonly event: ReadEvent;
}

/** What is wrong with events by themselves; those of which it can be seen what their metrics compute. */
const readAll = (sent: readonly SentEvent[], now: Date, faults: PlacedFaults): Placed[] =>
  sent.flatMap((event, place) => {
    const refusal = eventRefusal(event, now);
    if (refusal) faults.add(place, refusal.details ?? {}, refusal.hints);
    return isComputable(refusal) ? [{ place, event: readEvent(event, now) }] : [];
  });

/** An event with what its metric computed of it, and the property that holds it. */
interface Computed extends Placed {
  readonly property: string | null;
}

async function computed(db: TenantClient, { organizationId }: Actor, events: readonly Placed[], faults: PlacedFaults) {
  const codes = events.map(({ event: { code } }) => code);
  const metrics = await computedMetrics(db, organizationId, codes);
  return events.map(({ place, event }, index): Computed => {
    const metric = metrics[index];
    if (!metric) return { place, event, property: null };
    try {
      const properties = withComputed(metric, { ...event, timestamp: event.timestamp.getTime() });
      return { place, event: { ...event, properties }, property: metric.fieldName };
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error;
      faults.add(place, { expression: [`expression_evaluation_failed: ${error.message}`] });
      return { place, event, property: null };
    }
  });
}

/** Refuses what a metric would read as more units than a fee can have. Metrics are asked for only where there is such a number. */
async function checkUnits(
  db: TenantClient,
  { organizationId }: Actor,
  events: readonly Computed[],
  faults: PlacedFaults,
) {
  const odd = events.filter(({ event }) => Object.values(event.properties).some(isBeyondUnits));
  if (odd.length === 0) return;
  const codes = odd.map(({ event }) => event.code);
  const fields = await numericFields(db, organizationId, codes);
  for (const { place, event } of events) {
    const value = event.properties[fields.get(event.code) ?? ''];
    if (isBeyondUnits(value)) faults.add(place, { properties: ['value_is_out_of_range'] }, UNITS);
  }
}

/** The places of events that a batch names again. */
function repeated(rows: readonly EventRow[]): number[] {
  const keys = new Set<string>();
  return rows.flatMap((row, place) => {
    const key = keyOf(row);
    const isKnown = keys.has(key);
    keys.add(key);
    return isKnown ? [place] : [];
  });
}

const isDry = (actor: Actor) => 'dryRun' in actor && actor.dryRun === true;

// Most events wait for a statement that they share with others; what is undone, or done once by its name, is its own transaction.
// Where events are no rows, its name is taken after they were stored: sent again in between, they are known.
async function store(db: TenantClient, actor: Actor, rows: readonly EventRow[]): Promise<readonly number[]> {
  if (!isNamed(actor) && !isDry(actor)) return storeEvents(db, rows);
  const tried = isDry(actor) ? findKnownApart(db, rows) : undefined;
  if (tried) return tried;
  if (!isDry(actor) && !areStoredWithin(db)) {
    const known = await storeEvents(db, rows);
    if (known.length === 0) await inTransaction(db, actor, async () => undefined);
    return known;
  }
  const write = () => inTransaction(db, actor, (tx) => storeEventsWithin(tx, rows));
  // Somebody else stored one of them meanwhile: it is known now.
  return write().catch((error: unknown) => (isTaken(error) ? write() : Promise.reject(error)));
}

/** Stores what can be stored; `attempt` is told how far it came. */
async function record(
  db: TenantClient,
  actor: Actor,
  attempt: Attempt,
  faults: PlacedFaults,
): Promise<readonly EventRow[]> {
  const read = readAll(attempt.sent, actor.now, faults);
  const events = await computed(db, actor, read, faults);
  await checkUnits(db, actor, events, faults);
  faults.throwAny();
  const rows = events.map(({ event }) => eventRow(event, actor.organizationId, actor.now));
  attempt.made = rows.map((row, place) => ({ row, computed: events[place]?.property ?? null }));
  const again = repeated(rows);
  const known = again.length > 0 ? await findKnown(db, rows) : await store(db, actor, rows);
  for (const place of new Set([...again, ...known].sort((one, other) => one - other))) faults.add(place, KNOWN);
  faults.throwAny();
  await billAtOnce(db, actor, [...new Set(rows.map(({ externalSubscriptionId }) => externalSubscriptionId))]);
  return rows;
}

async function recordAll(db: TenantClient, actor: Actor, sent: readonly SentEvent[], naming: Naming) {
  const faults = new PlacedFaults(naming);
  const attempt: Attempt = { sent, faults: faults.own, made: [] };
  try {
    return await record(db, actor, attempt, faults);
  } catch (error) {
    if (!(error instanceof BillingError) || !error.details) throw error;
    const conflicts = await refuseEvents(db, actor, attempt);
    if (conflicts.length === 0) throw error;
    const hints: Record<string, ErrorHint> = { ...error.hints };
    for (const place of conflicts) {
      const name = naming.nameOf(place, 'transaction_id');
      hints[name] = { ...hints[name], reason: 'belongs to another event, which stays as it is' };
    }
    throw invalid(error.details, hints);
  }
}

/**
 * Stores usage events, all or none, each once by its organization, external subscription and transaction id. Metric and
 * subscription need not exist. Throws one `validation_errors` that names all that is wrong with any of them, each member as
 * `<place>.<member>`: first what can be seen in them or their metrics cannot compute, then those that are stored already.
 * What is refused is kept with its reasons.
 */
export async function recordEvents(
  db: TenantClient,
  actor: Actor,
  sent: readonly SentEvent[],
): Promise<readonly EventRow[]> {
  if (sent.length === 0) throw invalid({ events: ['no_events'] });
  if (sent.length > MOST_EVENTS) {
    const reason = { member: 'events', code: 'too_many_events' };
    await refuseEvents(db, actor, { sent, faults: new Map(), made: [] }, reason);
    throw invalid({ events: [reason.code] }, { events: { limit: `at most ${MOST_EVENTS}` } });
  }
  return recordAll(db, actor, sent, inList('events'));
}

/** Stores one usage event; members of error details have their own names. */
export async function recordEvent(db: TenantClient, actor: Actor, sent: SentEvent): Promise<EventRow> {
  const [row] = await recordAll(db, actor, [sent], ALONE);
  if (!row) throw new Error('an event was lost');
  return row;
}
