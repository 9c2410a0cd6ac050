import { dec, decimalText } from '../../../billing/money/decimal.ts';
import type { Child, Field, Kind, Link, Shape } from '../document/shape.ts';
import { shapeNamed } from '../shape/all.ts';
import { type Json, type JsonObject, jsonNumber, parseJson } from '../value/json.ts';
import type { Found, Sql } from '../value/sql.ts';

type Tree = Record<string, Json | undefined>;

const TIME = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

function expression(kind: Kind, column: string): string {
  if (kind === 'time') return `to_char(t.${column} AT TIME ZONE 'UTC', ${TIME})`;
  return kind === 'texts' ? `to_jsonb(t.${column})::text` : `t."${column}"::text`;
}

/** The columns of a shape as text, and the rows they are taken from: `SELECT ... FROM charges t`. */
export function selection(shape: Shape): string {
  const fields = shape.fields.map(({ kind, column }) => `${expression(kind, column)} AS "f ${column}"`);
  const refs = shape.refs.flatMap(({ column, to, code }) => {
    const target = shapeNamed(to);
    const named = `(SELECT r.${target.codeColumn} FROM ${target.table} r WHERE r.id = t.${column}) AS "c ${column}"`;
    return [`t.${column}::text AS "r ${column}"`, ...(code && target.codeColumn ? [named] : [])];
  });
  return `SELECT ${['t.id::text AS id', ...refs, ...fields].join(', ')}`;
}

function shown({ kind }: Field, text: string): Json {
  switch (kind) {
    case 'decimal':
      return decimalText(dec(text));
    case 'rate':
      return jsonNumber(dec(text).toFixed());
    case 'integer':
    case 'cents':
      return jsonNumber(text);
    case 'boolean':
      return text === 'true';
    case 'time':
      return text.replace('.000Z', 'Z');
    case 'json':
    case 'texts':
      return parseJson(text);
    default:
      return text;
  }
}

function put(tree: Tree, path: string, value: Json): void {
  const names = path.split('.');
  const last = names.pop() ?? path;
  let inner = tree;
  for (const name of names) {
    inner[name] ??= {};
    inner = inner[name] as Tree;
  }
  inner[last] = value;
}

function ownMembers(shape: Shape, row: Found): Tree {
  const tree: Tree = { svc_id: row.id ?? null };
  for (const { column, id, code } of shape.refs) {
    put(tree, id[0] ?? column, row[`r ${column}`] ?? null);
    if (code?.[0] && `c ${column}` in row) put(tree, code[0], row[`c ${column}`] ?? null);
  }
  for (const field of shape.fields) {
    const text = row[`f ${field.column}`];
    put(tree, field.member, text == null ? null : shown(field, text));
  }
  return tree;
}

const group = <T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const list = groups.get(keyOf(row)) ?? [];
    list.push(row);
    groups.set(keyOf(row), list);
  }
  return groups;
};

async function putLinks(link: Link, trees: Map<string, Tree>, sql: Sql): Promise<void> {
  const target = shapeNamed(link.to);
  const other = link.own === 'A' ? 'B' : 'A';
  const rows = await sql.rows(
    `SELECT l."${link.own}"::text AS own, r.id::text AS id, r.${target.codeColumn} AS code FROM "${link.table}" l
     JOIN ${target.table} r ON r.id = l."${other}" WHERE l."${link.own}" = ANY($1::uuid[]) ORDER BY r.created_at, r.id`,
    [...trees.keys()],
  );
  const groups = group(rows, ({ own }) => String(own));
  const nested = link.codes.find((path) => path.startsWith('applies_to.'));
  for (const [id, tree] of trees) {
    const linked = groups.get(id) ?? [];
    put(
      tree,
      link.member,
      linked.map((row) => ({ svc_id: row.id ?? null, [target.codeColumn ?? 'code']: row.code ?? null })),
    );
    if (nested)
      put(
        tree,
        nested,
        linked.map(({ code }) => code ?? null),
      );
  }
}

async function putChildren(child: Child, trees: Map<string, Tree>, sql: Sql): Promise<void> {
  const shape = child.shape();
  const rows = await sql.rows(
    `${selection(shape)}, t.${child.parent}::text AS own FROM ${shape.table} t
     WHERE t.${child.parent} = ANY($1::uuid[]) ORDER BY ${shape.order ?? 't.created_at, t.id'}`,
    [...trees.keys()],
  );
  const items = await itemsOf(shape, rows, sql);
  const groups = group(rows, ({ own }) => String(own));
  for (const [id, tree] of trees) {
    const list: JsonObject[] = (groups.get(id) ?? []).flatMap((row) => {
      const item = items.get(String(row.id));
      return item ? [item] : [];
    });
    const value: Json = child.one ? (list[0] ?? null) : list;
    put(tree, child.member, value);
  }
}

/** The items of a document for rows of `selection`, with everything that stands inside them; by id, in the order given. */
export async function itemsOf(shape: Shape, rows: readonly Found[], sql: Sql): Promise<Map<string, JsonObject>> {
  const trees = new Map(rows.map((row) => [String(row.id), ownMembers(shape, row)]));
  if (trees.size === 0) return new Map();
  for (const link of shape.links) await putLinks(link, trees, sql);
  for (const child of shape.children) await putChildren(child, trees, sql);
  await shape.extend?.(trees as Map<string, Record<string, Json>>, (name, ids, where) =>
    readItems(name, ids, sql, where),
  );
  return trees as Map<string, JsonObject>;
}

/** The items of those rows among `ids` that meet a condition in SQL, whose further parameters start at `$2`; by id. */
export async function readItems(
  name: string,
  ids: readonly string[],
  sql: Sql,
  where: string,
  ...parameters: string[]
): Promise<Map<string, JsonObject>> {
  const shape = shapeNamed(name);
  const rows = await sql.rows(
    `${selection(shape)} FROM ${shape.table} t WHERE t.id = ANY($1::uuid[]) AND ${where}`,
    ids,
    ...parameters,
  );
  return itemsOf(shape, rows, sql);
}
