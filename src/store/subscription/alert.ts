import type { AlertMembers, SentThreshold } from '../../billing/customer/alert.ts';
import { dec, decimalText } from '../../billing/money/decimal.ts';
import type { Actor } from '../access/audit.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import type { AlertGetPayload } from '../generated/prisma/models.ts';

const include = {
  billableMetric: { select: { code: true } },
  thresholds: { orderBy: OLDEST_FIRST, select: { code: true, value: true, recurring: true } },
} as const;

/** An alert with its metric and its thresholds. */
export type AlertRow = AlertGetPayload<{ include: typeof include }>;

/** The alerts of a subscription's external identifier. */
export const alertsOf = (tx: TenantTransaction, externalSubscriptionId: string): Promise<AlertRow[]> =>
  tx.alert.findMany({ where: { externalSubscriptionId, deletedAt: null }, include, orderBy: OLDEST_FIRST });

const plain = (value: { toFixed(): string } | string) =>
  decimalText(dec(typeof value === 'string' ? value : value.toFixed()));

/** A stored alert as rules know it. */
export const alertOf = ({ alertType, code, name, billableMetric, thresholds }: AlertRow): AlertMembers => ({
  ...{ alertType, code, name, billableMetricCode: billableMetric?.code ?? null },
  thresholds: thresholds.map(({ value, ...one }) => ({ ...one, value: plain(value) })),
});

/** Stores the thresholds of an alert in place of those that it had, in the order in which they are given. */
export async function replaceThresholds(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  alertId: string,
  thresholds: readonly SentThreshold[],
): Promise<void> {
  await tx.alertThreshold.deleteMany({ where: { alertId } });
  const data = thresholds.map(({ code, value, recurring }) => ({
    ...{ id: newId(now), organizationId, alertId, value, createdAt: now },
    ...{ code: code ?? null, recurring: recurring ?? false },
  }));
  await tx.alertThreshold.createMany({ data });
}

/** Ends the alerts that measure a metric; says which. */
export async function endAlertsOfMetric(
  tx: TenantTransaction,
  { now }: Actor,
  billableMetricId: string,
): Promise<string[]> {
  const rows = await tx.alert.updateManyAndReturn({
    where: { billableMetricId, deletedAt: null },
    data: { deletedAt: now, updatedAt: now },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}
