import type { PlanInput } from '../catalogue/plan.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import { invalid, notFound } from '../errors.ts';
import { nextBillingMoment } from '../period/billing-day.ts';
import { type Instant, localDate, startOfDay } from '../period/calendar.ts';
import { planChange } from '../period/proration.ts';
import type { BillingTime } from '../period/terms.ts';
import { isAdvanced } from '../subscription/subscription-fees.ts';
import { namedSubscriptions } from './named.ts';
import type { PreviewCatalogue, PreviewMode, PreviewRequest, PreviewSelection } from './preview-type.ts';
import { previewedInstant } from './request.ts';

interface Choice {
  readonly request: PreviewRequest;
  readonly catalogue: PreviewCatalogue;
  readonly zone: string;
  readonly now: Instant;
}

/** Id of the subscription that a proposal or a plan change makes up. */
const NEW_SUBSCRIPTION_ID = 'new-subscription';

/**
 * Which subscriptions a preview bills, and how they stand then: a proposal makes one up, a termination or plan change ends the
 * one it names, a projection takes them as they are. Throws `object_not_found` for an unknown customer, plan or subscription,
 * `validation_errors` for a request that contradicts itself. Source: invoicing 17.1.
 */
export function selectSubscriptions(
  request: PreviewRequest,
  catalogue: PreviewCatalogue,
  zone: string,
  now: Instant,
): PreviewSelection {
  const choice: Choice = { request, catalogue, zone, now };
  if (catalogue.customer === null) throw notFound('customer');
  const externalIds = request.subscriptions?.externalIds ?? [];
  if (externalIds.length === 0) return selected('proposal', [propose(choice)]);
  if (!catalogue.customer.stored) throw invalid({ customer: ['must_be_persisted'] });
  const found = namedSubscriptions(catalogue, externalIds, now);
  const terminatedAt = endOf(choice, found);
  if (terminatedAt !== null) {
    // A waiting successor is given up with it.
    const current = { ...only(found, 'termination'), nextId: null };
    return selected('termination', [ended(current, terminatedAt)]);
  }
  if (request.subscriptions?.planCode) return change(choice, only(found, 'plan_change'));
  return project(choice, found);
}

function selected(
  mode: PreviewMode,
  subscriptions: readonly SubscriptionInput[],
  linked: readonly SubscriptionInput[] = [],
): PreviewSelection {
  return { mode, subscriptions, linked };
}

function propose({ request, catalogue, now }: Choice): SubscriptionInput {
  const plan = planBy(catalogue, request.planCode);
  const at = request.subscriptionAt ? previewedInstant(request.subscriptionAt) : now;
  if (at === undefined) throw invalid({ subscription_at: ['invalid_date'] });
  return {
    id: NEW_SUBSCRIPTION_ID,
    externalId: '',
    plan,
    stored: false,
    status: 'active',
    subscriptionAt: at,
    startedAt: at,
    createdAt: at,
    endingAt: null,
    terminatedAt: null,
    billingTime: billingTimeOf(request.billingTime),
    previousId: null,
    nextId: null,
    billingEntityCode: catalogue.billingEntityCode || null,
  };
}

function billingTimeOf(text: string | null | undefined): BillingTime {
  if (!text) return 'calendar';
  if (text !== 'calendar' && text !== 'anniversary') {
    throw invalid({ billing_time: ['value_is_invalid'] }, { billing_time: { limit: 'calendar or anniversary' } });
  }
  return text;
}

function planBy(catalogue: PreviewCatalogue, code: string | null | undefined): PlanInput {
  const plan = catalogue.plans.find((candidate) => candidate.code === code && !candidate.parentId);
  if (!plan) throw notFound('plan');
  return plan;
}

/**
 * Code of the entity that the named subscriptions are billed by in their own right; null where it is the customer's, and where
 * none is named.
 */
export function ownEntityCode(
  externalIds: readonly string[],
  subscriptions: readonly SubscriptionInput[],
): string | null {
  const named = subscriptions.filter(({ externalId }) => externalIds.includes(externalId));
  const one = named.find(({ status }) => status === 'active') ?? named.find(({ status }) => status === 'pending');
  return one?.billingEntityCode ?? null;
}

function only(found: readonly SubscriptionInput[], mode: 'termination' | 'plan_change'): SubscriptionInput {
  const [first, second] = found;
  if (!first || second) throw invalid({ subscriptions: [`only_one_subscription_allowed_for_${mode}`] });
  return first;
}

/** The moment of the termination: as asked for, or the end of the only subscription when it comes before its next invoice. */
function endOf({ request, zone, now }: Choice, found: readonly SubscriptionInput[]): Instant | null {
  const text = request.subscriptions?.terminatedAt;
  if (text) {
    only(found, 'termination');
    const at = previewedInstant(text);
    if (at === undefined) throw invalid({ terminated_at: ['invalid_timestamp'] });
    if (at <= now) throw invalid({ terminated_at: ['cannot_be_in_past'] });
    return at;
  }
  const [subscription, second] = found;
  if (!subscription || second || subscription.endingAt === null) return null;
  return subscription.endingAt <= nextInvoiceAt(subscription, zone, now) ? subscription.endingAt : null;
}

/** A dearer plan starts now, a cheaper one with the next period; it is billed when it is paid in advance. */
function change(choice: Choice, current: SubscriptionInput): PreviewSelection {
  const { request, catalogue, zone, now } = choice;
  const plan = planBy(catalogue, request.subscriptions?.planCode);
  if (plan.code === current.plan.code) {
    const hint = { at: ['subscriptions'], name: 'plan_code' };
    throw invalid({ base: ['new_plan_should_be_different_from_existing_plan'] }, { base: hint });
  }
  const upgrade = planChange(current.plan, plan) === 'upgrade';
  const endsAt = upgrade ? now : nextInvoiceAt(current, zone, now);
  const startsAt = upgrade ? now : startOfDay(localDate(endsAt, zone), zone);
  const next: SubscriptionInput = {
    ...current,
    id: NEW_SUBSCRIPTION_ID,
    name: plan.name,
    plan,
    stored: false,
    startedAt: startsAt,
    firstStartedAt: current.firstStartedAt ?? current.startedAt,
    createdAt: now,
    endingAt: null,
    previousId: current.id,
    nextId: null,
    unitEvents: undefined,
  };
  return follow('plan_change', [{ ...ended(current, endsAt), nextId: next.id }], [next]);
}

/** As they are; one with a waiting downgrade ends with its period, and a waiting start is taken as begun. */
function project(choice: Choice, found: readonly SubscriptionInput[]): PreviewSelection {
  const { catalogue, zone, now } = choice;
  const next: SubscriptionInput[] = [];
  const subscriptions = found.map((subscription) => {
    if (subscription.status === 'pending') {
      return { ...subscription, status: 'active' as const, stored: false, startedAt: subscription.subscriptionAt };
    }
    const waiting = catalogue.subscriptions.find((one) => one.id === subscription.nextId && one.status === 'pending');
    if (!waiting || planChange(subscription.plan, waiting.plan) === 'upgrade') return { ...subscription, nextId: null };
    const endsAt = nextInvoiceAt(subscription, zone, now);
    const startedAt = startOfDay(localDate(endsAt, zone), zone);
    const firstStartedAt = subscription.firstStartedAt ?? subscription.startedAt;
    // Periods keep the anchor of the subscription it follows, as they do when it really starts.
    const { subscriptionAt } = subscription;
    next.push({ ...waiting, status: 'active', startedAt, firstStartedAt, subscriptionAt, previousId: subscription.id });
    return ended(subscription, endsAt);
  });
  return follow('projection', subscriptions, next);
}

/** Successors are billed with what they follow when anything of them is paid in advance, and known to it in any case. */
function follow(
  mode: PreviewMode,
  current: readonly SubscriptionInput[],
  next: readonly SubscriptionInput[],
): PreviewSelection {
  const startsOf = ({ id }: SubscriptionInput) =>
    next.filter(({ previousId, plan }) => previousId === id && isAdvanced(plan));
  return selected(
    mode,
    current.flatMap((one) => [one, ...startsOf(one)]),
    [...current, ...next],
  );
}

function ended(subscription: SubscriptionInput, terminatedAt: Instant): SubscriptionInput {
  return { ...subscription, status: 'terminated', terminatedAt };
}

/** When the running period of a subscription is billed. */
export function nextInvoiceAt(subscription: SubscriptionInput, zone: string, at: Instant): Instant {
  const { plan, billingTime, subscriptionAt } = subscription;
  return nextBillingMoment({ interval: plan.interval, billingTime, subscriptionAt, zone }, at);
}
