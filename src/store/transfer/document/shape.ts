import { type NumberRange, numberRange } from '../../../billing/catalogue/number-range.ts';
import type { Json, JsonObject } from '../value/json.ts';
import type { Draft, Row } from './draft.ts';
import type { Importing } from './importing.ts';

/** How a member is read, checked, stored and printed. */
export type Kind =
  | 'text'
  | 'uuid'
  | 'integer'
  | 'cents'
  | 'decimal'
  | 'rate'
  | 'boolean'
  | 'time'
  | 'date'
  | 'json'
  | 'texts'
  | 'expression'
  | 'currency'
  | 'country'
  | 'timezone'
  | 'locale'
  | 'iban'
  | 'bic'
  | 'payment_url';

/** A member of a document that is stored in a column. */
export interface Field {
  /** Name in the document; a dotted name sits in a nested object (`item.type`). */
  readonly member: string;
  readonly column: string;
  readonly kind: Kind;
  /** The only values allowed, and the names of the type in SQL. */
  readonly values?: readonly string[];
  /** Other names under which the member is accepted. */
  readonly aliases?: readonly string[];
  readonly required?: boolean;
  /** Value of a new row that does not give the member; undefined with `required` or a derivation, else null. */
  readonly initial?: Json;
  /** Of numbers: the values allowed. */
  readonly range?: NumberRange;
  /** Null is stored; otherwise null means that the member was not given. */
  readonly nullable: boolean;
}

/** A member that names another row, by `svc_id` or by the code or external id of that row. */
export interface Ref {
  readonly column: string;
  readonly to: string;
  readonly id: readonly string[];
  readonly code?: readonly string[];
  readonly required?: boolean;
  /** The other row may come later in the document: filled in at the end. Only columns that can be null. */
  readonly late?: boolean;
  /** A snapshot stands on its own: a row that is not there is no fault, and a null id is meant. */
  readonly soft?: boolean;
}

/** Rows that are listed inside another one. `late`: written when the whole document has been read. */
export interface Child {
  readonly member: string;
  readonly shape: () => Shape;
  readonly parent: string;
  readonly one?: boolean;
  readonly late?: boolean;
}

/** A list of references that is kept in a table of pairs. A list that is given replaces the stored one. */
export interface Link {
  readonly member: string;
  readonly codes: readonly string[];
  readonly to: string;
  readonly table: string;
  readonly own: 'A' | 'B';
}

/** Stored rows as items of a document, by id: those of a named shape among `ids` that meet a condition in SQL. */
export type ReadItems = (name: string, ids: readonly string[], where: string) => Promise<Map<string, JsonObject>>;

/** One kind of row: how it looks in a document and where it is stored. */
export interface Shape {
  readonly name: string;
  readonly table: string;
  /** Key of the list at the top of a document; shapes without one appear only inside others. */
  readonly section?: string;
  readonly fields: readonly Field[];
  readonly refs: readonly Ref[];
  readonly children: readonly Child[];
  readonly links: readonly Link[];
  /** Columns that find the row again when no `svc_id` is given; without them its content does. */
  readonly key?: readonly string[];
  /** A table that has the keys of the living rows, each with the column of its row's identifier. */
  readonly keyTable?: { readonly name: string; readonly id: string };
  /** Further condition on the rows that a key or a code can find, in SQL. */
  readonly keyWhere?: string;
  /** The same condition on a row of the document: only then it has a key. */
  readonly isKeyed?: (row: Row) => boolean;
  /** Which rows may not share their key with another live one; of the others the n-th given is the n-th stored. */
  readonly unique?: (row: Row) => boolean;
  /** Column that references by code compare with. */
  readonly codeColumn?: string;
  /** Which of several rows with one code is meant, as an order in SQL. */
  readonly codeOrder?: string;
  /** Adds to the items of an export what is no column. */
  readonly extend?: (items: Map<string, Record<string, Json>>, read: ReadItems) => Promise<void>;
  /** Columns that are computed and have no member. */
  readonly derived?: readonly string[];
  /** A column of new rows that only the database can tell: its value in SQL, and what is joined to the rows `n` for it. */
  readonly told?: { readonly column: string; readonly value: string; readonly join: string };
  /** Order of the rows in an export; by the time they were made unless given. */
  readonly order?: string;
  /** Which rows a section of an export lists, where the others stand elsewhere. */
  readonly listed?: string;
  /** Columns that other shapes read of a row they refer to. */
  readonly lookup?: readonly string[];
  /** Completes what the key needs, before matching. */
  readonly prepare?: (drafts: Draft[], importer: Importing) => Promise<void> | void;
  /** Last word on new and known rows before they are stored. */
  readonly adopt?: (drafts: Draft[], importer: Importing) => Promise<void>;
  /** Completes new rows, after matching. */
  readonly fill?: (drafts: Draft[], importer: Importing) => Promise<void> | void;
}

export const columnsOf = (shape: Shape): string[] => [
  'id',
  ...shape.refs.map((ref) => ref.column),
  ...shape.fields.map((field) => field.column),
  ...(shape.derived ?? []),
];

export const hasColumn = (shape: Shape, column: string): boolean =>
  shape.fields.some((field) => field.column === column);

type Options = Partial<Omit<Field, 'member' | 'kind'>>;

export const required = { required: true } as const;

/** A member. Without `required` and `initial` it can be null. */
export function field(member: string, kind: Kind, options: Options = {}): Field {
  const column = options.column ?? member.slice(member.lastIndexOf('.') + 1);
  return { member, kind, nullable: !options.required && options.initial === undefined, ...options, column };
}

/** A member that has one of a few values; `type` is an enumeration of the generated client. */
export function choice(member: string, type: Readonly<Record<string, string>>, options: Options = {}): Field {
  return field(member, 'text', { ...options, values: Object.values(type) });
}

/** A reference: `ref('plan_id', 'plan', ['svc_plan_id'], ['plan_code'])`. */
export function ref(
  column: string,
  to: string,
  id: readonly string[],
  code?: readonly string[],
  options: Pick<Ref, 'required' | 'late' | 'soft'> = {},
): Ref {
  return { column, to, id, ...(code ? { code } : {}), ...options };
}

/** The times at which a row was made, changed and deleted, as far as its table has them. */
export function stamps(...names: ('updated' | 'deleted')[]): Field[] {
  const created = field('created_at', 'time', { nullable: false });
  const updated = field('updated_at', 'time', { nullable: false });
  const all = { updated, deleted: field('deleted_at', 'time') };
  return [created, ...names.map((name) => all[name])];
}

/** Taxes of a row, as codes or objects. The table's `A` is the owner: every owner's name sorts before `Tax`. */
export function taxLink(table: string): Link {
  return { member: 'taxes', codes: ['tax_codes'], to: 'tax', table, own: 'A' };
}

/** For shapes of which no two live rows share a key. */
export const always = () => true;

export const NUMBERS: ReadonlySet<Kind> = new Set(['integer', 'cents', 'decimal', 'rate']);

/** A shape with what was left out empty, and with the range of every number. */
export function shape(definition: Pick<Shape, 'name' | 'table' | 'fields'> & Partial<Shape>): Shape {
  const fields = definition.fields.map((one) =>
    NUMBERS.has(one.kind) ? { ...one, range: numberRange(definition.name, one.column) } : one,
  );
  return { refs: [], children: [], links: [], ...definition, fields };
}
