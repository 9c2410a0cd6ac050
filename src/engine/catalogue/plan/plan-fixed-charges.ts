import { dec } from '../../../billing/money/decimal.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { FIXED_CHARGE_COLUMNS, fixedChargeState } from '../../../store/catalogue/fixed-charge-row.ts';
import { OLDEST_FIRST } from '../../../store/database/row-order.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import type { FixedChargeChanges, MadeFixedCharge } from '../price/cascade-fixed-charge.ts';
import type { Bounds } from '../price/charge-change.ts';
import {
  type ChangedFixedCharge,
  changedFixedCharge,
  type FixedChargeChange,
  isFixedUnchanged,
  type MovedUnits,
  moveUnits,
  saveChangedFixedCharges,
} from '../price/fixed-charge-change.ts';
import { type FixedChargeSent, lookUpFixedCharges, saveNewFixedCharges } from '../price/new-price.ts';
import { type PricesWrite, pricesWrite } from './plan-price.ts';

/** What a caller says of a fixed charge in the list of its plan: of one that there is with its identifier, else of a new one. */
export type ListedFixedCharge = FixedChargeSent & FixedChargeChange & { readonly id?: string | null };

const movedUnits = ({ row, before, after, immediately }: ChangedFixedCharge): MovedUnits => ({
  ...{ fixedCharge: row, before: before.units, after: after.units, immediately },
});

const firstUnits = ({ charge, immediately, ...row }: MadeFixedCharge): MovedUnits => ({
  fixedCharge: { ...row, payInAdvance: charge.payInAdvance },
  ...{ before: dec(0), after: charge.units, immediately },
});

/** Reads the whole list of a plan's fixed charges, as that of charges. Throws `object_not_found` for an add-on that is not there. */
export async function readFixedCharges(
  tx: TenantTransaction,
  actor: Actor,
  sent: readonly ListedFixedCharge[],
  planId: string | undefined,
  bounds: Bounds,
): Promise<PricesWrite<FixedChargeChanges>> {
  const where = { planId: planId ?? '', deletedAt: null };
  const rows = planId
    ? await tx.fixedCharge.findMany({ where, select: FIXED_CHARGE_COLUMNS, orderBy: OLDEST_FIRST })
    : [];
  const known = await lookUpFixedCharges(tx, actor, sent);
  return pricesWrite(tx, actor, {
    ...{ kind: 'fixed_charge', list: 'fixedCharges', rows, sent },
    edit: (row, change) => changedFixedCharge(row, change, bounds),
    ...{ fit: known.read, isUnchanged: isFixedUnchanged },
    saveChanged: (changes, taxes) => saveChangedFixedCharges(tx, actor, changes, taxes),
    saveNew: (id, fitting, taxes) => saveNewFixedCharges(tx, actor, id, fitting, taxes),
    recordOf: (row) => ({
      ...{ id: row.id, ...fixedChargeState(row), taxCodes: row.taxes.map(({ code }) => code) },
    }),
    // A plan that is new has no subscriptions, whose units could become others.
    follow: async (changed, stored) =>
      planId === undefined ? {} : moveUnits(tx, actor, [...changed.map(movedUnits), ...stored.map(firstUnits)]),
  });
}
