import { cascadedCharge, sameProperties } from '../../../billing/catalogue/cascade.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { copyFilters } from '../../../store/catalogue/filter-copy.ts';
import { removePrices } from '../../../store/catalogue/price-change.ts';
import { copiesOf, copyPrices, copyStates, followPrices } from '../../../store/catalogue/price-copy.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import { followCodes, wantedCopies } from './cascade-code.ts';
import { cascadeFilters } from './cascade-filter.ts';
import type { ChangedCharge } from './charge-change.ts';

/** A new charge of a plan, of which copies are made. */
export interface MadeCharge {
  readonly id: string;
  readonly charge: { readonly code: string };
}

/** A charge of a plan that has changed. */
type Changed = Pick<ChangedCharge, 'before' | 'after' | 'sync'> & { readonly row: { readonly id: string } };

/** What has become of the charges of a plan. */
export interface ChargeChanges {
  readonly changed?: readonly Changed[];
  readonly created?: readonly MadeCharge[];
  readonly removed?: readonly string[];
}

/** Prices that follow; says which copies changed. */
async function cascadeProperties(
  tx: TenantTransaction,
  actor: Actor,
  planIds: readonly string[],
  changed: readonly Changed[],
): Promise<readonly string[]> {
  const changeOf = new Map(changed.map((one) => [one.row.id, one]));
  const of = { parents: [...changeOf.keys()], planIds };
  const states = await copyStates(tx, actor, 'charge', of);
  const following = states.flatMap((state) => {
    const change = changeOf.get(state.parentId);
    if (!change) return [];
    const { model, properties } = state;
    const next = cascadedCharge({ code: change.before.code, model, properties }, change.before, change.after);
    return sameProperties(next.properties, properties) ? [] : [{ state, properties: next.properties }];
  });
  return (await followPrices(tx, actor, 'charge', of, following)).map(({ id }) => id);
}

/**
 * Carries what has become of the charges of a plan and their filters over to locked overrides: what still was the parent's follows, new
 * charges are copied, and copies of what is gone go. Says which copies changed. What copies have in common is decided once: statements
 * and rules depend neither on how many overrides there are nor on how many charges and filters.
 */
export async function cascadeCharges(
  tx: TenantTransaction,
  actor: Actor,
  overrides: readonly string[],
  { changed = [], created = [], removed = [] }: ChargeChanges,
): Promise<string[]> {
  if (overrides.length === 0) return [];
  const gone = await copiesOf(tx, actor, 'charge', { parents: removed, planIds: overrides });
  const ended = await removePrices(tx, actor, 'charge', gone);
  const followed = await cascadeProperties(tx, actor, overrides, changed);
  const recoded = await followCodes(tx, actor, 'charge', overrides, changed);
  const filtered = await cascadeFilters(tx, actor, overrides, changed);
  const wanted = await wantedCopies(tx, actor, 'charge', overrides, created);
  const made = await copyPrices(tx, actor, 'charge', wanted);
  await copyFilters(tx, actor, made);
  return [...new Set([...ended, ...followed, ...recoded, ...filtered, ...made])];
}
