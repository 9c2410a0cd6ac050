import { identifierOf, positionedIdentifier } from './identifier.ts';
import type { Importer } from './importer.ts';
import { jsonText, sorted } from './json.ts';
import { type Draft, hasColumn, type Shape } from './shape.ts';

// Beyond this a second entry for one row is taken as a change of the first one instead of a fault.
const MOST_REMEMBERED = 500_000;

/** The rows that this import has met, so that one entry never takes the row of another. */
export class Claims {
  private readonly ids = new Set<string>();

  has(table: string, id: string): boolean {
    return this.ids.has(`${table} ${id}`);
  }

  add(table: string, id: string): void {
    if (this.ids.size < MOST_REMEMBERED) this.ids.add(`${table} ${id}`);
  }
}

/** The key of a draft, or undefined when part of it is missing or the row is deleted. */
function keyOf(shape: Shape, { row }: Draft): string | undefined {
  if (!shape.key || shape.isKeyed?.(row) === false || (hasColumn(shape, 'deleted_at') && row.deleted_at != null))
    return undefined;
  const values = shape.key.map((column) => row[column]);
  return values.every((value) => value != null) ? values.map(String).join('\0') : undefined;
}

async function checkIds(shape: Shape, drafts: Draft[], importer: Importer): Promise<void> {
  const named = drafts.filter(({ id }) => id);
  if (named.length === 0) return;
  const rows = await importer.sql.rows(
    `SELECT id::text AS id, organization_id::text AS organization FROM ${shape.table} WHERE id = ANY($1::uuid[])`,
    named.map(({ id }) => id),
  );
  const owners = new Map(rows.map(({ id, organization }) => [id, organization]));
  for (const draft of named) {
    const owner = owners.get(draft.id);
    draft.isNew = owner === undefined;
    const taken = owner !== undefined && owner !== importer.organizationId;
    if (taken || importer.claims.has(shape.table, draft.id)) {
      importer.faults.add(`${draft.place}.svc_id`, 'value_already_exist');
      draft.broken = true;
    } else importer.claims.add(shape.table, draft.id);
  }
}

/** Live rows by key, in the order in which they were made. */
async function storedByKey(shape: Shape, drafts: Draft[], importer: Importer): Promise<Map<string, string[]>> {
  const key = shape.key ?? [];
  const ids = new Map<string, string[]>();
  const sought = drafts.filter((draft) => !draft.parent?.isNew && keyOf(shape, draft) !== undefined);
  if (sought.length === 0) return ids;
  const conditions = key.map((column, index) => {
    const [left, type] =
      column.endsWith('_id') && index === 0 && shape.fields.every((field) => field.column !== column)
        ? [`t.${column}`, 'uuid']
        : index === 0 || shape.table === 'events'
          ? [`t.${column}`, 'text']
          : [`t.${column}::text`, 'text'];
    return `${left} = ANY($${index + 2}::${type}[])`;
  });
  if (hasColumn(shape, 'deleted_at')) conditions.push('t.deleted_at IS NULL');
  if (shape.keyWhere) conditions.push(shape.keyWhere);
  const columns = key.map((column) => `t.${column}::text AS ${column}`).join(', ');
  const rows = await importer.sql.rows(
    `SELECT t.id::text AS svc_id, ${columns} FROM ${shape.table} t
     WHERE t.organization_id = $1::uuid AND ${conditions.join(' AND ')} ORDER BY t.created_at, t.id`,
    importer.organizationId,
    ...key.map((column) => [...new Set(sought.map(({ row }) => String(row[column])))]),
  );
  for (const row of rows) {
    const text = key.map((column) => row[column]).join('\0');
    const list = ids.get(text) ?? [];
    list.push(String(row.svc_id));
    ids.set(text, list);
  }
  return ids;
}

function contentIdentifier(shape: Shape, draft: Draft, importer: Importer): string {
  const position = Number(/\[(\d+)\]$/.exec(draft.place)?.[1] ?? 0);
  const inner = new Set([...shape.children.map(({ member }) => member), 'plan_overrides']);
  const own = Object.fromEntries(Object.entries(draft.item).filter(([member]) => !inner.has(member)));
  const parts = [importer.organizationId, shape.name, draft.parent?.id ?? '', jsonText(sorted(own))];
  for (let copy = 0; ; copy++) {
    const id = draft.parent
      ? positionedIdentifier(position, ...parts, String(copy))
      : identifierOf(...parts, String(copy));
    if (!importer.claims.has(shape.table, id)) return id;
  }
}

function keyFault(shape: Shape, draft: Draft, importer: Importer): void {
  const column = shape.key?.at(-1);
  const member = column === 'canonical_values' ? 'values' : shape.fields.find((one) => one.column === column)?.member;
  importer.faults.add(member ? `${draft.place}.${member}` : draft.place, 'value_already_exist');
  draft.broken = true;
}

/** A row with an id of its own: its key must not be that of another live row. */
function checkKeyOfNamed(
  shape: Shape,
  draft: Draft,
  stored: string[],
  chunk: Map<string, string>,
  key: string,
  importer: Importer,
): void {
  const inChunk = chunk.get(key);
  const inStore = stored.some((id) => id !== draft.id);
  if (shape.unique?.(draft.row) && ((inChunk !== undefined && inChunk !== draft.id) || inStore))
    keyFault(shape, draft, importer);
  chunk.set(key, draft.id);
}

function claim(shape: Shape, draft: Draft, stored: string[], importer: Importer, isTaken: boolean): string | undefined {
  const { claims } = importer;
  if (!shape.unique?.(draft.row)) return stored.find((id) => !claims.has(shape.table, id));
  const [first] = stored;
  if (isTaken || (first !== undefined && claims.has(shape.table, first))) keyFault(shape, draft, importer);
  return first;
}

/** Stored rows by key without those that this batch gives another key: theirs is free. */
function withoutLeaving(shape: Shape, drafts: readonly Draft[], stored: Map<string, string[]>): Map<string, string[]> {
  const named = new Map(drafts.filter(({ id }) => id).map((draft) => [draft.id, draft]));
  const stays = (id: string, key: string) => {
    const draft = named.get(id);
    const own = draft && keyOf(shape, draft);
    if (draft && own !== undefined && own !== key) draft.freesKey = true;
    return !draft?.freesKey;
  };
  return new Map([...stored].map(([key, ids]) => [key, ids.filter((id) => stays(id, key))]));
}

/** Finds for each draft the stored row it means, by `svc_id`, else by key, else by content; or gives it a new identifier. */
export async function match(shape: Shape, drafts: Draft[], importer: Importer): Promise<void> {
  await checkIds(shape, drafts, importer);
  const stored = withoutLeaving(shape, drafts, await storedByKey(shape, drafts, importer));
  const chunk = new Map<string, string>();
  const unnamed: Draft[] = [];
  for (const draft of drafts) {
    const key = keyOf(shape, draft);
    if (!draft.id) unnamed.push(draft);
    else if (key !== undefined && !draft.broken) {
      checkKeyOfNamed(shape, draft, stored.get(key) ?? [], chunk, key, importer);
    }
  }
  const byContent: Draft[] = [];
  for (const draft of unnamed) {
    const key = keyOf(shape, draft);
    const known = key === undefined ? undefined : claim(shape, draft, stored.get(key) ?? [], importer, chunk.has(key));
    draft.isNew = known === undefined;
    draft.id = known ?? (key === undefined ? contentIdentifier(shape, draft, importer) : importer.identifiers.next());
    if (key !== undefined) chunk.set(key, draft.id);
    else byContent.push(draft);
    importer.claims.add(shape.table, draft.id);
  }
  await markKnown(shape, byContent, importer);
}

async function markKnown(shape: Shape, drafts: Draft[], importer: Importer): Promise<void> {
  if (drafts.length === 0) return;
  const rows = await importer.sql.rows(
    `SELECT id::text AS id FROM ${shape.table} WHERE organization_id = $1::uuid AND id = ANY($2::uuid[])`,
    importer.organizationId,
    drafts.map(({ id }) => id),
  );
  const known = new Set(rows.map(({ id }) => id));
  for (const draft of drafts) draft.isNew = !known.has(draft.id);
}
