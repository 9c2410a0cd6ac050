import type { Draft, Shape } from '../document/shape.ts';
import type { Importer } from './importer.ts';
import { contentIdentifier, isDead, type Keyed, keyOf, knownIds, livingKeyOf, storedByKey } from './row-key.ts';

const momentOf = ({ row }: Draft): number => Date.parse(String(row.deleted_at));

function take(shape: Shape, draft: Draft, id: string, importer: Importer): void {
  draft.id = id;
  draft.isNew = false;
  importer.claims.add(shape.table, id);
}

/** The row that died at that moment: the one made from this very entry, where there are several. */
function diedThen(shape: Shape, draft: Draft, rows: readonly Keyed[], importer: Importer): string | undefined {
  const same = rows.filter(
    ({ id, deletedAt }) => deletedAt === momentOf(draft) && !importer.claims.has(shape.table, id),
  );
  const own = same.length > 1 ? contentIdentifier(shape, draft, importer) : undefined;
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
  importer: Importer,
): Promise<void> {
  const deletions = drafts.filter((draft) => !draft.id && isDead(shape, draft) && keyOf(shape, draft) !== undefined);
  if (deletions.length === 0) return;
  const dead = await storedByKey(shape, deletions, importer, 'dead');
  const kept = new Set(drafts.flatMap((draft) => (draft.id ? [] : (livingKeyOf(shape, draft) ?? []))));
  for (const draft of deletions) {
    const key = keyOf(shape, draft) ?? '';
    const died = diedThen(shape, draft, dead.get(key) ?? [], importer);
    const rows = kept.has(key) ? [] : (living.get(key) ?? []);
    const id = died ?? rows.find((row) => !importer.claims.has(shape.table, row.id))?.id;
    if (id === undefined) continue;
    take(shape, draft, id, importer);
    if (id === died) continue;
    draft.freesKey = true;
    living.set(
      key,
      rows.filter((row) => row.id !== id),
    );
  }
}

/** Deletions that no key names: the row made from this very entry, else the one made from it while it lived. */
export async function matchDeadByContent(shape: Shape, drafts: readonly Draft[], importer: Importer): Promise<void> {
  const identifiersOf = (draft: Draft) => {
    const { deleted_at: _moment, ...alive } = draft.item;
    const items =
      keyOf(shape, draft) === undefined ? [draft.item, alive, { ...alive, deleted_at: null }] : [draft.item];
    return items.map((item) => contentIdentifier(shape, draft, importer, item));
  };
  const known = await knownIds(shape, drafts.flatMap(identifiersOf), importer);
  for (const draft of drafts) {
    const [own = '', ...others] = identifiersOf(draft);
    const id = known.has(own) ? own : (others.find((other) => known.has(other)) ?? own);
    take(shape, draft, id, importer);
    draft.isNew = !known.has(id);
  }
}
