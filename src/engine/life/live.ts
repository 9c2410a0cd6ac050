import type { PlanInput } from '../../billing/catalogue/plan.ts';
import { advanceAll } from '../../billing/timeline/day.ts';
import type { TimelineState, TimelineStep } from '../../billing/timeline/timeline-type.ts';
import type { Actor } from '../../store/access/audit.ts';
import { loadLife, type StoredLife } from '../../store/account/load-lives.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { type HeldCounters, holdCounters } from '../../store/invoice/invoice-counter.ts';
import { counterOwners, type InvoiceOwner, ranksOf } from '../../store/invoice/invoice-number.ts';
import type { UsageReading } from '../../store/usage/event-store.ts';
import { usageReader } from '../../store/usage/read-usage.ts';
import { storedReading, withUsage } from '../../store/usage/stored-usage.ts';
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

/** What rules say of a life; its numbers are taken. */
async function decide(
  { tx }: Stage,
  held: HeldCounters,
  reading: UsageReading,
  { life: { customerId, billingEntityId, externalIds }, stored, actor, steps, plans = [], before }: Living,
) {
  const owner = { customerId, billingEntityId };
  const state: TimelineState = {
    ...stored,
    ...{ plans, events: [], changes: [] },
    ...{ ranks: ranksOf(held, owner), ids: newIds(actor.now) },
  };
  const advanced = await withUsage(reading, externalIds, (usage) => advanceAll({ ...state, usage }, steps));
  const { state: after, changes } = advanced;
  takeNumbers({ held, owner }, changes);
  await before?.(after);
  const known = [...stored.subscriptions, ...stored.invoices];
  const statuses = new Map<string, string>(known.map(({ id, status }) => [id, status]));
  return { rows: { tx, actor, owner, held }, changes, told: { actor, changes, statuses } };
}

/**
 * Lets something happen to stored lives of different customers, each at its own moment: rules say what changes, as they do for the timeline, and
 * it is stored. The counters of their owners are held. Says which rows changed or were made.
 */
export async function liveAll(stage: Stage, held: HeldCounters, lives: readonly Living[]): Promise<Changed> {
  const reading = readingOf(
    stage,
    lives.map(({ life }) => life),
  );
  const decided = [];
  for (const living of lives) decided.push(await decide(stage, held, reading, living));
  const changed = await applyAll(stage.tx, decided);
  const auditLogs = await auditChanges(
    stage.tx,
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
  const { customerId, billingEntityId } = life;
  const held = await holdCounters(tx, actor, counterOwners({ customerId, billingEntityId }));
  const stored = await loadLife(tx, { ...life, named, now: actor.now });
  return stored ? liveAll(stage, held, [{ life, stored, actor, ...happening }]) : {};
}
