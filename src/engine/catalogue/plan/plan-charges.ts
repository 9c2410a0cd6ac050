import type { Actor } from '../../../store/access/audit.ts';
import { CHARGE_COLUMNS, chargeRecord, chargeState, filterState } from '../../../store/catalogue/charge-row.ts';
import { OLDEST_FIRST } from '../../../store/database/row-order.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import type { ChargeChanges } from '../price/cascade-charge.ts';
import {
  type Bounds,
  type ChargeChange,
  changedCharge,
  isUnchanged,
  saveChangedCharges,
} from '../price/charge-change.ts';
import { type ChargeSent, lookUpCharges, saveNewCharges } from '../price/new-price.ts';
import { type PricesWrite, pricesWrite } from './plan-price.ts';

/** What a caller says of a charge in the list of its plan: of one that there is with its identifier, else of a new one. */
export type ListedCharge = ChargeSent & ChargeChange & { readonly id?: string | null };

/**
 * Reads the whole list of a plan's charges, and says how it is stored. `planId` is undefined of a new plan. Throws `object_not_found` for a
 * metric that is not there.
 */
export async function readCharges(
  tx: TenantTransaction,
  actor: Actor,
  sent: readonly ListedCharge[],
  planId: string | undefined,
  bounds: Bounds,
): Promise<PricesWrite<ChargeChanges>> {
  const where = { planId: planId ?? '', deletedAt: null };
  const rows = planId ? await tx.charge.findMany({ where, select: CHARGE_COLUMNS, orderBy: OLDEST_FIRST }) : [];
  const known = await lookUpCharges(tx, actor, sent);
  return pricesWrite(tx, actor, {
    ...{ kind: 'charge', list: 'charges', rows, sent },
    edit: (row, change) => {
      const named = known.metricOf(change);
      const metric = bounds.attached ? undefined : named;
      return changedCharge({ row, change: { ...change, billableMetricId: named?.id ?? null }, metric }, bounds);
    },
    ...{ fit: known.read, isUnchanged },
    saveChanged: (changes, taxes) => saveChangedCharges(tx, actor, changes, taxes),
    saveNew: (id, fitting, taxes) => saveNewCharges(tx, actor, id, fitting, taxes),
    recordOf: (row) => {
      const taxCodes = row.taxes.map(({ code }) => code);
      return { id: row.id, ...chargeRecord(chargeState(row), taxCodes, row.filters.map(filterState)) };
    },
  });
}
