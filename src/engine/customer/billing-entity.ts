import { forbidden } from '../../billing/errors.ts';
import { defaultNumberPrefix } from '../../billing/invoice/numbering.ts';
import { BILLING_ENTITY } from '../../billing/resource/billing-entity.ts';
import type { Actor } from '../../store/access/audit.ts';
import { addManagedTaxes } from '../../store/catalogue/managed-tax.ts';
import { lockRanks } from '../../store/customer/customer-lock.ts';
import { beginEntity } from '../../store/customer/entity-of-customer.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { UNIQUE_ENTITY_CODE } from '../../store/database/unique.ts';
import type { Changed } from '../changed.ts';
import { redateDrafts } from '../life/redate-drafts.ts';
import type { Stored, Subject } from '../resource/stored.ts';

/** Nobody else makes one meanwhile: of two at one moment the second is counted after the first. */
async function admit(tx: TenantTransaction, actor: Actor): Promise<void> {
  const most = 'mostBillingEntities' in actor ? actor.mostBillingEntities : undefined;
  if (most === undefined) return;
  await lockRanks(tx, actor);
  const active = await tx.billingEntity.count({ where: { archivedAt: null, deletedAt: null } });
  if (active >= most) throw forbidden('feature_unavailable');
}

type Entity = Subject<typeof BILLING_ENTITY.fields>;

async function saved(tx: TenantTransaction, actor: Actor, { id, values, before }: Entity): Promise<Changed> {
  if (values.euTaxManagement && !before?.euTaxManagement) await addManagedTaxes(tx, actor);
  if (before) return {};
  await beginEntity(tx, actor, id, defaultNumberPrefix({ name: values.name, id }));
  return {};
}

/** Billing entities. Their codes stay, and none is deleted. The first one is the default one. */
export const BILLING_ENTITIES: Stored<typeof BILLING_ENTITY.fields> = {
  resource: BILLING_ENTITY,
  model: 'BillingEntity',
  unique: UNIQUE_ENTITY_CODE,
  named: { deletedAt: null, archivedAt: null },
  admitted: admit,
  frozen: async () => ['code'],
  saved,
  followed: (stage, { id, before, values }) => redateDrafts(stage, { billingEntityId: id }, before, values),
  drafts: ({ id, before, values }) =>
    before && before.taxCodes.join() !== values?.taxCodes.join() ? { billingEntities: [id] } : {},
};
