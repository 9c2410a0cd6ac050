import type { Values } from '../../billing/resource/field.ts';
import type { MINIMUM_COMMITMENT, USAGE_THRESHOLD } from '../../billing/resource/plan.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import { attachTaxes } from './tax-link.ts';

export type Commitment = Values<typeof MINIMUM_COMMITMENT.fields>;
export type Threshold = Values<typeof USAGE_THRESHOLD.fields>;

const COLUMNS = {
  amountCents: true,
  invoiceDisplayName: true,
  taxes: { select: { code: true }, orderBy: { code: 'asc' } },
} as const;

/** The commitment of a plan as it is stored; null without one. */
export async function readCommitment(tx: TenantTransaction, planId: string): Promise<Commitment | null> {
  const row = await tx.minimumCommitment.findUnique({ where: { planId }, select: COLUMNS });
  if (!row) return null;
  const { amountCents, invoiceDisplayName, taxes } = row;
  return { amountCents, invoiceDisplayName, taxCodes: taxes.map(({ code }) => code) };
}

/** Gives a plan the commitment that is wanted, or none. `taxIds` are those of its codes. */
export async function saveCommitment(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  planId: string,
  wanted: Commitment | null,
  taxIds: readonly string[],
): Promise<void> {
  if (wanted === null) {
    await tx.minimumCommitment.deleteMany({ where: { planId } });
    return;
  }
  const { amountCents, invoiceDisplayName } = wanted;
  const members = { amountCents, invoiceDisplayName, updatedAt: now };
  const { id } = await tx.minimumCommitment.upsert({
    where: { planId },
    create: { id: newId(now), organizationId, planId, ...members, createdAt: now },
    update: { ...members, taxes: { set: [] } },
    select: { id: true },
  });
  await attachTaxes(
    tx,
    'minimum_commitment',
    taxIds.map((taxId) => ({ ownerId: id, taxId })),
  );
}

/** Whose thresholds they are: a plan's, or one subscription's own. */
type ThresholdOwner = { readonly planId: string } | { readonly subscriptionId: string };

/** The thresholds of a plan or a subscription as they are stored, from the lowest. */
export function readThresholds(tx: TenantTransaction, owner: ThresholdOwner): Promise<Threshold[]> {
  return tx.usageThreshold.findMany({
    where: { ...owner, deletedAt: null },
    select: { amountCents: true, thresholdDisplayName: true, recurring: true },
    orderBy: [{ amountCents: 'asc' }, { recurring: 'asc' }],
  });
}

/** Gives a plan or a subscription new thresholds in place of those it has; invoices keep the former ones. */
export async function saveThresholds(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  owner: ThresholdOwner,
  wanted: readonly Threshold[],
  isNew: boolean,
): Promise<void> {
  if (!isNew)
    await tx.usageThreshold.updateMany({
      where: { ...owner, deletedAt: null },
      data: { deletedAt: now, updatedAt: now },
    });
  if (wanted.length === 0) return;
  const stamps = { createdAt: now, updatedAt: now };
  const data = wanted.map((one) => ({ id: newId(now), organizationId, ...owner, ...one, ...stamps }));
  await tx.usageThreshold.createMany({ data });
}
