import type { FieldRef, InputFieldMap, InputShapeFromFields, OutputType, TypeParam } from '@pothos/core';
import { getDatamodel } from '../../store/generated/pothos.ts';
import type { Context } from '../context.ts';
import type { Model, Types } from './builder.ts';
import { currencyDetails } from './currency.ts';
import { enumRef } from './enum.ts';
import { openEnumOf } from './open-enum.ts';
import { textScalarOf } from './text-scalar.ts';

interface Column {
  readonly name: string;
  readonly kind: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly documentation?: string;
}

const { models } = getDatamodel().datamodel;

const columnsOf = (model: string): readonly Column[] => models[model]?.fields ?? [];

// Columns of type DATE; the data model does not tell them from moments.
const DATES = new Set(['issuingDate', 'paymentDueDate', 'expectedFinalizationDate', 'downgradePlanDate', 'usageDate']);
const PERCENTAGES = new Set(['rate', 'taxRate', 'taxesRate', 'percentageRate']);
const KEPT_BY_DATABASE = ['words', 'measuredBy', 'measuredValue', 'measuredText'];
const INTERNAL = new Set([
  'organizationId',
  'organization',
  'deletedAt',
  'canonicalValues',
  'position',
  ...KEPT_BY_DATABASE,
]);

const capital = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** The name that GraphQL gives a column: identifiers assigned by the service begin with `svc`. */
function fieldName({ name, type }: Column): string {
  if (name === 'id') return 'svcId';
  const isKey =
    type === 'String' &&
    /[a-z]Id$/.test(name) &&
    !/^(external|transaction|provider|eventTransaction|subsidiary)/.test(name);
  return isKey ? `svc${capital(name)}` : name;
}

function fieldType(model: Model, column: Column, name: string): OutputType<Types> {
  const known = openEnumOf(model, column.name) ?? textScalarOf(column.name);
  if (known) return known;
  if (column.kind === 'enum') return enumRef(column.type);
  if (DATES.has(column.name)) return 'Date';
  if (PERCENTAGES.has(column.name)) return 'Percentage';
  if (name.startsWith('svc')) return 'UUID';
  return column.type === 'Json' ? 'JSON' : (column.type as OutputType<Types>);
}

/** A field that selects what it needs of its row by names that are known only at run time. */
interface SelectedField<Args extends InputFieldMap> {
  readonly type: TypeParam<Types>;
  readonly nullable?: boolean;
  readonly description?: string | undefined;
  readonly args?: Args;
  readonly extensions?: object;
  select: object | ((args: InputShapeFromFields<Args>, context: Context, nested: Nested) => object);
  resolve(row: Record<string, unknown>, args: InputShapeFromFields<Args>, context: Context): unknown;
}

type Nested = (query: object, path?: object) => object;

/**
 * Pothos' field builder for fields whose columns and relations are known only at run time, which its types cannot follow.
 * Every builder of a model's fields is one.
 */
export interface Selecting {
  expose(name: string, options: object): FieldRef<Types>;
  relation(name: string, options: object): FieldRef<Types>;
  field(options: object): FieldRef<Types>;
}

/** A field of its own. */
export const selectedField = <Args extends InputFieldMap>(t: Selecting, options: SelectedField<Args>) =>
  t.field(options);

/**
 * Extensions of a field that shows a column: the first of these that is not null, of the row or, by a path, of one that it
 * refers to, else the text given. Its resolver says the same; PostgreSQL says it where it writes the row.
 */
export const firstOf = (paths: readonly string[], otherwise?: string) => ({ firstOf: { paths, otherwise } });

/** Extensions of a field whose object is made of columns of the row itself. */
export const SAME_ROW = { isSameRow: true };

/** Which columns are shown, and how, where that differs from the column itself. */
export interface ColumnOptions {
  /** Columns that are not shown as they are. */
  readonly omit?: readonly string[];
  /** Columns that may be null in the database but not in the specification, with what stands for null. */
  readonly filled?: Readonly<Record<string, unknown>>;
}

function scalar(t: Selecting, model: Model, column: Column, filled: ColumnOptions['filled'] = {}): FieldRef<Types> {
  const name = fieldName(column);
  const type = fieldType(model, column, name);
  const shown: TypeParam<Types> = column.isList ? [type] : type;
  const options = { type: shown, description: column.documentation };
  if (!(column.name in filled)) return t.expose(column.name, { ...options, nullable: !column.isRequired });
  return selectedField(t, {
    ...options,
    select: { [column.name]: true },
    resolve: (row) => row[column.name] ?? filled[column.name],
  });
}

/**
 * Every scalar column of a model, what is known of the currency that one names, and every relation to one other row, as a field
 * with the comment of the Prisma schema as its description. The values are the row's own: nothing is computed.
 */
export function columns(t: Selecting, model: Model, { omit = [], filled }: ColumnOptions) {
  const fields: Record<string, FieldRef<Types>> = {};
  for (const column of columnsOf(model)) {
    if (INTERNAL.has(column.name) || omit.includes(column.name)) continue;
    if (column.kind !== 'object') {
      const name = fieldName(column);
      fields[name] = scalar(t, model, column, filled);
      if (/currency$/i.test(name)) {
        const details = { ...currencyDetails(name), nullable: !column.isRequired, select: { [name]: true } };
        fields.currencyDetails = selectedField(t, details);
      }
    } else if (!column.isList) {
      const options = { nullable: !column.isRequired, description: column.documentation };
      fields[column.name] = t.relation(column.name, options);
    }
  }
  return fields;
}

/** A column of a model; one that the model lacks is an error of the program. */
export function columnOf(model: Model, name: string): Column {
  const column = columnsOf(model).find((one) => one.name === name);
  if (!column) throw new Error(`${model} has no column ${name}`);
  return column;
}

/** The type of a column where it is shown, and where it is given. */
export const columnType = (model: Model, name: string) => fieldType(model, columnOf(model, name), name);

/** Whether rows of the model are kept when they are deleted. */
export const isSoftDeleted = (model: Model) => columnsOf(model).some((column) => column.name === 'deletedAt');

/** The comment of a list relation, for fields that show it as a connection. */
export const relationDescription = (model: Model, relation: string) =>
  columnsOf(model).find((column) => column.name === relation)?.documentation;

/** A row's columns by the names that GraphQL gives them, for objects that are shown without being loaded by Pothos. */
export function rowFields(model: Model, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = columnsOf(model).filter(({ name, kind }) => kind !== 'object' && !INTERNAL.has(name));
  return Object.fromEntries(shown.map((column) => [fieldName(column), row[column.name]]));
}
