import type { SentEvent } from '../../billing/catalogue/event-write.ts';
import { type ErrorDetails, placeIn } from '../../billing/errors.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { Actor } from '../../store/access/audit.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { type EventRow, keyOf } from '../../store/usage/event-row.ts';
import { keepRefusals, type Reason, type Refusal } from '../../store/usage/keep-refusals.ts';
import { refusal } from '../../store/usage/refusal.ts';

/** What is said of an event whose names are those of a stored one. */
export const KNOWN: ErrorDetails = { transaction_id: ['value_already_exist'] };

/** Events that were to be stored together, and how far that came. */
export interface Attempt {
  readonly sent: readonly SentEvent[];
  /** What is wrong with them, by their places. */
  readonly faults: ReadonlyMap<number, ErrorDetails>;
  /** Their rows, each with the property that its metric computed; empty where they were refused before. */
  made: readonly { readonly row: EventRow; readonly computed: string | null }[];
}

const IN_A_REFUSED_BATCH: Reason = { member: 'events', code: 'another_was_refused' };

const reasonsOf = (details: ErrorDetails): Reason[] =>
  Object.entries(details).flatMap(([member, codes]) => codes.map((code) => ({ member, code })));

/** An event with the members that REST calls it by. */
function bodyOf(sent: SentEvent): object {
  const { transactionId, externalSubscriptionId, code, timestamp, properties, preciseTotalAmountCents } = sent;
  const names = { transaction_id: transactionId, external_subscription_id: externalSubscriptionId, code };
  return { ...names, timestamp, properties, precise_total_amount_cents: preciseTotalAmountCents };
}

// Members in one order, whatever the sender's.
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });

const amountOf = ({ preciseTotalAmountCents: amount }: EventRow) => (amount === null ? '' : dec(amount).toFixed());

/** The members in which two events of one name differ. */
function differing(one: EventRow, other: EventRow): string[] {
  const differs = {
    code: one.code !== other.code,
    timestamp: one.timestamp.getTime() !== other.timestamp.getTime(),
    properties: canonical(one.properties) !== canonical(other.properties),
    precise_total_amount_cents: amountOf(one) !== amountOf(other),
  };
  return Object.entries(differs).flatMap(([member, isOther]) => (isOther ? [member] : []));
}

type Fate = Pick<Refusal, 'fate' | 'reasons' | 'compared'>;

/** Of an event whose names are known: by the one before it in its batch, or by a stored one. */
function fateOfKnown({ sent, made }: Attempt, place: number): Fate {
  const reasons = reasonsOf(KNOWN);
  const own = made[place];
  if (!own) throw new Error('an event was lost');
  const { row, computed } = own;
  const first = made.find((other) => keyOf(other.row) === keyOf(row))?.row ?? row;
  if (first !== row) {
    const members = differing(first, row);
    if (members.length === 0) return { fate: 'duplicate', reasons };
    return { fate: 'conflict', reasons: members.map((member) => ({ member, code: 'value_differs' })) };
  }
  const { code, timestamp, written, preciseTotalAmountCents: amount } = row;
  const isTimed = sent[place]?.timestamp != null;
  return { fate: 'met', reasons, compared: { code, timestamp, isTimed, properties: written, computed, amount } };
}

function fateOf(attempt: Attempt, place: number, otherwise: Reason): Fate {
  const faults = attempt.faults.get(place);
  if (faults === KNOWN) return fateOfKnown(attempt, place);
  return { fate: 'rejected', reasons: faults ? reasonsOf(faults) : [otherwise] };
}

/**
 * Keeps what became of events that were refused together: of those that nothing is wrong with, that another one was. Answers the
 * places of those whose names another event has. In a transaction that is undone nothing is kept.
 */
export async function refuseEvents(
  db: TenantClient,
  { organizationId, now }: Actor,
  attempt: Attempt,
  otherwise: Reason = IN_A_REFUSED_BATCH,
): Promise<readonly number[]> {
  const refused = attempt.sent.map((sent, place) =>
    refusal(bodyOf(sent), organizationId, now, fateOf(attempt, place, otherwise)),
  );
  const fates = await keepRefusals(db, refused);
  return fates.flatMap((fate, place) => (fate === 'conflict' ? [place] : []));
}

/** What a document's variables have of events: one as `input`, or several as `events`. */
function eventsIn({ input, events }: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (input !== undefined) return [input];
  return Array.isArray(events) ? events : [events];
}

/** Keeps what became of events of a request whose form was wrong: `details` name members, of several events with their places. */
export async function refuseUnfit(
  db: TenantClient,
  { organizationId, now }: Actor,
  variables: Readonly<Record<string, unknown>>,
  details: ErrorDetails,
): Promise<void> {
  const reasons = Object.entries(details).flatMap(([name, codes]) => {
    const { place, member } = placeIn(name) ?? { place: undefined, member: name };
    return codes.map((code) => ({ place: place === undefined ? undefined : Number(place), member, code }));
  });
  const refused = eventsIn(variables).map((sent, at) => {
    const own = reasons.filter(({ place }) => place === undefined || place === at);
    const said = own.length > 0 ? own.map(({ member, code }) => ({ member, code })) : [IN_A_REFUSED_BATCH];
    return refusal(sent, organizationId, now, { fate: 'rejected', reasons: said });
  });
  await keepRefusals(db, refused);
}
