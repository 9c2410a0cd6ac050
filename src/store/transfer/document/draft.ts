import type { Json, JsonObject } from '../value/json.ts';
import type { Found } from '../value/sql.ts';

/** Columns of a row under way to the database, by column name; what is undefined is left as it is. */
export type Row = Record<string, Json | undefined>;

/** A row of the document on its way into the database. */
export interface Draft {
  readonly place: string;
  readonly item: JsonObject;
  readonly row: Row;
  /** The rows that its references name, by column. */
  readonly found: Record<string, Found>;
  readonly parent?: Draft | undefined;
  /** Identifiers that its lists of references name, by member; absent where no list was given. */
  readonly links: Record<string, string[]>;
  /** The `svc_id` given, else set by matching. */
  id: string;
  isNew: boolean;
  /** The stored row has a key that it gives up, and that another row of its batch takes. */
  freesKey?: boolean;
  /** It has a fault, or depends on something that has: it is checked, and not stored. */
  broken: boolean;
}

/** An entry of a list in the document, and where it stands. */
export interface Entry {
  readonly place: string;
  readonly item: Json;
  readonly parent?: Draft;
  /** Column that names the parent. */
  readonly column?: string;
}
