import type { Draft, Ref, Row, Shape } from '../document/shape.ts';
import type { Importer } from './importer.ts';
import { update } from './write.ts';

interface Postponed {
  readonly shape: Shape;
  readonly draft: Draft;
  readonly ref: Ref;
  readonly id: string;
  readonly place: string;
}

const BATCH = 1000;

/** References to rows that come later in the document; they are filled in when all rows are there. */
export class PostponedReferences {
  private readonly list: Postponed[] = [];

  add(shape: Shape, draft: Draft, ref: Ref, id: string, place: string): void {
    this.list.push({ shape, draft, ref, id, place });
  }

  async store(importer: Importer): Promise<void> {
    for (let start = 0; start < this.list.length; start += BATCH) {
      await this.storeBatch(this.list.slice(start, start + BATCH), importer);
    }
  }

  private async storeBatch(batch: readonly Postponed[], importer: Importer): Promise<void> {
    const { resolver, faults } = importer;
    for (const name of new Set(batch.map(({ ref }) => ref.to))) {
      await resolver.loadIds(
        name,
        batch.filter(({ ref }) => ref.to === name).map(({ id }) => id),
      );
    }
    const changes = new Map<Shape, (Row & { id: string })[]>();
    for (const { shape, draft, ref, id, place } of batch) {
      const found = resolver.byId(ref.to, id);
      if (!found && !importer.isBroken(ref.to, id, undefined)) faults.add(place, 'relation_must_exist');
      if (!found || draft.broken) continue;
      const { updated_at: updatedAt } = draft.row;
      const row = { id: draft.id, [ref.column]: id, ...(updatedAt === undefined ? {} : { updated_at: updatedAt }) };
      changes.set(shape, [...(changes.get(shape) ?? []), row]);
    }
    for (const [shape, rows] of changes) await update(shape, rows, undefined, importer);
  }
}
