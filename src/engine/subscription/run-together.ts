import type { Instant } from '../../billing/period/calendar.ts';
import { dueMoments, dueSteps } from '../../billing/timeline/day.ts';
import type { SystemActor } from '../../store/access/audit.ts';
import { loadLives, type StoredLife } from '../../store/account/load-lives.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import type { DueCustomer } from '../../store/job/due-customer.ts';
import { dueLives } from '../../store/subscription/due-life.ts';
import { NO_USAGE, noQuestions, notingUsage, type UsageQuestions } from '../../store/usage/stored-usage.ts';
import { liveAll } from '../life/live.ts';
import { inTransaction } from '../transaction.ts';

/** A moment at which something happens by itself, and the usage that rules ask about then. */
export interface DueMoment {
  readonly at: Instant;
  readonly questions: UsageQuestions;
}

/** The moments after `from` and up to `to` at which something happens by itself to the subscriptions of a life. */
export function momentsOf(stored: StoredLife, externalIds: readonly string[], from: Date, to: Date): DueMoment[] {
  // Numbers are not taken here: which they are follows from what others are billed in between.
  const ranks = { forCustomer: 0, forEntity: 0 };
  const state = { ...stored, plans: [], events: [], changes: [], ranks };
  const unknown = { ...NO_USAGE, externalSubscriptionIds: externalIds };
  const asked = new Map<Instant, UsageQuestions>();
  const usageAt = (at: Instant) => {
    const questions = noQuestions();
    asked.set(at, questions);
    return notingUsage(unknown, questions);
  };
  const moments = dueMoments(state, from.getTime(), to.getTime(), usageAt);
  return moments.map((at) => ({ at, questions: asked.get(at) ?? noQuestions() }));
}

/**
 * Lets happen to customers what is due at the actor's moment in one transaction, as far as it is one moment of one life of each. Says to whom
 * everything has happened; the others are left as they were.
 */
export function runTogether(db: TenantClient, actor: SystemActor, due: readonly DueCustomer[]): Promise<string[]> {
  const since = new Map(due.map(({ customerId, livedUntil }) => [customerId, livedUntil]));
  const ids = [...since.keys()];
  return inTransaction(db, actor, async (tx) => {
    await lockCustomers(tx, actor, ids);
    const lives = await dueLives(tx, actor, ids);
    const several = new Set(
      lives
        .filter(({ customerId }, at) => lives[at - 1]?.customerId === customerId)
        .map(({ customerId }) => customerId),
    );
    const alone = lives.filter(({ customerId }) => !several.has(customerId));
    const loaded = await loadLives(tx, alone);
    const later = new Set(several);
    const living = alone.flatMap((life, place) => {
      const from = since.get(life.customerId);
      const at = loaded[place];
      if (!from || !at) return [];
      const moments = momentsOf(at(from), life.externalIds, from, actor.now);
      if (moments.length > 1) later.add(life.customerId);
      if (moments.length !== 1) return [];
      return moments.map(({ at: moment, questions }) => {
        const then = { ...actor, now: new Date(moment) };
        return { life, stored: at(then.now), steps: dueSteps(moment), actor: then, questions };
      });
    });
    if (living.length > 0) await liveAll({ db, tx, actor }, living);
    return ids.filter((id) => !later.has(id));
  });
}
