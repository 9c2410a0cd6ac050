import { cascadedFixedCharge, sameProperties } from '../../../billing/catalogue/cascade.ts';
import type { FixedChargeState } from '../../../billing/catalogue/fixed-charge-update.ts';
import { dec } from '../../../billing/money/decimal.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { removePrices } from '../../../store/catalogue/price-change.ts';
import { copiesOf, copyPrices, copyStates, followPrices } from '../../../store/catalogue/price-copy.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import { allChanged, type Changed } from '../../changed.ts';
import { followCodes, wantedCopies } from './cascade-code.ts';
import { type ChangedFixedCharge, type MovedUnits, moveUnits } from './fixed-charge-change.ts';

/** A new fixed charge of a plan, of which copies are made. */
export interface MadeFixedCharge {
  readonly id: string;
  readonly planId: string;
  readonly charge: FixedChargeState;
  /** Whether its units count at once. */
  readonly immediately: boolean;
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
    const { immediately, row } = change;
    const moved = { before: old.units, after: next.units, immediately, payInAdvance: row.payInAdvance };
    return [{ state, properties: next.properties, units: next.units, moved }];
  });
  const copies = await followPrices(tx, actor, 'fixed_charge', of, following);
  const units = copies.flatMap(({ at, ...copy }): MovedUnits[] => {
    const moved = following[at]?.moved;
    if (!moved) return [];
    const { payInAdvance, ...change } = moved;
    return [{ ...change, fixedCharge: { ...copy, payInAdvance } }];
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
  const parents = new Map(created.map((one) => [one.id, one]));
  const units = ids.flatMap((id, at): MovedUnits[] => {
    const { planId, parentId = '' } = wanted[at] ?? {};
    const parent = parents.get(parentId);
    if (planId === undefined || !parent) return [];
    const { charge, immediately } = parent;
    const fixedCharge = { id, planId, payInAdvance: charge.payInAdvance };
    return [{ fixedCharge, before: dec(0), after: charge.units, immediately }];
  });
  return { ids, units };
}

/**
 * Carries what has become of the fixed charges of a plan over to locked overrides, as those of charges. `atOnce`: units that count at once count
 * so there too, as they do where a whole plan is written; else they change with the next period, whatever was asked for the parent's, and
 * those of a new one begin with it.
 */
export async function cascadeFixedCharges(
  tx: TenantTransaction,
  actor: Actor,
  overrides: readonly string[],
  { changed = [], created = [], removed = [] }: FixedChargeChanges,
  { atOnce = false } = {},
): Promise<Changed> {
  if (overrides.length === 0) return {};
  const gone = await copiesOf(tx, actor, 'fixed_charge', { parents: removed, planIds: overrides });
  const ended = await removePrices(tx, actor, 'fixed_charge', gone);
  const followed = await cascadePrices(tx, actor, overrides, changed);
  const recoded = await followCodes(tx, actor, 'fixed_charge', overrides, changed);
  const made = await makeCopies(tx, actor, overrides, created);
  const moved = [...followed.units, ...made.units];
  const timed = moved.map((one) => ({ ...one, immediately: atOnce && one.immediately }));
  const units = await moveUnits(tx, actor, timed);
  return allChanged([{ fixedCharges: [...ended, ...followed.ids, ...recoded, ...made.ids] }, units]);
}
