import { crossedThresholds } from '../invoice/progressive-billing.ts';
import type { Instant } from '../period/calendar.ts';
import { running } from '../subscription/invoice-request.ts';
import { lifetimeUsage } from '../subscription/lifetime-usage.ts';
import { feeOwner } from '../subscription/subscription-fees.ts';
import { usageSoFar } from '../subscription/usage-fees.ts';
import { accountOf, billedHere, billedIn } from './account.ts';
import { makeInvoice } from './make.ts';
import type { TimelineState } from './timeline-type.ts';

/** Looks at the thresholds of every running subscription. Source: engine-money 7.2. */
export function updateUsage(state: TimelineState, at: Instant): TimelineState {
  const active = billedHere(state).filter(({ status }) => status === 'active');
  return active.reduce((changed, { id }) => issueProgress(changed, id, at), state);
}

/** Lifetime usage of a subscription of the timeline, and the usage in arrears so far that a progressive invoice would bill. */
export function lifetimeUsageOf(state: TimelineState, id: string, at: Instant) {
  const account = accountOf(state);
  const billed = billedIn(state, id, at, 'progressive_billing');
  const current = usageSoFar(billed, account.usage, feeOwner(billed, account));
  const open = running(billed);
  const loose = state.fees.map(({ fee }) => fee);
  return {
    open,
    current,
    usage: lifetimeUsage(account, billed, {
      current,
      chargesFrom: open.dates.chargesFrom,
      loose,
    }),
  };
}

/** A progressive invoice when the usage of all periods crosses a threshold. Source: invoicing 9 and engine-money 7.2. */
export function issueProgress(state: TimelineState, id: string, at: Instant): TimelineState {
  const thresholds = billedIn(state, id, at, 'progressive_billing').subscription.plan.usageThresholds;
  if (thresholds.length === 0) return state;
  const { open, current, usage } = lifetimeUsageOf(state, id, at);
  const after = usage.invoicedCents + usage.currentCents;
  const crossed = crossedThresholds(thresholds, usage.passedCents, after);
  if (crossed.length === 0) return state;
  const appliedThresholds = crossed.map((threshold) => ({ ...threshold, lifetimeUsageCents: after }));
  const type = 'progressive_billing' as const;
  return makeInvoice(state, { at, subscriptions: [open], fees: current, type, appliedThresholds });
}
