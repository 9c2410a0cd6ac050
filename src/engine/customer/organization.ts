import { BILLING_ENTITY } from '../../billing/resource/billing-entity.ts';
import type { Sent } from '../../billing/resource/field.ts';
import { ORGANIZATION } from '../../billing/resource/organization.ts';
import { changedValues, differences } from '../../billing/resource/resource.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { lockByCode } from '../../store/catalogue/code-lock.ts';
import { lockRanks } from '../../store/customer/customer-lock.ts';
import { defaultEntity } from '../../store/customer/entity-of-customer.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import type { Prisma } from '../../store/generated/prisma/client.ts';
import { allChanged, type Changed, type Written } from '../changed.ts';
import { readValues, writtenData } from '../resource/row.ts';
import { inTransaction } from '../transaction.ts';
import { BILLING_ENTITIES } from './billing-entity.ts';

type Members = Readonly<Record<string, unknown>>;

async function logged(
  tx: TenantTransaction,
  actor: Actor,
  [objectType, objectId]: readonly [string, string],
  before: Members,
  after: Members,
): Promise<string[]> {
  if (Object.keys(after).length === 0) return [];
  return [await recordAudit(tx, { actor, action: `${objectType}.updated`, objectType, objectId, before, after })];
}

/**
 * Changes the organization: what it says of itself is its default billing entity's, which changes in the same transaction, and is made where
 * there is none. What is sent already changes nothing and is not logged. Throws one validation error that names all that is wrong.
 */
export function updateOrganization(
  db: TenantClient,
  actor: Actor,
  sent: Sent<typeof ORGANIZATION.fields>,
): Promise<Written> {
  const { organizationId: id, now } = actor;
  return inTransaction(db, actor, async (tx) => {
    await lockRanks(tx, actor);
    const { id: entityId, code } = await defaultEntity(tx, actor);
    await lockByCode(tx, actor, 'billing_entity', code);
    const { webhookUrl } = await tx.organization.findUniqueOrThrow({ where: { id }, select: { webhookUrl: true } });
    const entity = await readValues(tx, BILLING_ENTITIES, entityId);
    const before = { ...entity, webhookUrl };
    const values = changedValues(ORGANIZATION, before, sent);
    const { webhookUrl: address, ...ofEntity } = differences(before, values);
    const isAddressed = 'webhookUrl' in differences(before, values);
    const own = isAddressed ? { webhookUrl: address as string | null } : {};
    let changed: Changed = {};
    if (Object.keys(ofEntity).length > 0) {
      const data = await writtenData(tx, actor, BILLING_ENTITIES, ofEntity, 'set');
      await tx.billingEntity.update({
        where: { id: entityId },
        // The members are those of the columns, which their kinds cannot tell the compiler.
        data: { ...data, updatedAt: now } as Prisma.BillingEntityUncheckedUpdateInput,
        select: { id: true },
      });
      const after = { ...entity, ...ofEntity } as typeof entity;
      const subject = { id: entityId, values: after, before: entity, sent: {} };
      changed = allChanged([
        (await BILLING_ENTITIES.saved?.(tx, actor, subject)) ?? {},
        (await BILLING_ENTITIES.followed?.({ db, tx, actor }, subject, {})) ?? {},
      ]);
    }
    if (isAddressed)
      await tx.organization.update({ where: { id }, data: { ...own, updatedAt: now }, select: { id: true } });
    const auditLogs = [
      ...(await logged(
        tx,
        actor,
        [BILLING_ENTITY.name, entityId],
        differences({ ...before, ...ofEntity }, before),
        ofEntity,
      )),
      ...(await logged(tx, actor, ['organization', id], isAddressed ? { webhookUrl } : {}, own)),
    ];
    return { id, changed: allChanged([changed, { auditLogs }]) };
  });
}
