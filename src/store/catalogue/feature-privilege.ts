import type { KnownFeature } from '../../billing/catalogue/entitlement/entitlement.ts';
import type { Privilege } from '../../billing/catalogue/entitlement/privilege.ts';
import type { Actor } from '../access/audit.ts';
import { FILTER_ORDER } from '../database/row-order.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import { idsByCode } from './code-lock.ts';

const SELECT = { code: true, name: true, valueType: true, selectOptions: true } as const;

/** The privileges that a feature has, in the order in which they were given. */
const PRIVILEGES = { where: { deletedAt: null }, orderBy: FILTER_ORDER, select: SELECT } as const;

/** The privileges of a feature. */
export async function readPrivileges(tx: TenantTransaction, featureId: string): Promise<readonly Privilege[]> {
  const { where, ...rest } = PRIVILEGES;
  return tx.featurePrivilege.findMany({ where: { ...where, featureId }, ...rest });
}

/** Features by their codes, with their privileges. Until the transaction ends they are not changed. Throws `object_not_found` for one that is not there. */
export async function heldFeatures(
  tx: TenantTransaction,
  actor: Actor,
  codes: readonly string[],
): Promise<ReadonlyMap<string, KnownFeature>> {
  const ids = await idsByCode(tx, actor, 'feature', codes);
  if (ids.size === 0) return new Map();
  const rows = await tx.feature.findMany({
    where: { id: { in: [...ids.values()] } },
    select: { id: true, code: true, name: true, description: true, privileges: PRIVILEGES },
  });
  return new Map(rows.map((row) => [row.code, row]));
}

/** Stores the privileges of a feature that are new or differ. None of them goes. */
export async function savePrivileges(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  featureId: string,
  stored: readonly Privilege[],
  wanted: readonly Privilege[],
): Promise<void> {
  const known = new Map(stored.map((one) => [one.code, JSON.stringify(one)]));
  const place = new Map(wanted.map(({ code }, at) => [code, at]));
  const fresh = wanted.filter(({ code }) => !known.has(code));
  if (fresh.length > 0) {
    const stamps = { createdAt: now, updatedAt: now };
    const data = fresh.map(({ selectOptions, ...one }) => ({
      ...{ id: newId(now), organizationId, featureId, ...one, selectOptions: [...selectOptions] },
      ...{ position: place.get(one.code) ?? 0, ...stamps },
    }));
    await tx.featurePrivilege.createMany({ data });
  }
  for (const { code, name, selectOptions, valueType } of wanted) {
    const before = known.get(code);
    if (before === undefined || before === JSON.stringify({ code, name, valueType, selectOptions })) continue;
    const data = { name, selectOptions: [...selectOptions], updatedAt: now };
    await tx.featurePrivilege.updateMany({ where: { featureId, code, deletedAt: null }, data });
  }
}

/** Deletes a privilege of a feature. False where it has none of that code. */
export async function deletePrivilege(
  tx: TenantTransaction,
  { now }: Actor,
  featureId: string,
  code: string,
): Promise<boolean> {
  const data = { deletedAt: now, updatedAt: now };
  const { count } = await tx.featurePrivilege.updateMany({ where: { featureId, code, deletedAt: null }, data });
  return count > 0;
}
