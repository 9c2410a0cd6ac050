import type { Draft } from '../document/draft.ts';
import { hasColumn } from '../document/shape.ts';
import { shapeNamed } from '../shape/all.ts';
import type { Found, Sql } from '../value/sql.ts';

// Names of a running import are kept; of sections without bound only the latest.
const MOST_KEPT = 100_000;

/** The rows that references name, loaded a batch at a time, in one organization. */
export class Resolver {
  private readonly kept = new Map<string, Map<string, Found>>();

  constructor(
    private readonly sql: Sql,
    private readonly organizationId: string,
  ) {}

  private keptOf(name: string): Map<string, Found> {
    const kept = this.kept.get(name) ?? new Map<string, Found>();
    if (kept.size > MOST_KEPT) kept.clear();
    this.kept.set(name, kept);
    return kept;
  }

  /** Forgets what was loaded of a shape whose rows have changed. */
  forget(name: string): void {
    this.kept.delete(name);
  }

  byId(name: string, id: string): Found | undefined {
    return this.kept.get(name)?.get(`id ${id.toLowerCase()}`);
  }

  byCode(name: string, code: string): Found | undefined {
    return this.kept.get(name)?.get(`code ${code}`);
  }

  private select(name: string): string {
    const shape = shapeNamed(name);
    const columns = new Set([...(shape.codeColumn ? [shape.codeColumn] : []), ...(shape.lookup ?? [])]);
    const list = [...columns].map((column) => `t.${column}::text AS ${column}`);
    return `SELECT ${['t.id::text AS id', ...list].join(', ')} FROM ${shape.table} t WHERE t.organization_id = $1::uuid`;
  }

  async loadIds(name: string, ids: readonly string[]): Promise<void> {
    const kept = this.keptOf(name);
    const open = [...new Set(ids.map((id) => id.toLowerCase()))].filter((id) => !kept.has(`id ${id}`));
    if (open.length === 0) return;
    const rows = await this.sql.rows(`${this.select(name)} AND t.id = ANY($2::uuid[])`, this.organizationId, open);
    for (const row of rows) kept.set(`id ${row.id}`, row);
  }

  async loadCodes(name: string, codes: readonly string[]): Promise<void> {
    const shape = shapeNamed(name);
    const column = shape.codeColumn;
    const kept = this.keptOf(name);
    const open = [...new Set(codes)].filter((code) => !kept.has(`code ${code}`));
    if (open.length === 0 || !column) return;
    const conditions = [`t.${column} = ANY($2::text[])`];
    if (hasColumn(shape, 'deleted_at')) conditions.push('t.deleted_at IS NULL');
    if (name === 'plan') conditions.push('t.parent_id IS NULL');
    const order = shape.codeOrder ?? 't.created_at, t.id';
    const rows = await this.sql.rows(
      `${this.select(name)} AND ${conditions.join(' AND ')} ORDER BY ${order}`,
      this.organizationId,
      open,
    );
    for (const row of rows.reverse()) kept.set(`code ${row[column]}`, row);
  }

  /** Rows of `name` that the rows behind one reference name in turn, by id. */
  async loadAll(name: string, drafts: readonly Draft[], via: string, column: string): Promise<Map<string, Found>> {
    const ids = drafts.flatMap(({ found }) => found[via]?.[column] ?? []);
    await this.loadIds(name, ids);
    return new Map(
      ids.flatMap((id) => {
        const found = this.byId(name, id);
        return found ? [[id, found] as const] : [];
      }),
    );
  }

  /** Loads the rows behind a reference that a hook has set. */
  async loadFound(to: string, drafts: readonly Draft[], column: string): Promise<void> {
    const open = drafts.filter(({ row, found }) => typeof row[column] === 'string' && !found[column]);
    await this.loadIds(
      to,
      open.map(({ row }) => String(row[column])),
    );
    for (const { row, found } of open) {
      const one = this.byId(to, String(row[column]));
      if (one) found[column] = one;
    }
  }
}
