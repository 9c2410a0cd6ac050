import { attempted, type BillingError, invalid, joined, notFound } from '../../billing/errors.ts';
import { checkSubscription, planDecision } from '../../billing/subscription/subscription-write.ts';
import type { Actor } from '../../store/access/audit.ts';
import { PLAN, type PlanRow } from '../../store/account/plan-input.ts';
import { heldByCode } from '../../store/catalogue/code-lock.ts';
import { entityByCode } from '../../store/customer/entity-of-customer.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { holdExternalId } from '../../store/subscription/active-lock.ts';
import { askForLook } from '../../store/usage/due/usage-due.ts';
import { allChanged, type Changed, type Written } from '../changed.ts';
import { takingCurrency } from '../customer/take-currency.ts';
import { customerOf } from '../customer/upsert-customer.ts';
import type { Stage } from '../life/live.ts';
import { methodRefusal } from '../payment/payment-method.ts';
import { inTransaction } from '../transaction.ts';
import { checkIssued, previewRefusal } from './agreed.ts';
import { billAtOnce } from './bill-events.ts';
import { overridesRefusal, startOverride } from './override/start-override.ts';
import { activationRefusal } from './own-activation.ts';
import { ownThresholdsRefusal } from './own-threshold.ts';
import {
  begin,
  CURRENT,
  type CurrentRow,
  follow,
  keep,
  type NewSubscription,
  replacePlan,
  type Wanted,
} from './start-subscription.ts';

/** Refuses what is wrong with a subscription and with the overrides of its plan, together. */
async function check({ tx, actor }: Stage, plan: PlanRow, sent: NewSubscription): Promise<void> {
  const { refusal } = attempted(() => checkSubscription(sent, actor.now));
  const method = await methodRefusal(tx, sent.paymentMethod, { externalId: sent.externalCustomerId.trim() });
  const rules = await activationRefusal(tx, sent, { customer: { externalId: sent.externalCustomerId.trim() } });
  const refused = [refusal, method, rules, ownThresholdsRefusal(sent)].filter((one) => one !== undefined);
  if (refused.length === 0) return;
  const { planOverrides, refusesIgnored = false } = sent;
  const own = planOverrides && (await overridesRefusal(tx, actor, plan, planOverrides, refusesIgnored));
  throw joined(...refused, ...(own ? [own] : []));
}

async function wantedOf(stage: Stage, sent: NewSubscription): Promise<Wanted> {
  const { tx, actor } = stage;
  const code = sent.billingEntityCode?.trim();
  const entity = code ? await entityByCode(tx, code) : undefined;
  const [held] = await heldByCode(tx, actor, 'plan', [sent.planCode]);
  if (!held) throw notFound('plan');
  const plan = await tx.plan.findUniqueOrThrow({ where: { id: held.id }, include: PLAN });
  await check(stage, plan, sent);
  const customerId = await customerOf(tx, actor, sent.externalCustomerId, code);
  const columns = { id: true, billingEntityId: true };
  const customer = await tx.customer.findUniqueOrThrow({ where: { id: customerId }, select: columns });
  return { sent, plan, customer, billingEntityId: entity?.id };
}

/** The one that its customer has under the external identifier: it runs, or waits for its date or its payment. Nobody else has one. */
async function currentOf({ tx }: Stage, { sent: { externalId }, customer }: Wanted): Promise<CurrentRow | undefined> {
  const rows = await tx.subscription.findMany({
    where: { externalId, status: { in: ['active', 'incomplete', 'pending'] } },
    include: CURRENT,
    orderBy: [{ subscriptionAt: 'desc' }, { id: 'asc' }],
  });
  const own = rows.filter(({ customerId }) => customerId === customer.id);
  if (own.some(({ status }) => status === 'incomplete')) throw invalid({ subscription: ['subscription_incomplete'] });
  if (own.length < rows.length) throw invalid({ external_id: ['value_already_exist'] });
  return (
    own.find(({ status }) => status === 'active') ??
    own.find(({ previousSubscriptionId }) => previousSubscriptionId === null)
  );
}

/** With the override of the plan where one is asked for. */
async function withOwnPlan({ tx, actor }: Stage, wanted: Wanted): Promise<{ own: Wanted; made: Changed }> {
  const { planOverrides, refusesIgnored = false } = wanted.sent;
  if (!planOverrides) return { own: wanted, made: {} };
  const { plan, changed } = await startOverride(tx, actor, wanted.plan, planOverrides, refusesIgnored);
  return { own: { ...wanted, plan }, made: changed };
}

/** Does what was agreed to by its preview, or by a dry run of it: then what was issued is looked at, and undone where it is something else. */
async function agreed(
  stage: Stage,
  agreedHash: string | null | undefined,
  refusalOf: (hash: string) => Promise<BillingError | undefined>,
  write: () => Promise<Written>,
): Promise<Written> {
  const refusal = agreedHash == null ? undefined : await refusalOf(agreedHash);
  const written = await write();
  if (agreedHash != null && refusal) await checkIssued(stage, written.changed.invoices ?? [], agreedHash, refusal);
  return written;
}

/** What is decided goes by the amount that was asked for. A subscription on the plan keeps it, and one that waits gets the plan as it is. */
async function subscribed(stage: Stage, wanted: Wanted, agreedHash: string | null | undefined): Promise<Written> {
  const current = await currentOf(stage, wanted);
  const { planOverrides } = wanted.sent;
  const amountCents = planOverrides?.amountCents ?? wanted.plan.amountCents;
  const kind = current ? planDecision(current, { ...wanted.plan, amountCents }, planOverrides != null) : 'begin';
  const follows = kind === 'upgrade' || kind === 'downgrade';
  // Who agreed to a change that another has made already is told, too.
  const running = follows || kind === 'keep' ? current : undefined;
  const write = async (): Promise<Written> => {
    if (current && kind === 'keep') return keep(stage, wanted, current);
    if (current && kind === 'replace_plan') return replacePlan(stage, wanted, current);
    const { own, made } = await withOwnPlan(stage, wanted);
    const { id, changed } = current && follows ? await follow(stage, own, current, kind) : await begin(stage, own);
    return { id, changed: allChanged([made, changed]) };
  };
  return agreed(stage, agreedHash, (hash) => previewRefusal(stage, wanted, running, hash), write);
}

/**
 * Subscribes a customer to a plan, and bills what that takes at once. Who has none under the external identifier gets one, now, from an
 * earlier moment on or from a later one; who has it on the plan keeps it; one that waits gets the plan; else a dearer plan follows now and a
 * cheaper one at the end of the period. With overrides it begins on a plan of its own. An unknown customer is made. `agreedHash`: names the preview or
 * the dry run of it that was agreed to. Events of charges in advance that came before it are billed. Throws one validation error, and `object_not_found`.
 */
export async function createSubscription(
  db: TenantClient,
  actor: Actor,
  sent: NewSubscription,
  agreedHash?: string | null,
): Promise<Written> {
  const { id, changed } = await inTransaction(db, actor, async (tx) => {
    const stage = { db, tx, actor };
    await holdExternalId(tx, actor, sent.externalId);
    const wanted = await wantedOf(stage, sent);
    const currency = sent.planOverrides?.amountCurrency ?? wanted.plan.amountCurrency;
    const { refusal, save } = await takingCurrency(tx, actor, wanted.customer.id, currency);
    if (refusal) throw refusal;
    const taken = await save();
    const { id, changed } = await subscribed(stage, wanted, agreedHash);
    if (sent.usageThresholds?.length) await askForLook(tx, actor, sent.externalId);
    return { id, changed: allChanged([taken, changed]) };
  });
  return { id, changed: allChanged([changed, await billAtOnce(db, actor, [sent.externalId])]) };
}
