import { type ReadEvent, readEvent, type SentEvent } from '../../billing/catalogue/event-write.ts';
import {
  BillingError,
  type ErrorDetails,
  type ErrorHint,
  type ErrorHints,
  invalid,
  placedName,
} from '../../billing/errors.ts';
import { ExpressionFault, withComputed } from '../../billing/usage/expression.ts';
import type { Actor } from '../../store/access/audit.ts';
import { isNamed } from '../../store/access/idempotency.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { isTaken } from '../../store/database/unavailable.ts';
import { computedMetrics } from '../../store/usage/computed-metric.ts';
import { type EventRow, eventRow, keyOf } from '../../store/usage/event-row.ts';
import { storeEvents, storeEventsWithin } from '../../store/usage/event-store.ts';
import { inTransaction } from '../transaction.ts';

const MOST_EVENTS = 100;

/** What is wrong with the events of a batch, by their places. */
class Faults {
  private readonly details: ErrorDetails = {};
  private readonly hints: Record<string, ErrorHint> = {};

  /** `nameOf` says how a member of one of the events is called in error details. */
  constructor(
    private readonly nameOf: (place: number, member: string) => string,
    private readonly at: (place: number) => readonly (string | number)[],
  ) {}

  add(place: number, details: ErrorDetails, hints: ErrorHints = {}): void {
    for (const [member, codes] of Object.entries(details)) {
      const name = this.nameOf(place, member);
      this.details[name] = codes;
      this.hints[name] = { ...hints[member], name: member, at: this.at(place) };
    }
  }

  throwAny(): void {
    if (Object.keys(this.details).length > 0) throw invalid(this.details, this.hints);
  }
}

const KNOWN: ErrorDetails = { transaction_id: ['value_already_exist'] };

function readAll(sent: readonly SentEvent[], now: Date, faults: Faults): ReadEvent[] {
  return sent.flatMap((event, place) => {
    try {
      return [readEvent(event, now)];
    } catch (error) {
      if (!(error instanceof BillingError) || !error.details) throw error;
      faults.add(place, error.details, error.hints);
      return [];
    }
  });
}

async function computed(db: TenantClient, { organizationId }: Actor, events: readonly ReadEvent[], faults: Faults) {
  const codes = events.map(({ code }) => code);
  const metrics = await computedMetrics(db, organizationId, codes);
  return events.map((event, place): ReadEvent => {
    const metric = metrics[place];
    if (!metric) return event;
    try {
      return { ...event, properties: withComputed(metric, { ...event, timestamp: event.timestamp.getTime() }) };
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error;
      faults.add(place, { expression: [`expression_evaluation_failed: ${error.message}`] });
      return event;
    }
  });
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

const isOwnTransaction = (actor: Actor) => isNamed(actor) || ('dryRun' in actor && actor.dryRun === true);

// Most events wait for a statement that they share with others; what is undone, or done once by its name, is its own transaction.
async function store(db: TenantClient, actor: Actor, rows: readonly EventRow[]): Promise<readonly number[]> {
  if (!isOwnTransaction(actor)) return storeEvents(db, rows);
  const write = () => inTransaction(db, actor, (tx) => storeEventsWithin(tx, rows));
  // Somebody else stored one of them meanwhile: it is known now.
  return write().catch((error: unknown) => (isTaken(error) ? write() : Promise.reject(error)));
}

async function record(
  db: TenantClient,
  actor: Actor,
  sent: readonly SentEvent[],
  faults: Faults,
): Promise<readonly EventRow[]> {
  const read = readAll(sent, actor.now, faults);
  faults.throwAny();
  const events = await computed(db, actor, read, faults);
  faults.throwAny();
  const rows = events.map((event) => eventRow(event, actor.organizationId, actor.now));
  const again = repeated(rows);
  for (const place of again.length > 0 ? again : await store(db, actor, rows)) faults.add(place, KNOWN);
  faults.throwAny();
  return rows;
}

/**
 * Stores usage events, all or none, each once by its organization, external subscription and transaction id. Metric and
 * subscription need not exist. Throws one `validation_errors` that names all that is wrong with any of them, each member as
 * `<place>.<member>`: first what can be seen in them, then what their metrics cannot compute, then those that are stored already.
 */
export async function recordEvents(
  db: TenantClient,
  actor: Actor,
  sent: readonly SentEvent[],
): Promise<readonly EventRow[]> {
  if (sent.length === 0) throw invalid({ events: ['no_events'] });
  if (sent.length > MOST_EVENTS) {
    throw invalid({ events: ['too_many_events'] }, { events: { limit: `at most ${MOST_EVENTS}` } });
  }
  const faults = new Faults(placedName, (place) => ['events', place]);
  return record(db, actor, sent, faults);
}

/** Stores one usage event; members of error details have their own names. */
export async function recordEvent(db: TenantClient, actor: Actor, sent: SentEvent): Promise<EventRow> {
  const faults = new Faults(
    (_place, member) => member,
    () => [],
  );
  const [row] = await record(db, actor, [sent], faults);
  if (!row) throw new Error('an event was lost');
  return row;
}
