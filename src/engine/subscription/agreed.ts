import type { UsageSource } from '../../billing/aggregate/metric-usage.ts';
import { type BillingError, invalid, withCodes } from '../../billing/errors.ts';
import { previewInvoice } from '../../billing/preview/preview.ts';
import type { PreviewRequest } from '../../billing/preview/preview-type.ts';
import { invoicesHash, previewHash } from '../../store/account/agreed-hash.ts';
import { ENTITY, entityInput } from '../../store/account/customer-input.ts';
import { loadStoredAccount } from '../../store/account/load-account.ts';
import { planInput } from '../../store/account/plan-input.ts';
import { usageReader } from '../../store/usage/read-usage.ts';
import { askStored, NO_USAGE, storedReading } from '../../store/usage/stored-usage.ts';
import type { Stage } from '../life/live.ts';
import type { CurrentRow, Wanted } from './start-subscription.ts';

/** A 422: what would be done now is not what was agreed to. */
const changed = () => invalid({ agreed_hash: ['figures_have_changed'] });

/** What no preview shows cannot have been agreed to by one. */
function unseen({ sent }: Wanted, current: CurrentRow | undefined): BillingError | undefined {
  const isUnseen = (isOther: boolean) => (isOther ? ['not_compatible_with_agreed_hash'] : []);
  const { planOverrides, billingTime, endingAt } = sent;
  const details = withCodes({
    plan_overrides: isUnseen(planOverrides != null),
    billing_time: isUnseen(current !== undefined && billingTime != null && billingTime !== current.billingTime),
    ending_at: isUnseen(endingAt != null),
  });
  return Object.keys(details).length > 0 ? invalid(details) : undefined;
}

function requestOf({ sent }: Wanted, current: CurrentRow | undefined): PreviewRequest {
  const { externalId, planCode, billingTime, subscriptionAt } = sent;
  if (current) return { subscriptions: { externalIds: [externalId], planCode } };
  return { planCode, billingTime: billingTime ?? null, subscriptionAt: subscriptionAt?.toISOString() ?? null };
}

/**
 * Why a subscription, or a change of plan where there is one that runs, is not what the preview of a hash was agreed to for; undefined where it is. The
 * preview is computed again in the transaction that does it: the customer and the plan are locked.
 */
export async function previewRefusal(
  { db, tx, actor }: Stage,
  wanted: Wanted,
  current: CurrentRow | undefined,
  agreedHash: string,
): Promise<BillingError | undefined> {
  const shown = unseen(wanted, current);
  if (shown) return shown;
  const { sent, plan, customer } = wanted;
  const names = current ? [sent.externalId] : [];
  const account = await loadStoredAccount(tx, customer.id, names, actor.now);
  if (!account) return changed();
  const billedBy = wanted.billingEntityId ?? current?.billingEntityId ?? customer.billingEntityId;
  const entity = await tx.billingEntity.findUniqueOrThrow({ where: { id: billedBy }, include: ENTITY });
  const catalogue = { plans: [planInput(plan)], billingEntityCode: sent.billingEntityCode?.trim() || null };
  const at = actor.now.getTime();
  const previewed = (usage: UsageSource) =>
    previewInvoice(
      requestOf(wanted, current),
      { ...account, billingEntity: entityInput(entity), usage },
      catalogue,
      at,
    );
  const reading = storedReading(usageReader(db, tx, names), actor.organizationId);
  const preview = await askStored(reading, { ...NO_USAGE, externalSubscriptionIds: names }, previewed);
  return previewHash(preview, catalogue.plans) === agreedHash ? undefined : changed();
}

/** Refuses what was done where the invoices that came of it are not those that were agreed to: it is undone. Throws a validation error. */
export async function checkIssued(
  { tx }: Stage,
  invoiceIds: readonly string[],
  agreedHash: string,
  refusal = changed(),
): Promise<void> {
  if ((await invoicesHash(tx, invoiceIds)) !== agreedHash) throw refusal;
}
