import type { Instant } from '../period/calendar.ts';
import { isBilledAtStart } from '../subscription/subscription-fees.ts';
import { billedIn, subscriptionOf, withSubscription } from './account.ts';
import { paid } from './activation.ts';
import { makeInvoice } from './make.ts';
import type { TimelineState } from './timeline-type.ts';

const HOUR_MS = 3_600_000;

/** When a subscription begins, and when the first did that had its name. */
export function beginningOf(state: TimelineState, id: string, at: Instant, startedAt?: Instant) {
  const subscription = subscriptionOf(state, id);
  const family = state.subscriptions.filter(
    ({ id: other, externalId, status }) =>
      externalId === subscription.externalId && other !== id && status !== 'canceled',
  );
  const lastEnd = Math.max(...family.map((other) => other.terminatedAt ?? Number.NEGATIVE_INFINITY));
  const begins = Math.max(startedAt ?? Math.min(subscription.subscriptionAt, at), lastEnd);
  const firstStartedAt = Math.min(begins, ...family.map((other) => other.startedAt ?? begins));
  return { startedAt: begins, firstStartedAt };
}

/** A subscription as it would be if it began now; it takes the place of another at the moment, whatever its own date. */
function begun(state: TimelineState, id: string, at: Instant): TimelineState {
  const { previousId } = subscriptionOf(state, id);
  const beginning = beginningOf(state, id, at, previousId === null ? undefined : at);
  return withSubscription(state, id, { status: 'incomplete', ...beginning });
}

/** Whether a subscription that begins has to be paid first: it has a rule, and something is billed at its start. Source: engine-money 7.4. */
export function isGated(state: TimelineState, id: string | null, at: Instant): id is string {
  if (id === null || !subscriptionOf(state, id).activation) return false;
  return isBilledAtStart(billedIn(begun(state, id, at), id, at, 'subscription_starting'));
}

/**
 * Begins a subscription that has to be paid first: its first invoice is open, has no number and uses what the customer can pay with; it becomes
 * active when that is paid, or at once where nothing is to be paid. One that it follows goes on until then. Source: engine-money 7.4.
 */
export function gate(state: TimelineState, id: string | null, at: Instant): TimelineState {
  if (id === null) return state;
  const { activation } = subscriptionOf(state, id);
  const hours = activation?.timeoutHours ?? 0;
  const expiresAt = hours > 0 ? at + hours * HOUR_MS : null;
  const rule = { timeoutHours: hours, status: 'pending' as const, expiresAt };
  const waiting = withSubscription(begun(state, id, at), id, { activation: rule });
  const subscriptions = [billedIn(waiting, id, at, 'subscription_starting')];
  const made = makeInvoice(waiting, { at, subscriptions, gated: true });
  return made.invoices.at(-1)?.status === 'open' ? made : paid(made, id, at);
}
