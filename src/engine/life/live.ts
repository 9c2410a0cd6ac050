import type { PlanInput } from '../../billing/catalogue/plan.ts';
import type { InvoiceRanks } from '../../billing/invoice/numbering.ts';
import { advanceAll } from '../../billing/timeline/day.ts';
import type { TimelineState, TimelineStep } from '../../billing/timeline/timeline-type.ts';
import type { Actor } from '../../store/access/audit.ts';
import { loadLife, type StoredLife } from '../../store/account/load-lives.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { UNIQUE_LIVE_SUBSCRIPTION, whereUnique } from '../../store/database/unique.ts';
import { type HeldCounters, holdCounters } from '../../store/invoice/invoice-counter.ts';
import { counterOwners, type InvoiceOwner, ranksOf } from '../../store/invoice/invoice-number.ts';
import type { UsageReading } from '../../store/usage/event-store.ts';
import { usageReader } from '../../store/usage/read-usage.ts';
import {
  answersTo,
  askStored,
  NO_USAGE,
  noQuestions,
  notingUsage,
  storedReading,
  type UsageAnswers,
  type UsageQuestions,
} from '../../store/usage/stored-usage.ts';
import { allChanged, type Changed } from '../changed.ts';
import { applyAll, newIds, takeNumbers } from '../invoice/apply-changes.ts';
import { auditChanges } from '../invoice/audit-changes.ts';

/** Whose life goes on: subscriptions of a customer, by their external identifiers, and the entity that bills them. */
export interface Life extends InvoiceOwner {
  readonly externalIds: readonly string[];
}

/** Where it is stored. The customer is locked. */
export interface Stage {
  readonly db: TenantClient;
  readonly tx: TenantTransaction;
  readonly actor: Actor;
}

interface Happening {
  /** Invoices that steps name, whatever they bill. */
  readonly invoiceIds?: readonly string[];
  /** One after another, at the actor's moment. */
  readonly steps: readonly TimelineStep[];
  /** Plans that a step names beside those of the subscriptions. */
  readonly plans?: readonly PlanInput[];
  /** Stores what comes from outside and is to be there before what follows from it: a successor. */
  readonly before?: (state: TimelineState) => Promise<void>;
}

/** A loaded life, to which something happens at the actor's moment. */
export interface Living extends Pick<Happening, 'steps' | 'plans' | 'before'> {
  readonly life: Life;
  readonly stored: StoredLife;
  readonly actor: Actor;
  /** Usage that rules are known to ask about then. */
  readonly questions?: UsageQuestions;
}

/** Usage as one transaction reads it, of all subscriptions that it is about. */
const readingOf = ({ db, tx, actor }: Stage, lives: readonly Life[]): UsageReading =>
  storedReading(
    usageReader(
      db,
      tx,
      lives.flatMap(({ externalIds }) => externalIds),
    ),
    actor.organizationId,
  );

const ownerOf = ({ life: { customerId, billingEntityId } }: Living): InvoiceOwner => ({ customerId, billingEntityId });

const stateOf = ({ stored, actor, plans = [] }: Living, ranks: InvoiceRanks): Omit<TimelineState, 'usage'> => ({
  ...stored,
  ...{ plans, events: [], changes: [], ranks, ids: newIds(actor.now) },
});

/** Usage that rules ask about as far as nothing has been used; which number an invoice gets changes nothing of it. */
function questionsOf(living: Living, known: UsageAnswers): UsageQuestions {
  const questions = noQuestions();
  const state = { ...stateOf(living, { forCustomer: 0, forEntity: 0 }), usage: notingUsage(known, questions) };
  try {
    advanceAll(state, living.steps);
  } catch {
    // It depends on usage, or is thrown again when that is known.
    return questions;
  }
  return questions;
}

/** What is first read of a life's usage; one answer may lead to the next question. */
function usageOf(reading: UsageReading, living: Living): Promise<UsageAnswers> {
  const known = { ...NO_USAGE, externalSubscriptionIds: living.life.externalIds };
  return answersTo(reading, known, living.questions ?? questionsOf(living, known));
}

/** What rules say of a life; its numbers are taken. */
async function decide({ tx }: Stage, reading: UsageReading, held: HeldCounters, living: Living, known: UsageAnswers) {
  const { stored, actor, steps } = living;
  const owner = ownerOf(living);
  const state = stateOf(living, ranksOf(held, owner));
  const { state: after, changes } = await askStored(reading, known, (usage) => advanceAll({ ...state, usage }, steps));
  takeNumbers({ held, owner }, changes);
  await living.before?.(after);
  const stated = [...stored.subscriptions, ...stored.invoices];
  const statuses = new Map<string, string>(stated.map(({ id, status }) => [id, status]));
  return { rows: { tx, actor, owner, held }, changes, told: { actor, changes, statuses } };
}

/**
 * Lets something happen to stored lives of different customers, each at its own moment: rules say what changes, as they do for the timeline, and
 * it is stored. The customers are locked; the counters of their owners, which others wait for, are held from when usage is known. Says which rows
 * changed or were made. Throws a validation error where one is to start whose external identifier another has by now.
 */
export async function liveAll(stage: Stage, lives: readonly Living[]): Promise<Changed> {
  const { tx, actor } = stage;
  const reading = readingOf(
    stage,
    lives.map(({ life }) => life),
  );
  // Together: usage of the same prices is read by one statement.
  const asked = await Promise.all(
    lives.map(async (living): Promise<[Living, UsageAnswers]> => [living, await usageOf(reading, living)]),
  );
  const held = await holdCounters(
    tx,
    actor,
    lives.flatMap((living) => counterOwners(ownerOf(living), living.stored.billingEntity)),
  );
  const decided: Awaited<ReturnType<typeof decide>>[] = [];
  for (const [living, usage] of asked) decided.push(await decide(stage, reading, held, living, usage));
  // One that starts may meet another of its name, whatever was looked at when it was made.
  const changed = await whereUnique([UNIQUE_LIVE_SUBSCRIPTION], () => applyAll(tx, decided));
  const auditLogs = await auditChanges(
    tx,
    decided.map(({ told }) => told),
  );
  return allChanged([...changed, { auditLogs }]);
}

/** The same for one life, which is loaded here; nothing where there is no such customer. */
export async function live(
  stage: Stage,
  life: Life,
  { invoiceIds: named = [], ...happening }: Happening,
): Promise<Changed> {
  const { tx, actor } = stage;
  const stored = await loadLife(tx, { ...life, named }, actor.now);
  return stored ? liveAll(stage, [{ life, stored, actor, ...happening }]) : {};
}
