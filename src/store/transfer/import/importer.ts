import { ensureDefaultEntity } from '../default/billing-entity.ts';
import type { FaultList } from '../document/fault.ts';
import { readValue } from '../document/read-value.ts';
import { type Child, type Draft, type Found, NUMBERS, type Shape } from '../document/shape.ts';
import { BILLING_ENTITY } from '../shape/catalogue.ts';
import { IdentifierSequence } from '../value/identifier.ts';
import { type JsonObject, memberAt } from '../value/json.ts';
import type { Sql } from '../value/sql.ts';
import { refuse } from './database-fault.ts';
import { Claims, match } from './match.ts';
import { PostponedReferences } from './postponed.ts';
import { childEntries, type Entry, readItem } from './read-item.ts';
import { resolveLinks, resolveReferences } from './reference.ts';
import { Resolver } from './resolver.ts';
import { write } from './write.ts';

/** What was done to the rows of each table. */
export interface Counts {
  readonly created: Record<string, number>;
  readonly updated: Record<string, number>;
  unchanged: number;
}

/** One run over one document, into one organization, inside one transaction. Batches pass through `store` in order. */
export class Importer {
  readonly resolver: Resolver;
  readonly claims = new Claims();
  readonly identifiers: IdentifierSequence;
  readonly counts: Counts = { created: {}, updated: {}, unchanged: 0 };
  /** Whether the document has marked a default entity. */
  seenDefaultEntity = false;
  private readonly broken = new Set<string>();
  private readonly lateChildren: { child: Child; entries: Entry[] }[] = [];
  readonly postponed = new PostponedReferences();
  private standard: Found | undefined;

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

  /** Reads, checks, matches and stores a batch of one shape with everything that stands inside it. */
  async store(shape: Shape, entries: readonly Entry[]): Promise<Draft[]> {
    const drafts = entries.flatMap((entry) => readItem(shape, entry, this.faults) ?? []);
    const parent = entries.find(({ column }) => column)?.column;
    await resolveReferences(shape, drafts, this);
    await resolveLinks(shape, drafts, this);
    await shape.prepare?.(this.sound(drafts), this);
    await match(shape, this.sound(drafts), this);
    await this.complete(shape, this.sound(drafts));
    const sound = this.sound(drafts);
    await write(shape, sound, parent, this).catch((error: unknown) => refuse(error, sound));
    for (const draft of drafts) if (draft.broken) this.markBroken(shape, draft);
    for (const child of shape.children) await this.storeChildren(child, drafts);
    return drafts;
  }

  private async storeChildren(child: Child, drafts: readonly Draft[]): Promise<void> {
    const entries = drafts.flatMap((draft) => childEntries(draft, child, this.faults));
    if (entries.length === 0) return;
    if (child.late) this.lateChildren.push({ child, entries });
    else await this.store(child.shape(), entries);
  }

  /** Fills new rows and checks that nothing required is missing. */
  private async complete(shape: Shape, drafts: Draft[]): Promise<void> {
    const fresh = drafts.filter(({ isNew }) => isNew);
    const missing = (draft: Draft, column: string, member: string) => {
      if (draft.row[column] != null) return;
      draft.broken = true;
      this.faults.add(`${draft.place}.${member}`, 'value_is_mandatory');
    };
    for (const draft of fresh) {
      for (const field of shape.fields) if (field.required) missing(draft, field.column, field.member);
      for (const ref of shape.refs) if (ref.required) missing(draft, ref.column, (ref.code ?? ref.id)[0] ?? ref.column);
      for (const { column, initial } of shape.fields) if (initial !== undefined) draft.row[column] ??= initial;
    }
    await shape.adopt?.(this.sound(drafts), this);
    await shape.fill?.(this.sound(fresh), this);
    for (const draft of this.sound(fresh)) {
      draft.row.created_at ??= this.now;
      draft.row.updated_at ??= this.now;
      for (const field of shape.fields) if (!field.nullable) missing(draft, field.column, field.member);
      this.checkNumbers(shape, draft);
    }
  }

  /** A number that was computed from given ones can be out of range where those are not. */
  private checkNumbers(shape: Shape, { row, place }: Draft): void {
    for (const field of shape.fields) {
      const value = row[field.column];
      if (!NUMBERS.has(field.kind) || value == null) continue;
      const reading = readValue(field, value);
      if ('value' in reading) row[field.column] = reading.value;
      else this.faults.add(`${place}.${field.member}`, reading.code);
    }
  }

  /** Drafts without a fault. A hook reports its faults by place, so the places are looked through. */
  private sound(drafts: readonly Draft[]): Draft[] {
    const { faults } = this.faults;
    for (const draft of drafts) draft.broken ||= faults.some(({ place }) => place.startsWith(`${draft.place}.`));
    return drafts.filter(({ broken }) => !broken);
  }

  private markBroken(shape: Shape, { item, row }: Draft): void {
    if (typeof item.svc_id === 'string') this.broken.add(`${shape.name} ${item.svc_id.toLowerCase()}`);
    const code = shape.codeColumn && (row[shape.codeColumn] ?? memberAt(item, shape.codeColumn));
    if (typeof code === 'string') this.broken.add(`${shape.name} ${code}`);
  }

  /** Whether the row is in the document and has a fault: what refers to it has none of its own. */
  isBroken(name: string, id: string | undefined, code: string | undefined): boolean {
    return [id, code].some((text) => text !== undefined && this.broken.has(`${name} ${text}`));
  }

  /** What could not be stored before the whole document had been read. */
  async finish(): Promise<void> {
    for (const { child, entries } of this.lateChildren) await this.store(child.shape(), entries);
    await this.postponed.store(this);
    await ensureDefaultEntity(this);
  }

  /** The entity that bills what names none. */
  async defaultEntity(): Promise<Found> {
    if (this.standard) return this.standard;
    await ensureDefaultEntity(this);
    const [row] = await this.sql.rows(
      `SELECT id::text AS id FROM billing_entities WHERE organization_id = $1::uuid AND is_default AND deleted_at IS NULL`,
      this.organizationId,
    );
    await this.resolver.loadIds('billing_entity', [String(row?.id)]);
    const found = this.resolver.byId('billing_entity', String(row?.id));
    if (!found) throw new Error('the organization has no billing entity');
    this.standard = found;
    return found;
  }

  async addDefaultEntity(): Promise<void> {
    const item: JsonObject = { code: 'default', name: this.organizationName, is_default: true };
    await this.store(BILLING_ENTITY, [{ place: 'billing_entities[default]', item }]);
  }

  async defaultCurrency(): Promise<string> {
    return (await this.defaultEntity()).default_currency ?? 'USD';
  }

  async invoiceCurrency(id: string): Promise<string | undefined> {
    await this.resolver.loadIds('invoice', [id]);
    return this.resolver.byId('invoice', id)?.currency ?? undefined;
  }

  async count(table: string, column: string, value: unknown): Promise<number> {
    const [row] = await this.sql.rows(
      `SELECT count(*)::text AS count FROM ${table} WHERE organization_id = $1::uuid AND ${column}::text = $2`,
      this.organizationId,
      String(value),
    );
    return Number(row?.count ?? 0);
  }

  linked(draft: Draft, member: string): string[] {
    return draft.links[member] ?? [];
  }
}
