import { cascadedFilter, filterForChild, isSameFilter, sameProperties } from '../../../billing/catalogue/cascade.ts';
import type { ChargeState } from '../../../billing/catalogue/charge-update.ts';
import type { FilterSync } from '../../../billing/catalogue/filter-sync.ts';
import type { Actor } from '../../../store/access/audit.ts';
import type { PlacedFilter } from '../../../store/catalogue/charge-row.ts';
import {
  addToCopies,
  copyMetrics,
  type FilterFollowing,
  type FilterForCopies,
  filterStates,
  followFilters,
} from '../../../store/catalogue/filter-copy.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';

/** A charge of a plan and what has become of its filters. */
interface ChangedFilters {
  readonly row: { readonly id: string };
  readonly after: Pick<ChargeState, 'model'>;
  readonly sync: FilterSync<PlacedFilter> | null;
}

type State = FilterFollowing['state'];

/** What becomes of filters in one state when those of the parent became others; nothing where they stay as they are. */
function following(state: State, { kept, removed }: FilterSync<PlacedFilter>): FilterFollowing[] {
  const isOf = (parent: PlacedFilter) => parent.canonical === state.canonical;
  const change = kept.find(({ stored }) => isOf(stored));
  if (change) {
    const own = { ...state, values: change.stored.values };
    const to = cascadedFilter(own, change.stored, change.wanted);
    const isNamed = to.invoiceDisplayName === state.invoiceDisplayName;
    return isNamed && sameProperties(to.properties, state.properties) ? [] : [{ state, to }];
  }
  const gone = removed.find(isOf);
  return gone && isSameFilter({ ...state, values: gone.values }, gone) ? [{ state, to: null }] : [];
}

/** The new filters for copies of one kind, as far as their metric knows the values, each once. */
function filtersFor(
  { declared, ...kind }: Awaited<ReturnType<typeof copyMetrics>>[number],
  { created }: FilterSync<PlacedFilter>,
): FilterForCopies[] {
  const known = created.flatMap((wanted) => filterForChild(wanted, declared) ?? []);
  const once = new Map(known.toReversed().map((filter) => [filter.canonical, filter]));
  return [...once.values()].toReversed().map((filter) => ({ ...kind, filter }));
}

/** Carries the changes of filters over to copies of their charges, of the same model; says which copies changed. */
export async function cascadeFilters(
  tx: TenantTransaction,
  actor: Actor,
  planIds: readonly string[],
  changed: readonly ChangedFilters[],
): Promise<readonly string[]> {
  const synced = new Map(changed.flatMap(({ row, after, sync }) => (sync ? [[row.id, { ...after, sync }]] : [])));
  const syncOf = ({ parentId, model }: Pick<State, 'parentId' | 'model'>) => {
    const one = synced.get(parentId);
    return one?.model === model ? one.sync : undefined;
  };
  const parentsOf = (isMeant: (sync: FilterSync<PlacedFilter>) => boolean) => ({
    parents: [...synced].filter(([, { sync }]) => isMeant(sync)).map(([id]) => id),
    planIds,
  });
  const old = parentsOf(({ kept, removed }) => kept.length + removed.length > 0);
  const states = await filterStates(tx, actor, old);
  const changes = states.flatMap((state) => {
    const sync = syncOf(state);
    return sync ? following(state, sync) : [];
  });
  const followed = await followFilters(tx, actor, old, changes);
  const grown = parentsOf(({ created }) => created.length > 0);
  const kinds = await copyMetrics(tx, actor, grown);
  const added = kinds.flatMap((kind) => {
    const sync = syncOf(kind);
    return sync ? filtersFor(kind, sync) : [];
  });
  return [...followed, ...(await addToCopies(tx, actor, grown, added))];
}
