import type { UsageSource } from '../aggregate/metric-usage.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import { addDays, type Instant, localDate, startOfDay } from '../period/calendar.ts';
import { billedSubscription, zoneOf } from '../subscription/billed-subscription.ts';
import { accountOf } from './account.ts';
import { advance } from './timeline.ts';
import type { TimelineResult, TimelineState, TimelineStep } from './timeline-type.ts';

/**
 * What happens to a customer by itself at a moment, in this order: what was not paid in time is given up, ends, starts and what is due, drafts whose days are over, then a look
 * at the thresholds of usage, which goes on in a new period where it recurs. What has been lived already is looked at again where days begin earlier
 * by now: nothing ends then, as what was used since would be billed by nobody, and it may have started since.
 */
export const dueSteps = (at: Instant, livedUntil = Number.NEGATIVE_INFINITY): TimelineStep[] => [
  { at, do: 'expire_incomplete' },
  ...(at > livedUntil ? [{ at, do: 'terminate_ended' } as const] : []),
  { at, do: 'issue_due' },
  { at, do: 'finalize_drafts', onlyDue: true },
  { at, do: 'update_usage' },
];

/** Steps one after another, with all that they change. */
export function advanceAll(
  state: TimelineState,
  steps: readonly TimelineStep[],
): Pick<TimelineResult, 'state' | 'changes'> {
  return steps.reduce<Pick<TimelineResult, 'state' | 'changes'>>(
    (before, step) => {
      const { state: after, changes } = advance(before.state, step);
      return { state: after, changes: [...before.changes, ...changes] };
    },
    { state, changes: [] },
  );
}

/** When something may happen to a subscription within a day: its start, its end, the end of its trial or of the time to pay it. */
function ownMoments(state: TimelineState, subscription: SubscriptionInput, at: Instant): Instant[] {
  const { status, subscriptionAt, endingAt, plan, activation } = subscription;
  if (status === 'pending') return [subscriptionAt];
  if (status === 'incomplete') return [activation?.expiresAt ?? []].flat();
  if (status !== 'active') return [];
  const hasTrial = plan.payInAdvance && plan.trialDays.greaterThan(0);
  const { trialEndsAt } = hasTrial
    ? billedSubscription(accountOf(state), subscription, at, 'subscription_starting')
    : { trialEndsAt: null };
  return [endingAt, trialEndsAt].flatMap((moment) => moment ?? []);
}

/** The next moment at which something may happen to a customer: the first of the next day of its zone, or one of a subscription's before. */
function nextMoment(state: TimelineState, after: Instant): Instant {
  const zone = zoneOf(state.customer, state.billingEntity);
  const day = startOfDay(addDays(localDate(after, zone), 1), zone);
  const own = state.subscriptions.flatMap((subscription) => ownMoments(state, subscription, after));
  return Math.min(day, ...own.filter((moment) => moment > after));
}

/** What is looked at of a life: after `from` and up to `to`. Up to `livedUntil`, where that is later than `from`, it is looked at again. */
export interface Span<T> {
  readonly from: T;
  readonly livedUntil: T;
  readonly to: T;
}

/**
 * The moments of a span at which something happens to a customer by itself: on a day of its zone, or when a subscription
 * starts, ends or its trial does. What is used decides what is billed, not when: `usageAt` need not know it, and sees what is asked at a moment. The first
 * `most` of them.
 */
export function dueMoments(
  state: Omit<TimelineState, 'usage'>,
  { from, livedUntil, to }: Span<Instant>,
  usageAt: (at: Instant) => UsageSource,
  most = Number.POSITIVE_INFINITY,
): Instant[] {
  const moments: Instant[] = [];
  let life: TimelineState = { ...state, usage: usageAt(from) };
  for (let at = nextMoment(life, from); at <= to && moments.length < most; at = nextMoment(life, at)) {
    const { state: after, changes } = advanceAll({ ...life, usage: usageAt(at) }, dueSteps(at, livedUntil));
    life = after;
    if (changes.length > 0) moments.push(at);
  }
  return moments;
}
