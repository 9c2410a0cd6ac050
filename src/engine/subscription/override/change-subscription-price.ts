import { notFound } from '../../../billing/errors.ts';
import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { idsByCode } from '../../../store/catalogue/code-lock.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import { UNIQUE_FILTER_VALUES, whereUnique } from '../../../store/database/unique.ts';
import { flagDrafts } from '../../../store/invoice/draft-flag.ts';
import type { SubscriptionPath } from '../../../store/subscription/subscription-entitlement.ts';
import { allChanged, type Written } from '../../changed.ts';
import { inTransaction } from '../../transaction.ts';
import {
  type ChargeOverride,
  chargeEdit,
  chargesOf,
  type FixedChargeOverride,
  fixedChargeEdit,
  fixedChargesOf,
} from './override-price.ts';
import { ownPlan } from './own-plan.ts';
import { type SavedPrices, saveCharges, saveFixedCharges } from './save-override.ts';

/** A price of a subscription, by its code on the plan. */
export interface SubscriptionPricePath extends SubscriptionPath {
  readonly code: string;
}

interface Options {
  /** Whether what cannot change is refused where it would; else it is left as it is without a word. */
  readonly refusesIgnored?: boolean;
}

type Own = Awaited<ReturnType<typeof ownPlan>>;

/** Logs a changed price and marks drafts that are made of it. */
async function written(
  tx: TenantTransaction,
  actor: Actor,
  kind: 'charge' | 'fixed_charge',
  id: string,
  { planId, changed }: Own,
  { changed: saved, before: [before], after: [after] }: SavedPrices,
): Promise<Written> {
  const invoices = await flagDrafts(tx, actor, { plans: [planId] });
  const told = { actor, action: `${kind}.updated`, objectType: kind, objectId: id, before, after };
  const auditLogs = after === undefined ? [] : [await recordAudit(tx, told)];
  return { id, changed: allChanged([changed, saved, { invoices, auditLogs }]) };
}

const named = <Row extends { readonly code: string }>(rows: readonly Row[], code: string, kind: string): Row => {
  const row = rows.find((one) => one.code === code);
  if (!row) throw notFound(kind);
  return row;
};

/**
 * Gives a subscription another price of a charge: on its override, which is made where there is none. Throws `object_not_found`, and one
 * validation error; nothing is made then.
 */
export const updateSubscriptionCharge = (
  db: TenantClient,
  actor: Actor,
  { code, ...path }: SubscriptionPricePath,
  { refusesIgnored = false, ...sent }: ChargeOverride & Options,
): Promise<Written> =>
  whereUnique([UNIQUE_FILTER_VALUES], () =>
    inTransaction(db, actor, async (tx) => {
      const own = await ownPlan(tx, actor, path);
      const row = named(await chargesOf(tx, own.planId), code, 'charge');
      const change = chargeEdit(row, sent, refusesIgnored).read();
      const taxes = await idsByCode(tx, actor, 'tax', sent.taxCodes ?? []);
      return written(tx, actor, 'charge', row.id, own, await saveCharges(tx, actor, [change], taxes));
    }),
  );

/** The same of a fixed charge. Other units count from the next period, or at once, and are then invoiced where they are paid in advance. */
export const updateSubscriptionFixedCharge = (
  db: TenantClient,
  actor: Actor,
  { code, ...path }: SubscriptionPricePath,
  { refusesIgnored = false, ...sent }: FixedChargeOverride & Options,
): Promise<Written> =>
  inTransaction(db, actor, async (tx) => {
    const own = await ownPlan(tx, actor, path);
    const row = named(await fixedChargesOf(tx, own.planId), code, 'fixed_charge');
    const change = fixedChargeEdit(row, sent, refusesIgnored).read();
    const taxes = await idsByCode(tx, actor, 'tax', sent.taxCodes ?? []);
    const saved = await saveFixedCharges(tx, actor, own.planId, [change], taxes);
    return written(tx, actor, 'fixed_charge', row.id, own, saved);
  });
