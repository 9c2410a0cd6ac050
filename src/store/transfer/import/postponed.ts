import type { Row } from '../document/draft.ts';
import type { Shape } from '../document/shape.ts';
import type { Postponed, Run } from './run.ts';
import { update } from './write.ts';

const BATCH = 1000;

async function storeBatch(batch: readonly Postponed[], run: Run): Promise<void> {
  const { resolver, faults } = run;
  for (const name of new Set(batch.map(({ ref }) => ref.to))) {
    await resolver.loadIds(
      name,
      batch.filter(({ ref }) => ref.to === name).map(({ id }) => id),
    );
  }
  const changes = new Map<Shape, (Row & { id: string })[]>();
  for (const { shape, draft, ref, id, place } of batch) {
    const found = resolver.byId(ref.to, id);
    if (!found && !run.isBroken(ref.to, id, undefined)) faults.add(place, 'relation_must_exist');
    if (!found || draft.broken) continue;
    const { updated_at: updatedAt } = draft.row;
    const row = { id: draft.id, [ref.column]: id, ...(updatedAt === undefined ? {} : { updated_at: updatedAt }) };
    changes.set(shape, [...(changes.get(shape) ?? []), row]);
  }
  for (const [shape, rows] of changes) await update(shape, rows, undefined, run);
}

/** Fills in the references to rows that came later in the document. */
export async function storePostponed(run: Run): Promise<void> {
  for (let start = 0; start < run.postponed.length; start += BATCH) {
    await storeBatch(run.postponed.slice(start, start + BATCH), run);
  }
}
