import type { FilterValues } from '../../billing/catalogue/filter.ts';
import type { FilterSync } from '../../billing/catalogue/filter-sync.ts';
import type { FilterState } from '../../billing/catalogue/filter-write.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import type { PlacedFilter } from './charge-row.ts';

/** A filter that is to be written, and the charge that gets it. */
export interface NewFilter {
  readonly chargeId: string;
  readonly filter: FilterState;
  readonly position: number;
}

/** A stored filter and its charge. */
type OwnedFilter = PlacedFilter & { readonly chargeId: string };

/** Filters by their charges, in their order. */
export function filtersByCharge(filters: readonly OwnedFilter[]): ReadonlyMap<string, readonly PlacedFilter[]> {
  const ofCharge = new Map<string, PlacedFilter[]>();
  for (const { chargeId, ...filter } of filters) {
    const known = ofCharge.get(chargeId);
    if (known) known.push(filter);
    else ofCharge.set(chargeId, [filter]);
  }
  return ofCharge;
}

/** Stores new filters, in one statement. Their identifiers follow each other, so that of two that match equally the first one is the oldest. */
export async function addFilters(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  filters: readonly NewFilter[],
): Promise<OwnedFilter[]> {
  if (filters.length === 0) return [];
  const placed = filters.map(({ chargeId, filter, position }) => ({ ...filter, id: newId(now), chargeId, position }));
  const given = placed.map(({ invoiceDisplayName: name, ...filter }) => ({ ...filter, name }));
  await tx.$executeRaw`
    INSERT INTO charge_filters (id, organization_id, charge_id, invoice_display_name, properties, "values", canonical_values,
      position, created_at, updated_at)
    SELECT id, ${organizationId}::uuid, "chargeId", name, properties, "values", canonical, position, ${now}, ${now}
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (id uuid, "chargeId" uuid, name text, properties jsonb,
      "values" jsonb, canonical text, position int)`;
  return placed;
}

/** Deletes filters; the rows stay for the fees that name them. */
export async function removeFilters(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  filters: readonly { readonly id: string }[],
): Promise<void> {
  if (filters.length === 0) return;
  const ids = filters.map(({ id }) => id);
  await tx.$executeRaw`
    UPDATE charge_filters SET deleted_at = ${now}
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${ids}::uuid[]) AND deleted_at IS NULL`;
}

const written = ({ values, properties, invoiceDisplayName, position }: PlacedFilter) =>
  JSON.stringify([values, properties, invoiceDisplayName, position]);

/** Stores what has changed of filters, in one statement. */
export async function changeFilters(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  changes: readonly { readonly from: PlacedFilter; readonly to: PlacedFilter }[],
): Promise<void> {
  const changed = changes.filter(({ from, to }) => written(from) !== written(to)).map(({ to }) => to);
  if (changed.length === 0) return;
  const rows = changed.map(({ id, values, canonical, properties, invoiceDisplayName: name, position }) => ({
    ...{ id, values, canonical, properties, name, position },
  }));
  await tx.$executeRaw`
    UPDATE charge_filters SET "values" = given."values", canonical_values = given.canonical, properties = given.properties,
      invoice_display_name = given.name, position = given.position, updated_at = ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given
      (id uuid, "values" jsonb, canonical text, properties jsonb, name text, position int)
    WHERE charge_filters.id = given.id AND organization_id = ${organizationId}::uuid`;
}

/** Gives filters other values, and deletes those that are gone: first, since two may not be the same. */
export async function recutFilters(
  tx: TenantTransaction,
  actor: Actor,
  changed: readonly { readonly id: string; readonly values: FilterValues; readonly canonical: string }[],
  removed: readonly string[],
): Promise<void> {
  const { organizationId, now } = actor;
  await removeFilters(
    tx,
    actor,
    removed.map((id) => ({ id })),
  );
  if (changed.length === 0) return;
  await tx.$executeRaw`
    UPDATE charge_filters SET "values" = given."values", canonical_values = given.canonical, updated_at = ${now}
    FROM json_to_recordset(${JSON.stringify(changed)}::json) AS given (id uuid, "values" jsonb, canonical text)
    WHERE charge_filters.id = given.id AND organization_id = ${organizationId}::uuid`;
}

/** What becomes of the filters of one charge. */
export interface SyncedFilters {
  readonly chargeId: string;
  readonly sync: FilterSync<PlacedFilter>;
}

/** Brings the stored filters of charges to what is wanted, kept ones first, new ones after them; says what each has then. */
export async function saveFilters(
  tx: TenantTransaction,
  actor: Actor,
  charges: readonly SyncedFilters[],
): Promise<ReadonlyMap<string, readonly PlacedFilter[]>> {
  const removed = charges.flatMap(({ sync }) => sync.removed);
  const placed = charges.map(({ chargeId, sync: { kept, created } }) => ({
    chargeId,
    changes: kept.map(({ stored, wanted }, position) => ({ from: stored, to: { ...stored, ...wanted, position } })),
    added: created.map((filter, at) => ({ chargeId, filter, position: kept.length + at })),
  }));
  await removeFilters(tx, actor, removed);
  await changeFilters(
    tx,
    actor,
    placed.flatMap(({ changes }) => changes),
  );
  const added = placed.flatMap((one) => one.added);
  const stored = await addFilters(tx, actor, added);
  const ofCharge = filtersByCharge(stored);
  return new Map(
    placed.map(({ chargeId, changes }) => [
      chargeId,
      [...changes.map(({ to }) => to), ...(ofCharge.get(chargeId) ?? [])],
    ]),
  );
}
