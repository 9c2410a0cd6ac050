import { cascadedFixedCharge, sameProperties } from '../../../billing/catalogue/cascade.ts';
import type { FixedChargeState } from '../../../billing/catalogue/fixed-charge-update.ts';
import { dec } from '../../../billing/money/decimal.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { removePrices } from '../../../store/catalogue/price-change.ts';
import { copiesOf, copyPrices, copyStates, followPrices } from '../../../store/catalogue/price-copy.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import { allChanged, type Changed } from '../../changed.ts';
import { recordUnits, type UnitsChange } from '../../invoice/record-units.ts';
import { followCodes, wantedCopies } from './cascade-code.ts';
import type { ChangedFixedCharge } from './fixed-charge-change.ts';

/** A new fixed charge of a plan, of which copies are made. */
export interface MadeFixedCharge {
  readonly id: string;
  readonly planId: string;
  readonly charge: FixedChargeState;
}

/** What has become of the fixed charges of a plan. */
export interface FixedChargeChanges {
  readonly changed?: readonly ChangedFixedCharge[];
  readonly created?: readonly MadeFixedCharge[];
  readonly removed?: readonly string[];
}

/** Prices and units that follow; says which copies changed, and which units. */
async function cascadePrices(
  tx: TenantTransaction,
  actor: Actor,
  planIds: readonly string[],
  changed: readonly ChangedFixedCharge[],
) {
  const changeOf = new Map(changed.map((one) => [one.row.id, one]));
  const of = { parents: [...changeOf.keys()], planIds };
  const states = await copyStates(tx, actor, 'fixed_charge', of);
  const following = states.flatMap((state) => {
    const change = changeOf.get(state.parentId);
    if (!change) return [];
    const { model, properties } = state;
    const old = { code: change.before.code, model, properties, units: dec(state.units ?? 0) };
    const next = cascadedFixedCharge(old, change.before, change.after);
    if (next.units.eq(old.units) && sameProperties(next.properties, properties)) return [];
    return [{ state, properties: next.properties, units: next.units, before: old.units }];
  });
  const copies = await followPrices(tx, actor, 'fixed_charge', of, following);
  const units = copies.flatMap(({ at, ...fixedCharge }): UnitsChange[] => {
    const { before, units: after } = following[at] ?? {};
    if (!before || !after || before.eq(after)) return [];
    return [{ fixedCharge, before, after, immediately: false }];
  });
  return { ids: copies.map(({ id }) => id), units };
}

/** Copies of new fixed charges; says which they are, and their units. */
async function makeCopies(
  tx: TenantTransaction,
  actor: Actor,
  planIds: readonly string[],
  created: readonly MadeFixedCharge[],
) {
  const wanted = await wantedCopies(tx, actor, 'fixed_charge', planIds, created);
  const ids = await copyPrices(tx, actor, 'fixed_charge', wanted);
  const unitsOf = new Map(created.map(({ id, charge }) => [id, charge.units]));
  const units = ids.flatMap((id, at): UnitsChange[] => {
    const { planId, parentId = '' } = wanted[at] ?? {};
    const after = unitsOf.get(parentId);
    if (planId === undefined || !after || after.eq(0)) return [];
    return [{ fixedCharge: { id, planId }, before: dec(0), after, immediately: false }];
  });
  return { ids, units };
}

/**
 * Carries what has become of the fixed charges of a plan over to locked overrides, as those of charges. Their units change with the
 * next period, whatever was asked for the parent's; those of a new one begin with it.
 */
export async function cascadeFixedCharges(
  tx: TenantTransaction,
  actor: Actor,
  overrides: readonly string[],
  { changed = [], created = [], removed = [] }: FixedChargeChanges,
): Promise<Changed> {
  if (overrides.length === 0) return {};
  const gone = await copiesOf(tx, actor, 'fixed_charge', { parents: removed, planIds: overrides });
  const ended = await removePrices(tx, actor, 'fixed_charge', gone);
  const followed = await cascadePrices(tx, actor, overrides, changed);
  const recoded = await followCodes(tx, actor, 'fixed_charge', overrides, changed);
  const made = await makeCopies(tx, actor, overrides, created);
  const units = await recordUnits(tx, actor, [...followed.units, ...made.units]);
  return allChanged([{ fixedCharges: [...ended, ...followed.ids, ...recoded, ...made.ids] }, units]);
}
