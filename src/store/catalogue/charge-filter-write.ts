import type { FilterSync } from '../../billing/catalogue/filter-sync.ts';
import type { FilterState } from '../../billing/catalogue/filter-write.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import type { PlacedFilter } from './charge-row.ts';
import { groupsOf } from './group.ts';

/** A filter that is to be written, and the charge that gets it. */
export interface NewFilter {
  readonly chargeId: string;
  readonly filter: FilterState;
  readonly position: number;
}

/** Stores new filters. Their identifiers follow each other, so that of two that match equally the first one is the oldest. */
export async function addFilters(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  filters: readonly NewFilter[],
): Promise<PlacedFilter[]> {
  const placed = filters.map(({ filter, position }) => ({ ...filter, id: newId(now), position }));
  const data = placed.map(({ id, values, canonical, properties, invoiceDisplayName, position }, at) => ({
    ...{ id, organizationId, chargeId: filters[at]?.chargeId ?? '', invoiceDisplayName, position, createdAt: now },
    ...{ values: values as object, canonicalValues: canonical, properties: properties as object },
  }));
  if (data.length > 0) await tx.chargeFilter.createMany({ data });
  return placed;
}

/** Deletes filters; the rows stay for the fees that name them. */
export async function removeFilters(
  tx: TenantTransaction,
  { now }: Actor,
  filters: readonly { readonly id: string }[],
): Promise<void> {
  if (filters.length === 0) return;
  await tx.chargeFilter.updateMany({ where: { id: { in: filters.map(({ id }) => id) } }, data: { deletedAt: now } });
}

const written = ({ values, properties, invoiceDisplayName, position }: PlacedFilter) =>
  JSON.stringify([values, properties, invoiceDisplayName, position]);

/** Stores what has changed of filters; those that become the same but for their values share a statement. */
export async function changeFilters(
  tx: TenantTransaction,
  changes: readonly { readonly from: PlacedFilter; readonly to: PlacedFilter }[],
): Promise<void> {
  const changed = changes.filter(({ from, to }) => written(from) !== written(to)).map(({ to }) => to);
  for (const group of groupsOf(changed, written)) {
    const [{ values, properties, invoiceDisplayName, position }] = group;
    await tx.chargeFilter.updateMany({
      where: { id: { in: group.map(({ id }) => id) } },
      data: { values: values as object, properties: properties as object, invoiceDisplayName, position },
    });
  }
}

/** Brings the stored filters of a charge to what is wanted: kept ones first, new ones after them. */
export async function saveFilters(
  tx: TenantTransaction,
  actor: Actor,
  chargeId: string,
  { kept, created, removed }: FilterSync<PlacedFilter>,
): Promise<PlacedFilter[]> {
  await removeFilters(tx, actor, removed);
  const changes = kept.map(({ stored, wanted }, position) => ({
    from: stored,
    to: { ...stored, ...wanted, position },
  }));
  await changeFilters(tx, changes);
  const added = created.map((filter, at) => ({ chargeId, filter, position: kept.length + at }));
  return [...changes.map(({ to }) => to), ...(await addFilters(tx, actor, added))];
}
