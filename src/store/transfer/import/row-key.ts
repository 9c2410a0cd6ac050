import type { Draft } from '../document/draft.ts';
import { hasColumn, type Shape } from '../document/shape.ts';
import { identifierOf, positionedIdentifier } from '../value/identifier.ts';
import { type JsonObject, jsonText, sorted } from '../value/json.ts';
import type { Found } from '../value/sql.ts';
import type { Run } from './run.ts';

/** Whether the document says that the row is deleted. */
export const isDead = (shape: Shape, { row }: Draft): boolean =>
  hasColumn(shape, 'deleted_at') && row.deleted_at != null;

/** The key of a draft, or undefined when part of it is missing. */
export function keyOf(shape: Shape, { row }: Draft): string | undefined {
  if (!shape.key || shape.isKeyed?.(row) === false) return undefined;
  const values = shape.key.map((column) => row[column]);
  return values.every((value) => value != null) ? values.map(String).join('\0') : undefined;
}

/** The key that no other living row may have. */
export const livingKeyOf = (shape: Shape, draft: Draft): string | undefined =>
  isDead(shape, draft) ? undefined : keyOf(shape, draft);

/** A stored row that a key has found. */
export interface Keyed {
  readonly id: string;
  /** Milliseconds. */
  readonly deletedAt: number | null;
}

/** What a table of keys has, each key looked up on its own. */
function keyedIn(
  { name, id }: NonNullable<Shape['keyTable']>,
  key: readonly string[],
  sought: readonly Draft[],
  run: Run,
): Promise<Found[]> {
  const lists = key.map((_column, index) => `$${index + 2}::text[]`);
  const same = key.map((column) => `t.${column} = given.${column}`);
  return run.sql.rows(
    `SELECT t.${id}::text AS svc_id, ${key.map((column) => `given.${column}`).join(', ')}
     FROM unnest(${lists.join(', ')}) AS given(${key.join(', ')}) CROSS JOIN LATERAL (
       SELECT ${id} FROM ${name} t WHERE t.organization_id = $1::uuid AND ${same.join(' AND ')} LIMIT 1) t`,
    run.organizationId,
    ...key.map((column) => sought.map(({ row }) => String(row[column]))),
  );
}

/** What the table itself has, of any combination of the keys' values. */
function keyed(shape: Shape, sought: readonly Draft[], run: Run, state: 'living' | 'dead'): Promise<Found[]> {
  const key = shape.key ?? [];
  const conditions = key.map((column, index) => {
    const [left, type] =
      column.endsWith('_id') && index === 0 && shape.fields.every((field) => field.column !== column)
        ? [`t.${column}`, 'uuid']
        : index === 0
          ? [`t.${column}`, 'text']
          : [`t.${column}::text`, 'text'];
    return `${left} = ANY($${index + 2}::${type}[])`;
  });
  const canDie = hasColumn(shape, 'deleted_at');
  if (canDie) conditions.push(`t.deleted_at IS ${state === 'dead' ? 'NOT NULL' : 'NULL'}`);
  if (shape.keyWhere) conditions.push(shape.keyWhere);
  const columns = key.map((column) => `t.${column}::text AS ${column}`);
  if (canDie) columns.push('(extract(epoch FROM t.deleted_at) * 1000)::bigint::text AS died');
  return run.sql.rows(
    `SELECT t.id::text AS svc_id, ${columns.join(', ')} FROM ${shape.table} t
     WHERE t.organization_id = $1::uuid AND ${conditions.join(' AND ')} ORDER BY t.created_at, t.id`,
    run.organizationId,
    ...key.map((column) => [...new Set(sought.map(({ row }) => String(row[column])))]),
  );
}

/** Rows by key, in the order in which they were made: the living ones, or the dead ones. */
export async function storedByKey(
  shape: Shape,
  drafts: readonly Draft[],
  run: Run,
  state: 'living' | 'dead',
): Promise<Map<string, Keyed[]>> {
  const key = shape.key ?? [];
  const found = new Map<string, Keyed[]>();
  const sought = drafts.filter((draft) => !draft.parent?.isNew && keyOf(shape, draft) !== undefined);
  if (sought.length === 0) return found;
  const rows = await (shape.keyTable && state === 'living'
    ? keyedIn(shape.keyTable, key, sought, run)
    : keyed(shape, sought, run, state));
  for (const row of rows) {
    const text = key.map((column) => row[column]).join('\0');
    const list = found.get(text) ?? [];
    list.push({
      id: String(row.svc_id),
      deletedAt: row.died == null ? null : Number(row.died),
    });
    found.set(text, list);
  }
  return found;
}

/** The identifier of a row that nothing but its content names; the n-th of equal ones has its own. */
export function contentIdentifier(shape: Shape, draft: Draft, run: Run, item: JsonObject = draft.item): string {
  const position = Number(/\[(\d+)\]$/.exec(draft.place)?.[1] ?? 0);
  const inner = new Set([...shape.children.map(({ member }) => member), 'plan_overrides']);
  const own = Object.fromEntries(Object.entries(item).filter(([member]) => !inner.has(member)));
  const parts = [run.organizationId, shape.name, draft.parent?.id ?? '', jsonText(sorted(own))];
  for (let copy = 0; ; copy++) {
    const id = draft.parent
      ? positionedIdentifier(position, ...parts, String(copy))
      : identifierOf(...parts, String(copy));
    if (!run.claims.has(shape.table, id)) return id;
  }
}

/** Which of the identifiers are those of stored rows. */
export async function knownIds(shape: Shape, ids: readonly string[], run: Run): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await run.sql.rows(
    `SELECT id::text AS id FROM ${shape.table} WHERE organization_id = $1::uuid AND id = ANY($2::uuid[])`,
    run.organizationId,
    [...ids],
  );
  return new Set(rows.map(({ id }) => String(id)));
}
