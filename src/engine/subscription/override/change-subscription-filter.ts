import type { Actor } from '../../../store/access/audit.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import { UNIQUE_FILTER_VALUES, whereUnique } from '../../../store/database/unique.ts';
import { isUuid, readUuid } from '../../../store/database/uuid.ts';
import { flagDrafts } from '../../../store/invoice/draft-flag.ts';
import { changeFilter, endFilter, type FilterUpdate } from '../../catalogue/price/change-charge-filter.ts';
import { addFilter, type NewFilterInput } from '../../catalogue/price/create-charge-filter.ts';
import { allChanged, type Written } from '../../changed.ts';
import { inTransaction } from '../../transaction.ts';
import type { SubscriptionPricePath } from './change-subscription-price.ts';
import { ownPlan } from './own-plan.ts';

/** A filter of a charge of a subscription. */
export interface SubscriptionFilterPath extends SubscriptionPricePath {
  readonly svcId: string;
}

type Change = (tx: TenantTransaction, of: { readonly planId: string; readonly chargeCode: string }) => Promise<Written>;

/** Does a change of filters on the override of a subscription, which is made where there is none. */
const onOwnPlan = (
  db: TenantClient,
  actor: Actor,
  { externalId, status, code: chargeCode }: SubscriptionPricePath,
  change: Change,
): Promise<Written> =>
  whereUnique([UNIQUE_FILTER_VALUES], () =>
    inTransaction(db, actor, async (tx) => {
      const own = await ownPlan(tx, actor, { externalId, status });
      const { id, changed } = await change(tx, { planId: own.planId, chargeCode });
      const invoices = await flagDrafts(tx, actor, { plans: [own.planId] });
      return { id, changed: allChanged([own.changed, changed, { invoices }]) };
    }),
  );

/** What the override calls the filter that is named: one of its own, or the copy of one of its plan, which shows the same values. */
async function ownFilter(tx: TenantTransaction, planId: string, chargeCode: string, svcId: string): Promise<string> {
  const charge = { planId, code: chargeCode, deletedAt: null };
  const id = readUuid(svcId);
  const named = await tx.chargeFilter.findFirst({
    where: { id: { in: isUuid(id) ? [id] : [] }, charge: { children: { some: charge } } },
    select: { canonicalValues: true },
  });
  if (!named) return svcId;
  const where = { canonicalValues: named.canonicalValues, charge, deletedAt: null };
  const copy = await tx.chargeFilter.findFirst({ where, select: { id: true } });
  return copy?.id ?? svcId;
}

/** Adds a filter to a charge of a subscription. Throws `object_not_found` and a validation error. */
export const createSubscriptionChargeFilter = (
  db: TenantClient,
  actor: Actor,
  path: SubscriptionPricePath,
  input: Omit<NewFilterInput, 'cascadeUpdates'>,
): Promise<Written> => onOwnPlan(db, actor, path, (tx, of) => addFilter(tx, actor, of, input));

/** Changes the name and the prices of a filter of a subscription; its values stay. Throws `object_not_found` and a validation error. */
export const updateSubscriptionChargeFilter = (
  db: TenantClient,
  actor: Actor,
  { svcId, ...path }: SubscriptionFilterPath,
  change: Omit<FilterUpdate, 'cascadeUpdates'>,
): Promise<Written> =>
  onOwnPlan(db, actor, path, async (tx, of) => {
    const own = await ownFilter(tx, of.planId, of.chargeCode, svcId);
    return changeFilter(tx, actor, { ...of, svcId: own }, change);
  });

/** Ends a filter of a subscription. Throws `object_not_found`. */
export const destroySubscriptionChargeFilter = (
  db: TenantClient,
  actor: Actor,
  { svcId, ...path }: SubscriptionFilterPath,
): Promise<Written> =>
  onOwnPlan(db, actor, path, async (tx, of) => {
    const own = await ownFilter(tx, of.planId, of.chargeCode, svcId);
    return endFilter(tx, actor, { ...of, svcId: own }, {});
  });
