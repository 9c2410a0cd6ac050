import { getDatamodel } from '../../store/generated/pothos.ts';
import type { Model } from './builder.ts';
import { enumRef } from './enum.ts';

interface Column {
  readonly name: string;
  readonly kind: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly documentation?: string;
}

const models = (getDatamodel() as unknown as { datamodel: { models: Record<Model, { fields: Column[] }> } }).datamodel
  .models;

// Columns of type DATE; the data model does not tell them from moments.
const DATES = new Set(['issuingDate', 'paymentDueDate', 'expectedFinalizationDate', 'downgradePlanDate']);
// The specification writes these as JSON numbers, every other decimal as a string.
const RATES = new Set(['rate', 'taxRate', 'taxesRate']);
const INTERNAL = new Set(['organizationId', 'organization', 'deletedAt', 'canonicalValues', 'position']);

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

function fieldType(column: Column, name: string): unknown {
  if (column.kind === 'enum') return enumRef(column.type);
  if (DATES.has(column.name)) return 'Date';
  if (RATES.has(column.name)) return 'Float';
  if (name.startsWith('svc')) return 'UUID';
  return column.type === 'Json' ? 'JSON' : column.type;
}

/** The part of a Pothos field builder that this file uses; the columns are known only at run time. */
export interface Exposing<Field> {
  expose(name: never, options: never): Field;
  relation(name: never, options: never): Field;
  field(options: never): Field;
}

/** Which columns are shown, and how, where that differs from the column itself. */
export interface ColumnOptions {
  /** Columns that are not shown as they are. */
  readonly omit?: readonly string[];
  /** Columns that may be null in the database but not in the specification, with what stands for null. */
  readonly filled?: Readonly<Record<string, unknown>>;
}

function scalar<Field>(t: Exposing<Field>, column: Column, name: string, filled: ColumnOptions['filled'] = {}): Field {
  const type = fieldType(column, name);
  const options = { type: column.isList ? [type] : type, description: column.documentation };
  if (!(column.name in filled))
    return t.expose(column.name as never, { ...options, nullable: !column.isRequired } as never);
  const resolve = (row: Record<string, unknown>) => row[column.name] ?? filled[column.name];
  return t.field({ ...options, select: { [column.name]: true }, resolve } as never);
}

/**
 * Every scalar column of a model, and every relation to one other row, as a field with the comment of the Prisma schema as
 * its description. The values are the row's own: nothing is computed.
 */
export function columns<Field>(t: Exposing<Field>, model: Model, { omit = [], filled }: ColumnOptions) {
  const fields: Record<string, Field> = {};
  for (const column of models[model].fields) {
    if (INTERNAL.has(column.name) || omit.includes(column.name)) continue;
    if (column.kind !== 'object') {
      const name = fieldName(column);
      fields[name] = scalar(t, column, name, filled);
    } else if (!column.isList) {
      const options = { nullable: !column.isRequired, description: column.documentation };
      fields[column.name] = t.relation(column.name as never, options as never);
    }
  }
  return fields;
}

/** A column of a model; one that the model lacks is an error of the program. */
export function columnOf(model: Model, name: string): Column {
  const column = models[model].fields.find((one) => one.name === name);
  if (!column) throw new Error(`${model} has no column ${name}`);
  return column;
}

/** Whether rows of the model are kept when they are deleted. */
export const isSoftDeleted = (model: Model) => models[model].fields.some((column) => column.name === 'deletedAt');

/** The comment of a list relation, for fields that show it as a connection. */
export const relationDescription = (model: Model, relation: string) =>
  models[model].fields.find((column) => column.name === relation)?.documentation;

/** A row's columns by the names that GraphQL gives them, for objects that are shown without being loaded by Pothos. */
export function rowFields(model: Model, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = models[model].fields.filter(({ name, kind }) => kind !== 'object' && !INTERNAL.has(name));
  return Object.fromEntries(shown.map((column) => [fieldName(column), row[column.name]]));
}
