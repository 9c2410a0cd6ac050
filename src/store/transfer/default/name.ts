import type { Draft } from '../document/draft.ts';

/** A thing without a name is called by its code. */
export function nameFromCode(drafts: Draft[]): void {
  for (const { row } of drafts) row.name ??= row.code;
}
