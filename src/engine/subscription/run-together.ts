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
export function momentsOf(
  stored: StoredLife,
  externalIds: readonly string[],
  from: Date,
  to: Date,
  most?: number,
): DueMoment[] {
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
  const moments = dueMoments(state, from.getTime(), to.getTime(), usageAt, most);
  return moments.map((at) => ({ at, questions: asked.get(at) ?? noQuestions() }));
}

/** What became of customers to whom something happened together. */
interface Together {
  /** To whom everything has happened. */
  readonly finished: readonly string[];
  /** To whom more happens later, each lived up to the moment that is over. */
  readonly further: readonly DueCustomer[];
}

/**
 * Lets happen to customers in one transaction what is first due of each up to the actor's moment, where it is due of one life. The others are
 * left as they were.
 */
function runTogether(db: TenantClient, actor: SystemActor, due: readonly DueCustomer[]): Promise<Together> {
  const taken = new Map(due.map((one) => [one.customerId, one]));
  const ids = [...taken.keys()];
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
    const further: DueCustomer[] = [];
    const living = alone.flatMap((life, place) => {
      const customer = taken.get(life.customerId);
      const at = loaded[place];
      if (!customer || !at) return [];
      const { livedUntil } = customer;
      // The second says that there is more; it is computed again once the first has happened.
      const [first, ...others] = momentsOf(at(livedUntil), life.externalIds, livedUntil, actor.now, 2);
      if (!first) return [];
      const then = { ...actor, now: new Date(first.at) };
      if (others.length > 0) further.push({ ...customer, livedUntil: then.now });
      const { questions } = first;
      return [{ life, stored: at(then.now), steps: dueSteps(first.at), actor: then, questions }];
    });
    if (living.length > 0) await liveAll({ db, tx, actor }, living);
    const later = new Set([...several, ...further.map(({ customerId }) => customerId)]);
    return { finished: ids.filter((id) => !later.has(id)), further };
  });
}

/** The same again and again until nothing more happens to them together, or `isOver`. Says to whom everything has happened. */
export async function runAllTogether(
  db: TenantClient,
  actor: SystemActor,
  due: readonly DueCustomer[],
  isOver: () => boolean,
): Promise<string[]> {
  const all: string[] = [];
  for (let open = due; open.length > 0 && !(open !== due && isOver()); ) {
    // What goes wrong with one is undone for all that are together, and told where that one is alone.
    const { finished, further } = await runTogether(db, actor, open).catch(() => ({ finished: [], further: [] }));
    all.push(...finished);
    open = further;
  }
  return all;
}
