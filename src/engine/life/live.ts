import type { PlanInput } from '../../billing/catalogue/plan.ts';
import { advanceAll } from '../../billing/timeline/day.ts';
import type { TimelineState, TimelineStep } from '../../billing/timeline/timeline-type.ts';
import type { Actor } from '../../store/access/audit.ts';
import { loadLife } from '../../store/account/load-account.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { holdCounters } from '../../store/invoice/invoice-counter.ts';
import { counterOwners, type InvoiceOwner, ranksOf } from '../../store/invoice/invoice-number.ts';
import { usageReader } from '../../store/usage/read-usage.ts';
import { answeredUsage, answerUsage, storedReading } from '../../store/usage/stored-usage.ts';
import { allChanged, type Changed } from '../changed.ts';
import { applyChanges, newIds } from '../invoice/apply-changes.ts';
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

/**
 * Lets something happen to stored subscriptions: rules say what changes, as they do for the timeline, and it is stored. Says which rows
 * changed or were made; nothing where there is no such customer.
 */
export async function live(
  { db, tx, actor }: Stage,
  life: Life,
  { steps, plans = [], before, invoiceIds = [] }: Happening,
): Promise<Changed> {
  const { externalIds, customerId, billingEntityId } = life;
  const owner = { customerId, billingEntityId };
  const { now, organizationId } = actor;
  const held = await holdCounters(tx, actor, counterOwners(owner));
  const stored = await loadLife(tx, owner, externalIds, now, invoiceIds);
  if (!stored) return {};
  const state: TimelineState = {
    ...stored,
    ...{ plans, events: [], changes: [] },
    ...{ ranks: ranksOf(held, owner), ids: newIds(now) },
  };
  const reading = storedReading(usageReader(db, tx, externalIds), organizationId);
  const answers = await answerUsage(reading, externalIds, (usage) => advanceAll({ ...state, usage }, steps));
  const { state: after, changes } = advanceAll({ ...state, usage: answeredUsage(answers) }, steps);
  await before?.(after);
  const changed = await applyChanges({ tx, actor, owner, held }, changes);
  const known = [...stored.subscriptions, ...stored.invoices];
  const statuses = new Map<string, string>(known.map(({ id, status }) => [id, status]));
  return allChanged([changed, { auditLogs: await auditChanges(tx, actor, changes, { statuses }) }]);
}
