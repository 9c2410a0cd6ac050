import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { isList } from '../value/json.ts';

/** Where new privileges stand in their feature. */
export function fillPrivileges(drafts: Draft[]): void {
  for (const { row, place } of drafts) row.position ??= Number(/\[(\d+)\]$/.exec(place)?.[1] ?? 0);
}

/** A selection has options, and nothing else has. */
export async function checkPrivileges(drafts: Draft[], importer: Importing): Promise<void> {
  for (const { row, place, isNew } of drafts) {
    if (row.deleted_at != null || (!isNew && row.value_type === undefined)) continue;
    const hasOptions = isList(row.select_options) && row.select_options.length > 0;
    if (((row.value_type ?? 'string') === 'select') !== hasOptions) {
      importer.faults.add(`${place}.config`, 'invalid_format');
    }
  }
}
