import type { Instant } from '../../billing/period/calendar.ts';
import { dueMoments, dueSteps, type Span } from '../../billing/timeline/day.ts';
import type { TimelineStep } from '../../billing/timeline/timeline-type.ts';
import type { SystemActor } from '../../store/access/audit.ts';
import { loadLives, type StoredLife } from '../../store/account/load-lives.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import type { DueCustomer } from '../../store/job/due-customer.ts';
import { dueLives } from '../../store/subscription/due-life.ts';
import { NO_USAGE, noQuestions, notingUsage, type UsageQuestions } from '../../store/usage/stored-usage.ts';
import { liveAll } from '../life/live.ts';
import { inTransaction } from '../transaction.ts';

/** A moment at which something happens by itself, what, and the usage that rules ask about then. */
export interface DueMoment {
  readonly at: Instant;
  readonly steps: readonly TimelineStep[];
  readonly questions: UsageQuestions;
}

/** The moments of a span at which something happens by itself to the subscriptions of a life. */
export function momentsOf(
  stored: StoredLife,
  externalIds: readonly string[],
  span: Span<Date>,
  most?: number,
): DueMoment[] {
  const livedUntil = span.livedUntil.getTime();
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
  const within = { livedUntil, from: span.from.getTime(), to: span.to.getTime() };
  const moments = dueMoments(state, within, usageAt, most);
  return moments.map((at) => ({ at, steps: dueSteps(at, livedUntil), questions: asked.get(at) ?? noQuestions() }));
}

/** What became of customers to whom something happened together. */
interface Together {
  /** To whom everything has happened. */
  readonly finished: readonly string[];
  /** To whom more happens later, each looked at from the moment that is over. */
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
      // The second says that there is more; it is computed again once the first has happened.
      const span = { ...customer, to: actor.now };
      const [first, ...others] = momentsOf(at(span.from), life.externalIds, span, 2);
      if (!first) return [];
      const then = { ...actor, now: new Date(first.at) };
      if (others.length > 0) further.push({ ...customer, from: then.now });
      const { steps, questions } = first;
      return [{ life, stored: at(then.now), steps, actor: then, questions }];
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
