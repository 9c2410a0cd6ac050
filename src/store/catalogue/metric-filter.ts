import type { FilterKey } from '../../billing/catalogue/metric.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';

/** Brings the keys of a metric to what is wanted; kept ones keep their rows. Says whether a key or a value has gone. */
export async function saveMetricFilters(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  billableMetricId: string,
  wanted: readonly FilterKey[],
): Promise<boolean> {
  const stored = await tx.billableMetricFilter.findMany({
    where: { billableMetricId, deletedAt: null },
    select: { id: true, key: true, values: true },
  });
  const known = new Map(stored.map((row) => [row.key, row]));
  const values = new Map(wanted.map((one) => [one.key, one.values]));
  const gone = stored.filter(({ key }) => !values.has(key)).map(({ id }) => id);
  if (gone.length > 0) {
    const data = { deletedAt: now, updatedAt: now };
    await tx.billableMetricFilter.updateMany({ where: { id: { in: gone } }, data });
  }
  const fresh = wanted.filter(({ key }) => !known.has(key));
  if (fresh.length > 0) {
    const stamps = { organizationId, billableMetricId, createdAt: now, updatedAt: now };
    const data = fresh.map((one) => ({ id: newId(now), ...one, values: [...one.values], ...stamps }));
    await tx.billableMetricFilter.createMany({ data });
  }
  const changed = stored.filter(({ key, values: old }) => {
    const list = values.get(key);
    return list !== undefined && JSON.stringify(list) !== JSON.stringify(old);
  });
  for (const { id, key } of changed) {
    const data = { values: [...(values.get(key) ?? [])], updatedAt: now };
    await tx.billableMetricFilter.update({ where: { id }, data, select: { id: true } });
  }
  return gone.length > 0 || changed.some(({ key, values: old }) => old.some((one) => !values.get(key)?.includes(one)));
}
