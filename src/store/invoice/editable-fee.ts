import { notFound } from '../../billing/errors.ts';
import type { PlacedEdit } from '../../billing/fee/edited-fee.ts';
import type { InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import type { EditableFee } from '../../billing/invoice/edited-draft.ts';
import type { GroupedBy } from '../../billing/usage/grouped-by.ts';
import { storedEdit } from '../account/fee-row.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { isUuid } from '../database/uuid.ts';

/** A fee of a draft that may be changed by hand: which one it is, and what was changed of it. */
export type EditableRow = Omit<EditableFee, 'type' | 'isEdited'> & {
  readonly place: PlacedEdit['place'];
  readonly edit: InvoiceFee['edit'];
};

/** A price of a subscription, by identifiers; of a filter together with its charge. */
export interface NamedPrice {
  readonly svcSubscriptionId?: string | null | undefined;
  readonly svcChargeId?: string | null | undefined;
  readonly svcChargeFilterId?: string | null | undefined;
  readonly svcFixedChargeId?: string | null | undefined;
}

const PRICE = { select: { chargeModel: true, prorated: true } } as const;

/** A fee of an invoice; null where it has none of this identifier. */
export async function editableFee(
  tx: TenantTransaction,
  invoiceId: string,
  svcId: string,
): Promise<EditableRow | null> {
  if (!isUuid(svcId)) return null;
  const row = await tx.fee.findFirst({
    where: { id: svcId, invoiceId, deletedAt: null },
    include: { charge: PRICE, fixedCharge: PRICE },
  });
  if (!row) return null;
  const price = row.charge ?? row.fixedCharge;
  return {
    place: {
      ...{
        subscriptionId: row.subscriptionId,
        type: row.feeType,
        chargeId: row.chargeId,
        filterId: row.chargeFilterId,
      },
      ...{ fixedChargeId: row.fixedChargeId, groupedBy: row.groupedBy as GroupedBy },
    },
    edit: storedEdit(row),
    isTrueUp: row.trueUpParentFeeId !== null,
    ...{ model: price?.chargeModel ?? null, prorated: price?.prorated ?? false },
  };
}

/** The fee that a draft has at a place; undefined without one. */
export async function feeAt(
  tx: TenantTransaction,
  invoiceId: string,
  { type: feeType, subscriptionId, chargeId, filterId: chargeFilterId, fixedChargeId, groupedBy }: EditableRow['place'],
): Promise<string | undefined> {
  const row = await tx.fee.findFirst({
    where: {
      ...{ invoiceId, deletedAt: null, trueUpParentFeeId: null, feeType, subscriptionId, chargeId, chargeFilterId },
      ...{ fixedChargeId, groupedBy: { equals: groupedBy } },
      OR: [{ adjustedUnits: { not: null } }, { adjustedInvoiceDisplayName: { not: null } }],
    },
    select: { id: true },
  });
  return row?.id;
}

/**
 * The fee that a draft has, or would have, of a price of a subscription that it bills. Null where nothing is named. Throws `object_not_found`
 * for what the subscription's plan does not have.
 */
export async function editablePrice(
  tx: TenantTransaction,
  invoiceId: string,
  { svcSubscriptionId, svcChargeId, svcChargeFilterId, svcFixedChargeId }: NamedPrice,
): Promise<EditableRow | null> {
  if (!svcSubscriptionId || (!svcChargeId && !svcFixedChargeId)) return null;
  const period = await tx.billingPeriod.findFirst({
    where: { invoiceId, subscriptionId: svcSubscriptionId },
    select: { subscription: { select: { id: true, planId: true } } },
  });
  if (!period) throw notFound('subscription');
  const { id: subscriptionId, planId } = period.subscription;
  const where = { id: svcChargeId ?? svcFixedChargeId ?? '', planId, deletedAt: null };
  const charge = svcChargeId ? await tx.charge.findFirst({ where, ...PRICE }) : null;
  const price = charge ?? (svcFixedChargeId ? await tx.fixedCharge.findFirst({ where, ...PRICE }) : null);
  if (!price) throw notFound(svcChargeId ? 'charge' : 'fixed_charge');
  if (svcChargeFilterId) {
    const ofCharge = { id: svcChargeFilterId, chargeId: where.id, deletedAt: null };
    if (!(await tx.chargeFilter.findFirst({ where: ofCharge, select: { id: true } }))) throw notFound('charge_filter');
  }
  const place = {
    ...{ subscriptionId, type: charge ? ('charge' as const) : ('fixed_charge' as const) },
    ...{ chargeId: svcChargeId ?? null, filterId: svcChargeFilterId ?? null, groupedBy: {} },
    fixedChargeId: charge ? null : (svcFixedChargeId ?? null),
  };
  const there = await feeAt(tx, invoiceId, place);
  const known = there ? await editableFee(tx, invoiceId, there) : null;
  return { place, edit: known?.edit ?? null, isTrueUp: false, model: price.chargeModel, prorated: price.prorated };
}
