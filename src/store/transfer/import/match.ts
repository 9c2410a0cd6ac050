import type { Draft } from '../document/draft.ts';
import type { Shape } from '../document/shape.ts';
import { matchDeadByContent, matchDeadByKey } from './match-dead.ts';
import { contentIdentifier, isDead, keyOf, knownIds, livingKeyOf, storedByKey } from './row-key.ts';
import type { Run } from './run.ts';

async function checkIds(shape: Shape, drafts: Draft[], run: Run): Promise<void> {
  const named = drafts.filter(({ id }) => id);
  if (named.length === 0) return;
  const rows = await run.sql.rows(
    `SELECT id::text AS id, organization_id::text AS organization FROM ${shape.table} WHERE id = ANY($1::uuid[])`,
    named.map(({ id }) => id),
  );
  const owners = new Map(rows.map(({ id, organization }) => [id, organization]));
  for (const draft of named) {
    const owner = owners.get(draft.id);
    draft.isNew = owner === undefined;
    const taken = owner !== undefined && owner !== run.organizationId;
    if (taken || run.claims.has(shape.table, draft.id)) {
      run.faults.add(`${draft.place}.svc_id`, 'value_already_exist');
      draft.broken = true;
    } else run.claims.add(shape.table, draft.id);
  }
}

function keyFault(shape: Shape, draft: Draft, run: Run): void {
  const column = shape.key?.at(-1);
  const member = column === 'canonical_values' ? 'values' : shape.fields.find((one) => one.column === column)?.member;
  run.faults.add(member ? `${draft.place}.${member}` : draft.place, 'value_already_exist');
  draft.broken = true;
}

/** A row with an id of its own: its key must not be that of another live row. */
function checkKeyOfNamed(
  shape: Shape,
  draft: Draft,
  stored: string[],
  chunk: Map<string, string>,
  key: string,
  run: Run,
): void {
  const inChunk = chunk.get(key);
  const inStore = stored.some((id) => id !== draft.id);
  if (shape.unique?.(draft.row) && ((inChunk !== undefined && inChunk !== draft.id) || inStore))
    keyFault(shape, draft, run);
  // Its key is kept though it may have been put away.
  if (stored.includes(draft.id)) draft.isNew = false;
  chunk.set(key, draft.id);
}

function claim(shape: Shape, draft: Draft, stored: string[], run: Run, isTaken: boolean): string | undefined {
  const { claims } = run;
  if (!shape.unique?.(draft.row)) return stored.find((id) => !claims.has(shape.table, id));
  const [first] = stored;
  if (isTaken || (first !== undefined && claims.has(shape.table, first))) keyFault(shape, draft, run);
  return first;
}

/** Stored rows by key without those that this batch gives another key, or deletes: theirs is free. */
function withoutLeaving(shape: Shape, drafts: readonly Draft[], stored: Map<string, string[]>): Map<string, string[]> {
  const named = new Map(drafts.filter(({ id }) => id).map((draft) => [draft.id, draft]));
  const stays = (id: string, key: string) => {
    const draft = named.get(id);
    const own = draft && keyOf(shape, draft);
    if (draft && (isDead(shape, draft) || (own !== undefined && own !== key))) draft.freesKey = true;
    return !draft?.freesKey;
  };
  return new Map([...stored].map(([key, ids]) => [key, ids.filter((id) => stays(id, key))]));
}

/** The living rows that keys of the batch find, after its deletions have taken theirs. */
async function livingByKey(shape: Shape, drafts: Draft[], run: Run): Promise<Map<string, string[]>> {
  const living = await storedByKey(shape, drafts, run, 'living');
  await matchDeadByKey(shape, drafts, living, run);
  const ids = new Map([...living].map(([key, rows]) => [key, rows.map(({ id }) => id)]));
  return withoutLeaving(shape, drafts, ids);
}

/**
 * Finds for each draft the stored row it means, by `svc_id`, else by key, else by content; or gives it a new identifier.
 * A draft that is deleted means the dead row of its key and moment, else the living row of its key.
 */
export async function match(shape: Shape, drafts: Draft[], run: Run): Promise<void> {
  await checkIds(shape, drafts, run);
  const stored = await livingByKey(shape, drafts, run);
  const chunk = new Map<string, string>();
  const unnamed: Draft[] = [];
  for (const draft of drafts) {
    const key = livingKeyOf(shape, draft);
    if (!draft.id) unnamed.push(draft);
    else if (key !== undefined && !draft.broken) {
      checkKeyOfNamed(shape, draft, stored.get(key) ?? [], chunk, key, run);
    }
  }
  const byContent: Draft[] = [];
  for (const draft of unnamed) {
    const key = livingKeyOf(shape, draft);
    if (key === undefined) {
      byContent.push(draft);
      continue;
    }
    const known = claim(shape, draft, stored.get(key) ?? [], run, chunk.has(key));
    draft.isNew = known === undefined;
    draft.id = known ?? run.identifiers.next();
    chunk.set(key, draft.id);
    run.claims.add(shape.table, draft.id);
  }
  await matchByContent(shape, byContent, run);
}

async function matchByContent(shape: Shape, drafts: Draft[], run: Run): Promise<void> {
  const living = drafts.filter((draft) => !isDead(shape, draft));
  for (const draft of living) {
    draft.id = contentIdentifier(shape, draft, run);
    run.claims.add(shape.table, draft.id);
  }
  const ids = living.map(({ id }) => id);
  const known = await knownIds(shape, ids, run);
  for (const draft of living) draft.isNew = !known.has(draft.id);
  const dead = drafts.filter((draft) => isDead(shape, draft));
  if (dead.length > 0) await matchDeadByContent(shape, dead, run);
}
