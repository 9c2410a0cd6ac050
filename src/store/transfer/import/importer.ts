import { ensureDefaultEntity } from '../default/billing-entity.ts';
import { settleContested } from '../default/subscription.ts';
import type { Draft, Entry } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { readValue } from '../document/read-value.ts';
import { type Child, NUMBERS, type Shape } from '../document/shape.ts';
import { readItems } from '../export/export-item.ts';
import { shapeNamed } from '../shape/all.ts';
import type { JsonObject } from '../value/json.ts';
import type { Found } from '../value/sql.ts';
import { explained } from './database-fault.ts';
import { match } from './match.ts';
import { storePostponed } from './postponed.ts';
import { childEntries, readItem } from './read-item.ts';
import { resolveLinks, resolveReferences } from './reference.ts';
import { Run } from './run.ts';
import { write } from './write.ts';

/** A run, and the order of its steps: batches pass through `store`. */
export class Importer extends Run implements Importing {
  seenDefaultEntity = false;
  readonly contested = new Map<string, string>();
  private readonly lateChildren: { child: Child; entries: Entry[] }[] = [];
  private standard: Found | undefined;

  /** Reads, checks, matches and stores a batch of one shape with everything that stands inside it. */
  async store(shape: Shape, entries: readonly Entry[]): Promise<void> {
    const drafts = entries.flatMap((entry) => readItem(shape, entry, this.faults) ?? []);
    const parent = entries.find(({ column }) => column)?.column;
    await resolveReferences(shape, drafts, this);
    await resolveLinks(shape, drafts, this);
    await shape.prepare?.(this.sound(drafts), this);
    await match(shape, this.sound(drafts), this);
    await this.complete(shape, this.sound(drafts));
    const sound = this.sound(drafts);
    await explained(shape, sound, this.sql, (drafts) => write(shape, drafts, parent, this));
    for (const draft of drafts) if (draft.broken) this.markBroken(shape, draft);
    for (const child of shape.children) await this.storeChildren(child, drafts);
  }

  storeNamed(name: string, entries: readonly Entry[]): Promise<void> {
    return this.store(shapeNamed(name), entries);
  }

  readItems(name: string, ids: readonly string[]): Promise<Map<string, JsonObject>> {
    return readItems(name, ids, this.sql, 't.organization_id = $2::uuid', this.organizationId);
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

  /** What could not be stored before the whole document had been read. */
  async finish(): Promise<void> {
    for (const { child, entries } of this.lateChildren) await this.store(child.shape(), entries);
    await storePostponed(this);
    await settleContested(this);
    await ensureDefaultEntity(this);
  }

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
}
