import { dec } from '../../src/billing/money/decimal.ts';
import { addDays, DAY_MS, type Instant, localDate, SECOND_MS, startOfDay } from '../../src/billing/period/calendar.ts';
import { trialEnd } from '../../src/billing/period/trial.ts';
import type { PlanRow, SubscriptionRow } from './document.ts';

/** Up to here everything is billed; the periods that are open then are the present ones. */
export const HORIZON: Instant = Date.parse('2026-11-26T00:00:00Z');

/** After midnight, as a periodic biller runs. */
const RUN_DELAY = 600 * SECOND_MS;

function opensPeriod(subscription: SubscriptionRow, plan: PlanRow, day: Instant, zone: string): boolean {
  const date = localDate(day, zone);
  const anchor = localDate(Date.parse(subscription.subscription_at), zone);
  if (plan.interval === 'weekly') {
    return date.dayOfWeek === (subscription.billing_time === 'calendar' ? 1 : anchor.dayOfWeek);
  }
  if (subscription.billing_time === 'calendar') return date.day === 1;
  return date.day === anchor.day || (date.day < anchor.day && date.day === date.daysInMonth);
}

/** The moments at which the biller may have something to do for a subscription: more of them change nothing. */
export function runsOf(subscription: SubscriptionRow, plan: PlanRow, zone: string): Instant[] {
  const start = Date.parse(subscription.subscription_at);
  const runs: Instant[] = start > Date.parse(subscription.created_at) ? [start + RUN_DELAY] : [];
  const trialEndsAt = plan.pay_in_advance ? trialEnd(start, dec(plan.trial_period ?? 0), zone) : null;
  if (trialEndsAt !== null) runs.push(trialEndsAt + RUN_DELAY);
  if (subscription.ending_at) {
    runs.push(startOfDay(localDate(Date.parse(subscription.ending_at), zone), zone) + RUN_DELAY);
  }
  for (let day = start; day < HORIZON + DAY_MS; day += DAY_MS) {
    if (!opensPeriod(subscription, plan, day, zone)) continue;
    runs.push(startOfDay(localDate(day, zone), zone) + RUN_DELAY);
  }
  return runs.filter((at) => at < HORIZON && at > start);
}

/** When a draft with that expected day becomes final. */
export function finalRun(expectedFinalizationDate: string, zone: string): Instant {
  return (
    startOfDay(addDays(localDate(Date.parse(`${expectedFinalizationDate}T12:00:00Z`), 'UTC'), 0), zone) + 2 * RUN_DELAY
  );
}
