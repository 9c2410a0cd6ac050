import type { Draft } from '../document/draft.ts';
import type { FaultList } from '../document/fault.ts';
import type { Ref, Shape } from '../document/shape.ts';
import { IdentifierSequence } from '../value/identifier.ts';
import { memberAt } from '../value/json.ts';
import type { Sql } from '../value/sql.ts';
import { Resolver } from './resolver.ts';

/** What was done to the rows of each table. */
export interface Counts {
  readonly created: Record<string, number>;
  readonly updated: Record<string, number>;
  unchanged: number;
}

/** A reference to a row that comes later in the document. */
export interface Postponed {
  readonly shape: Shape;
  readonly draft: Draft;
  readonly ref: Ref;
  readonly id: string;
  readonly place: string;
}

// Beyond this a second entry for one row is taken as a change of the first one instead of a fault.
const MOST_REMEMBERED = 500_000;

/** The rows that this import has met, so that one entry never takes the row of another. */
class Claims {
  private readonly ids = new Set<string>();

  has(table: string, id: string): boolean {
    return this.ids.has(`${table} ${id}`);
  }

  add(table: string, id: string): void {
    if (this.ids.size < MOST_REMEMBERED) this.ids.add(`${table} ${id}`);
  }
}

/** What the steps of an import share: one document, into one organization, inside one transaction. */
export class Run {
  readonly resolver: Resolver;
  readonly claims = new Claims();
  readonly identifiers: IdentifierSequence;
  readonly counts: Counts = { created: {}, updated: {}, unchanged: 0 };
  /** They are filled in when all rows are there. */
  readonly postponed: Postponed[] = [];
  private readonly broken = new Set<string>();

  constructor(
    readonly sql: Sql,
    readonly organizationId: string,
    readonly organizationName: string,
    readonly now: string,
    readonly faults: FaultList,
  ) {
    this.resolver = new Resolver(sql, organizationId);
    this.identifiers = new IdentifierSequence(Date.parse(now));
  }

  record(table: string, created: number, updated: number, unchanged: number): void {
    if (created > 0) this.counts.created[table] = (this.counts.created[table] ?? 0) + created;
    if (updated > 0) this.counts.updated[table] = (this.counts.updated[table] ?? 0) + updated;
    this.counts.unchanged += unchanged;
  }

  markBroken(shape: Shape, { item, row }: Draft): void {
    if (typeof item.svc_id === 'string') this.broken.add(`${shape.name} ${item.svc_id.toLowerCase()}`);
    const code = shape.codeColumn && (row[shape.codeColumn] ?? memberAt(item, shape.codeColumn));
    if (typeof code === 'string') this.broken.add(`${shape.name} ${code}`);
  }

  /** Whether the row is in the document and has a fault: what refers to it has none of its own. */
  isBroken(name: string, id: string | undefined, code: string | undefined): boolean {
    return [id, code].some((text) => text !== undefined && this.broken.has(`${name} ${text}`));
  }
}
