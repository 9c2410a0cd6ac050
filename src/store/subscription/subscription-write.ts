import type { ActivationInput, UnitEvent } from '../../billing/customer/subscription.ts';
import type { SubscriptionChange } from '../../billing/subscription/change.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';

const moment = (at: number | null | undefined) => (at == null ? at : new Date(at));

/**
 * Stores what became of a subscription. Who follows it says so itself, and first starts follow from all of its family; that nobody follows it
 * any more takes away what it told of its next plan.
 */
export async function saveSubscription(
  tx: TenantTransaction,
  { now }: Actor,
  id: string,
  {
    status,
    startedAt,
    terminatedAt,
    nextId,
    onTerminationCreditNote,
    onTerminationInvoice,
    ...more
  }: SubscriptionChange,
): Promise<void> {
  const data = {
    ...(nextId === null && { nextPlanCode: null, downgradePlanDate: null }),
    ...(status && { status, ...(status === 'canceled' && { canceledAt: now }) }),
    ...(startedAt !== undefined && { startedAt: moment(startedAt) }),
    ...(terminatedAt !== undefined && { terminatedAt: moment(terminatedAt) }),
    ...(onTerminationCreditNote !== undefined && { onTerminationCreditNote }),
    ...(onTerminationInvoice && { onTerminationInvoice }),
    ...(more.activatedAt !== undefined && { activatedAt: moment(more.activatedAt) }),
    ...(more.cancellationReason && { cancellationReason: more.cancellationReason }),
  };
  if (Object.keys(data).length > 0) await tx.subscription.update({ where: { id }, data, select: { id: true } });
  if (more.activation !== undefined) await saveActivation(tx, id, more.activation, now);
}

/** What became of the rule of a subscription; null: it has none any more. */
async function saveActivation(
  tx: TenantTransaction,
  subscriptionId: string,
  activation: ActivationInput | null,
  updatedAt: Date,
): Promise<void> {
  const where = { subscriptionId };
  if (!activation) await tx.activationRule.deleteMany({ where });
  else {
    const { status, expiresAt } = activation;
    await tx.activationRule.updateMany({ where, data: { status, expiresAt: moment(expiresAt) ?? null, updatedAt } });
  }
}

/** Entries of the histories of fixed charges' units. */
export interface UnitEntries {
  readonly subscriptionId: string;
  readonly fixedChargeId: string;
  readonly entries: readonly UnitEvent[];
}

/** Adds to the histories of units; says the identifiers of the entries. */
export async function addUnitEvents(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  histories: readonly UnitEntries[],
): Promise<string[]> {
  const data = histories.flatMap(({ subscriptionId, fixedChargeId, entries }) =>
    entries.map(({ units, timestamp, createdAt }) => ({
      ...{ id: newId(now), organizationId, fixedChargeId, subscriptionId, units: units.toFixed() },
      ...{ effectiveAt: new Date(timestamp), createdAt: new Date(createdAt) },
    })),
  );
  if (data.length > 0) await tx.fixedChargeUnitsEvent.createMany({ data });
  return data.map(({ id }) => id);
}
