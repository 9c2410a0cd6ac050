import type { Draft, Row } from '../document/draft.ts';
import { columnsOf, hasColumn, type Shape } from '../document/shape.ts';
import { jsonText } from '../value/json.ts';
import type { Run } from './run.ts';

const ROWS_A_STATEMENT = 2000;

function* slices<T>(list: readonly T[], size = ROWS_A_STATEMENT): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/** Column that names the parent, for shapes that stand inside another one. */
const allColumns = (shape: Shape, parent: string | undefined): string[] => [
  ...new Set([...columnsOf(shape), ...(parent ? [parent] : [])]),
];

async function insert(shape: Shape, drafts: readonly Draft[], parent: string | undefined, run: Run): Promise<void> {
  const columns = allColumns(shape, parent);
  const { told } = shape;
  const list = ['organization_id', ...columns, ...(told ? [told.column] : [])].map((column) => `"${column}"`);
  const values = ['organization_id', ...columns].map((column) => `n."${column}"`);
  for (const slice of slices(drafts)) {
    const rows = slice.map(({ row, id }) => ({ ...row, id, organization_id: run.organizationId }));
    await run.sql.run(
      `INSERT INTO ${shape.table} (${list.join(', ')}) SELECT ${[...values, ...(told ? [told.value] : [])].join(', ')}
       FROM jsonb_populate_recordset(NULL::${shape.table}, $1::jsonb) n ${told?.join ?? ''}`,
      jsonText(rows),
    );
  }
}

/** Brings stored rows to the given values. A row that has them already is not touched. Returns how many were changed. */
export async function update(
  shape: Shape,
  rows: readonly (Row & { id: string })[],
  parent: string | undefined,
  run: Run,
): Promise<number> {
  const columns = allColumns(shape, parent).filter((column) => column !== 'id' && column !== 'updated_at');
  const changes = columns.map((column) => `"${column}" = n."${column}"`);
  if (hasColumn(shape, 'updated_at')) {
    changes.push(`updated_at = CASE WHEN x.doc ? 'updated_at' THEN n.updated_at ELSE $3::timestamptz END`);
  }
  const moment = hasColumn(shape, 'updated_at') ? [run.now] : [];
  let changed = 0;
  for (const slice of slices(rows)) {
    changed += await run.sql.run(
      `UPDATE ${shape.table} t SET ${changes.join(', ')}
       FROM jsonb_array_elements($1::jsonb) AS x(doc)
       JOIN ${shape.table} e ON e.id = (x.doc->>'id')::uuid AND e.organization_id = $2::uuid
       CROSS JOIN LATERAL jsonb_populate_record(e, x.doc) n
       WHERE t.id = n.id AND n IS DISTINCT FROM e`,
      jsonText(slice),
      run.organizationId,
      ...moment,
    );
  }
  return changed;
}

async function writeLinks(shape: Shape, drafts: readonly Draft[], run: Run): Promise<void> {
  for (const { member, table, own } of shape.links) {
    const owners = drafts.filter(({ links }) => links[member]);
    if (owners.length === 0) continue;
    const other = own === 'A' ? 'B' : 'A';
    const pairs = owners.flatMap(({ id, links }) =>
      (links[member] ?? []).map((linked) => ({ own: id, other: linked })),
    );
    const given = `jsonb_to_recordset($1::jsonb) AS p(own uuid, other uuid)`;
    const known = owners.filter(({ isNew }) => !isNew);
    if (known.length > 0) {
      await run.sql.run(
        `DELETE FROM "${table}" l WHERE l."${own}" = ANY($2::uuid[])
           AND NOT EXISTS (SELECT 1 FROM ${given} WHERE p.own = l."${own}" AND p.other = l."${other}")`,
        jsonText(pairs),
        known.map(({ id }) => id),
      );
    }
    await run.sql.run(
      `INSERT INTO "${table}" ("${own}", "${other}") SELECT p.own, p.other FROM ${given} ON CONFLICT DO NOTHING`,
      jsonText(pairs),
    );
  }
}

/** Stores a batch: new rows are inserted, known ones brought up to date, lists of references replaced. */
export async function write(
  shape: Shape,
  drafts: readonly Draft[],
  parent: string | undefined,
  run: Run,
): Promise<void> {
  const fresh = drafts.filter(({ isNew }) => isNew);
  const known = drafts.filter(({ isNew }) => !isNew);
  const made = new Set<unknown>(fresh.map(({ id }) => id));
  const stageOf = ({ row, freesKey }: Draft) =>
    Object.values(row).some((value) => made.has(value)) ? 'last' : freesKey ? 'first' : 'next';
  const updated = (stage: ReturnType<typeof stageOf>) =>
    update(
      shape,
      known.filter((draft) => stageOf(draft) === stage).map(({ row, id }) => ({ ...row, id })),
      parent,
      run,
    );
  // A key that a row gives up is free for another one; a new row is there before it is named.
  let changed = (await updated('first')) + (await updated('next'));
  await insert(shape, fresh, parent, run);
  changed += await updated('last');
  await writeLinks(shape, drafts, run);
  run.record(shape.table, fresh.length, changed, known.length - changed);
  if (drafts.length > 0) run.resolver.forget(shape.name);
}
