import { notFound } from '../../../billing/errors.ts';
import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { lockByCode } from '../../../store/catalogue/code-lock.ts';
import { endPrivilegeValues, heldEntitled } from '../../../store/catalogue/feature-entitlement.ts';
import { deletePrivilege, readPrivileges } from '../../../store/catalogue/feature-privilege.ts';
import type { TenantClient } from '../../../store/database/tenant.ts';
import type { Written } from '../../changed.ts';
import { inTransaction } from '../../transaction.ts';

/** Deletes a privilege of a feature, with the values that plans and subscriptions have of it. Throws `object_not_found`. */
export function deleteFeaturePrivilege(
  db: TenantClient,
  actor: Actor,
  path: { readonly featureCode: string; readonly privilegeCode: string },
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const id = await lockByCode(tx, actor, 'feature', path.featureCode);
    const before = await readPrivileges(tx, id);
    if (!(await deletePrivilege(tx, actor, id, path.privilegeCode))) throw notFound('privilege');
    const { plans, subscriptions } = await heldEntitled(tx, actor, id);
    await endPrivilegeValues(tx, actor, id, path.privilegeCode);
    await tx.feature.update({ where: { id }, data: { updatedAt: actor.now }, select: { id: true } });
    const after = before.filter(({ code }) => code !== path.privilegeCode);
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'feature.updated', objectType: 'feature', objectId: id },
      before: { privileges: before },
      after: { privileges: after },
    });
    return { id, changed: { plans, subscriptions, auditLogs: [entry] } };
  });
}
