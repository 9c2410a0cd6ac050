import type { JsonObject } from '../value/json.ts';
import type { Found, Sql } from '../value/sql.ts';
import type { Draft, Entry } from './draft.ts';
import type { FaultList } from './fault.ts';

/** Finds the rows behind references. */
export interface Finder {
  /** Loads the rows behind a reference that a hook has set. */
  loadFound(to: string, drafts: readonly Draft[], column: string): Promise<void>;
  /** Rows of `name` that the rows behind one reference name in turn, by id. */
  loadAll(name: string, drafts: readonly Draft[], via: string, column: string): Promise<Map<string, Found>>;
}

/** A running import as the hooks of the shapes see it. Shapes are named, so that a hook can ask for those made of hooks. */
export interface Importing {
  readonly sql: Sql;
  readonly organizationId: string;
  readonly organizationName: string;
  /** The moment of the import, in ISO 8601. */
  readonly now: string;
  readonly faults: FaultList;
  /** Whether the document has marked a default entity. */
  seenDefaultEntity: boolean;
  /** Where external ids stand that subscriptions of several customers had when they were read. */
  readonly contested: Map<string, string>;
  readonly resolver: Finder;
  /** Stored rows of the organization, as items of a document, by id. */
  readItems(name: string, ids: readonly string[]): Promise<Map<string, JsonObject>>;
  /** Stores further entries of a section, with everything that stands inside them. */
  storeNamed(name: string, entries: readonly Entry[]): Promise<void>;
  /** The entity that bills what names none. */
  defaultEntity(): Promise<Found>;
  defaultCurrency(): Promise<string>;
  invoiceCurrency(id: string): Promise<string | undefined>;
  /** How many rows of a table have `value` in `column`. */
  count(table: string, column: string, value: unknown): Promise<number>;
}
