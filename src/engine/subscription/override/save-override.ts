import type { Actor } from '../../../store/access/audit.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import { type ChangedCharge, isUnchanged, saveChangedCharges } from '../../catalogue/price/charge-change.ts';
import {
  type ChangedFixedCharge,
  isFixedUnchanged,
  saveChangedFixedCharges,
} from '../../catalogue/price/fixed-charge-change.ts';
import { allChanged, type Changed } from '../../changed.ts';
import { issueUnitsOf } from '../../invoice/issue-units.ts';
import { recordUnits } from '../../invoice/record-units.ts';

type TaxIds = ReadonlyMap<string, string>;

/** What was stored of overridden prices, and what the log keeps of them. */
export interface SavedPrices {
  readonly changed: Changed;
  readonly before: readonly object[];
  readonly after: readonly object[];
}

function listed<Change extends { readonly row: { readonly id: string } }>(
  changes: readonly Change[],
  records: readonly { readonly before: object; readonly after: object }[],
) {
  const of = (side: 'before' | 'after') => changes.map(({ row }, at) => ({ id: row.id, ...records[at]?.[side] }));
  return { before: of('before'), after: of('after') };
}

/** Stores the charges of an override that change. `taxes` are identifiers by code. */
export async function saveCharges(
  tx: TenantTransaction,
  actor: Actor,
  changes: readonly ChangedCharge[],
  taxes: TaxIds,
): Promise<SavedPrices> {
  const changed = changes.filter((one) => !isUnchanged(one));
  const records = await saveChangedCharges(tx, actor, changed, taxes);
  return { changed: { charges: changed.map(({ row }) => row.id) }, ...listed(changed, records) };
}

/**
 * Stores the fixed charges of an override that change, and other units in the history of its subscription where that runs. Units that
 * count at once are invoiced at once where they are paid in advance, those of one change together; the same units again make a fee of 0.
 */
export async function saveFixedCharges(
  tx: TenantTransaction,
  actor: Actor,
  planId: string,
  changes: readonly ChangedFixedCharge[],
  taxes: TaxIds,
): Promise<SavedPrices> {
  const changed = changes.filter((one) => !isFixedUnchanged(one));
  const records = await saveChangedFixedCharges(tx, actor, changed, taxes);
  const moved = changes.filter(({ before, after, immediately }) => immediately || !before.units.eq(after.units));
  const units = await recordUnits(
    tx,
    actor,
    moved.map(({ row, before, after, immediately }) => ({
      ...{ fixedCharge: row, before: before.units, after: after.units, immediately },
    })),
  );
  const atOnce = moved.filter(({ row, immediately }) => immediately && row.payInAdvance);
  const ids = atOnce.map(({ row }) => row.id);
  const issued = ids.length === 0 ? {} : await issueUnitsOf(tx, actor, { planId, ids });
  const fixedCharges = { fixedCharges: changed.map(({ row }) => row.id) };
  return { changed: allChanged([fixedCharges, units, issued]), ...listed(changed, records) };
}
