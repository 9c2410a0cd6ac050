import type { Draft } from '../document/draft.ts';
import type { Shape } from '../document/shape.ts';
import { contentIdentifier, isDead, type Keyed, keyOf, knownIds, livingKeyOf, storedByKey } from './row-key.ts';
import type { Run } from './run.ts';

const momentOf = ({ row }: Draft): number => Date.parse(String(row.deleted_at));

function take(shape: Shape, draft: Draft, id: string, run: Run): void {
  draft.id = id;
  draft.isNew = false;
  run.claims.add(shape.table, id);
}

/** The row that died at that moment: the one made from this very entry, where there are several. */
function diedThen(shape: Shape, draft: Draft, rows: readonly Keyed[], run: Run): string | undefined {
  const same = rows.filter(({ id, deletedAt }) => deletedAt === momentOf(draft) && !run.claims.has(shape.table, id));
  const own = same.length > 1 ? contentIdentifier(shape, draft, run) : undefined;
  return (same.find(({ id }) => id === own) ?? same[0])?.id;
}

/**
 * Deletions by key: the row that died then, so that a repeated import changes nothing, else the living row, unless the same
 * batch says that it lives. What a deletion has taken is taken out of `living`: its key is free.
 */
export async function matchDeadByKey(
  shape: Shape,
  drafts: readonly Draft[],
  living: Map<string, Keyed[]>,
  run: Run,
): Promise<void> {
  const deletions = drafts.filter((draft) => !draft.id && isDead(shape, draft) && keyOf(shape, draft) !== undefined);
  if (deletions.length === 0) return;
  const dead = await storedByKey(shape, deletions, run, 'dead');
  const kept = new Set(drafts.flatMap((draft) => (draft.id ? [] : (livingKeyOf(shape, draft) ?? []))));
  for (const draft of deletions) {
    const key = keyOf(shape, draft) ?? '';
    const died = diedThen(shape, draft, dead.get(key) ?? [], run);
    const rows = kept.has(key) ? [] : (living.get(key) ?? []);
    const id = died ?? rows.find((row) => !run.claims.has(shape.table, row.id))?.id;
    if (id === undefined) continue;
    take(shape, draft, id, run);
    if (id === died) continue;
    draft.freesKey = true;
    living.set(
      key,
      rows.filter((row) => row.id !== id),
    );
  }
}

/** Deletions that no key names: the row made from this very entry, else the one made from it while it lived. */
export async function matchDeadByContent(shape: Shape, drafts: readonly Draft[], run: Run): Promise<void> {
  const identifiersOf = (draft: Draft) => {
    const { deleted_at: _moment, ...alive } = draft.item;
    const items =
      keyOf(shape, draft) === undefined ? [draft.item, alive, { ...alive, deleted_at: null }] : [draft.item];
    return items.map((item) => contentIdentifier(shape, draft, run, item));
  };
  const known = await knownIds(shape, drafts.flatMap(identifiersOf), run);
  for (const draft of drafts) {
    const [own = '', ...others] = identifiersOf(draft);
    const id = known.has(own) ? own : (others.find((other) => known.has(other)) ?? own);
    take(shape, draft, id, run);
    draft.isNew = !known.has(id);
  }
}
