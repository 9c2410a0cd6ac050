import { getDatamodel } from '../generated/pothos.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';

/** A column, by the name that Prisma gives it. */
export interface Column {
  readonly kind: 'column';
  readonly name: string;
  /** Its name in SQL, quoted. */
  readonly sql: string;
  /** Type in Prisma: String, BigInt, Decimal, DateTime, Json, Int, Float, Boolean, or an enum's name. */
  readonly type: string;
  readonly isList: boolean;
  /** Whether it identifies a row, its own or another: a UUID in PostgreSQL too. */
  readonly isKey: boolean;
}

/** Rows of another table, or of the same, that belong to a row. */
export interface Relation {
  readonly kind: 'relation';
  readonly name: string;
  readonly model: string;
  readonly isList: boolean;
  /** The row's own column, quoted, that holds the identifier of the one that belongs to it. */
  readonly key?: string | undefined;
  /** What is read from, and the condition that makes a row of it belong: of the aliases of the related table and of the row's. */
  join(related: string, row: string): { readonly tables: string; readonly condition: string };
}

/** A table of the Prisma schema. */
export interface Table {
  /** Quoted. */
  readonly sql: string;
  readonly fields: ReadonlyMap<string, Column | Relation>;
}

export type Tables = ReadonlyMap<string, Table>;

interface Field {
  readonly name: string;
  readonly kind: string;
  readonly type: string;
  readonly dbName?: string;
}

interface Described {
  readonly name: string;
  readonly type: string;
  readonly isList: boolean;
  readonly relationName?: string;
  readonly relationFromFields?: readonly string[];
}

// What Prisma keeps of its schema at run time has the names of tables and columns; what is generated for Pothos has the rest.
interface RuntimeModels {
  readonly _runtimeDataModel: {
    readonly models: Record<string, { readonly dbName?: string; readonly fields: Field[] }>;
  };
}
type Descriptions = Record<string, { readonly fields: readonly Described[] } | undefined>;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

// Prisma names the schema in every statement, whatever the search path is.
const inSchema = (table: string) => `"public".${quoted(table)}`;

const columnSql = ({ name, dbName }: Field): string => quoted(dbName ?? name);

interface Schema {
  readonly descriptions: Descriptions;
  /** The quoted column of a model's field. */
  column(model: string, field: string): string;
  table(model: string): string;
}

/** The table of pairs that Prisma keeps for rows that belong to many of each other: A is the model that comes first by name. */
function throughPairs(model: string, { type, relationName = '' }: Described, schema: Schema): Relation['join'] {
  const [own, other] = model < type ? ['"A"', '"B"'] : ['"B"', '"A"'];
  const pairs = inSchema(`_${relationName}`);
  return (related, row) => ({
    tables: `${schema.table(type)} ${related} JOIN ${pairs} ${related}p ON ${related}p.${other} = ${related}."id"`,
    condition: `${related}p.${own} = ${row}."id"`,
  });
}

/** The column of the model by which a relation leads to one row. */
const keyOf = (model: string, { relationFromFields = [] }: Described, schema: Schema): string | undefined =>
  relationFromFields[0] && schema.column(model, relationFromFields[0]);

function joinOf(model: string, field: Described, schema: Schema): Relation['join'] {
  const { type, relationName, relationFromFields = [] } = field;
  const opposite = schema.descriptions[type]?.fields.find(
    (one) => one.relationName === relationName && !(type === model && one.name === field.name),
  );
  const [key] = relationFromFields;
  const [theirs] = opposite?.relationFromFields ?? [];
  if (!key && !theirs) return throughPairs(model, field, schema);
  const tables = (related: string) => `${schema.table(type)} ${related}`;
  // Every foreign key of the schema is one column and refers to `id`.
  return (related, row) => ({
    tables: tables(related),
    condition: key
      ? `${related}."id" = ${row}.${schema.column(model, key)}`
      : `${related}.${schema.column(type, theirs ?? '')} = ${row}."id"`,
  });
}

function readTables(prisma: PrismaClient): Tables {
  const { models } = (prisma as unknown as RuntimeModels)._runtimeDataModel;
  const { models: descriptions } = getDatamodel().datamodel;
  const schema: Schema = {
    descriptions,
    table: (model) => inSchema(models[model]?.dbName ?? model),
    column: (model, name) => {
      const field = models[model]?.fields.find((one) => one.name === name);
      if (!field) throw new Error(`${model} has no column ${name}`);
      return columnSql(field);
    },
  };
  const tableOf = (model: string, fields: readonly Field[]): Table => {
    const { fields: all = [] } = descriptions[model] ?? {};
    const described = new Map(all.map((one) => [one.name, one]));
    const keys = new Set(['id', ...all.flatMap(({ relationFromFields = [] }) => relationFromFields)]);
    const read = fields.flatMap((field): (Column | Relation)[] => {
      const { name, type } = field;
      const description = described.get(name);
      if (!description) return [];
      const { isList } = description;
      if (field.kind !== 'object')
        return [{ kind: 'column', name, sql: columnSql(field), type, isList, isKey: keys.has(name) }];
      const [join, key] = [joinOf(model, description, schema), keyOf(model, description, schema)];
      return [{ kind: 'relation', name, model: type, isList, key, join }];
    });
    return { sql: schema.table(model), fields: new Map(read.map((one) => [one.name, one])) };
  };
  return new Map(Object.entries(models).map(([model, { fields }]) => [model, tableOf(model, fields)]));
}

const known = new WeakMap<PrismaClient, Tables>();

/** The tables of the Prisma schema by the names of their models. */
export function tablesOf(prisma: PrismaClient): Tables {
  const tables = known.get(prisma) ?? readTables(prisma);
  known.set(prisma, tables);
  return tables;
}
