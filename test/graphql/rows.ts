import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/store/database/database.ts';
import { getDatamodel } from '../../src/store/generated/pothos.ts';

import * as enums from '../../src/store/generated/prisma/enums.ts';

interface Column {
  readonly name: string;
  readonly kind: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly hasDefaultValue: boolean;
  readonly isUpdatedAt: boolean;
  readonly relationFromFields?: readonly string[];
}

const models = (getDatamodel() as unknown as { datamodel: { models: Record<string, { fields: Column[] }> } }).datamodel
  .models;

/** Every model whose rows belong to an organization, and that the database does not write itself. */
export const tenantModels = Object.keys(models).filter(
  (name) => name !== 'DueCustomer' && models[name]?.fields.some((column) => column.name === 'organizationId'),
);

const VALUES: Readonly<Record<string, (column: string) => unknown>> = {
  // A UUID, because some columns of text are of that type.
  String: (column) => (/currency/i.test(column) ? 'EUR' : randomUUID()),
  Int: () => 1,
  BigInt: () => 100n,
  Decimal: () => '1',
  Float: () => 1,
  Boolean: () => false,
  DateTime: () => new Date('2026-03-01T00:00:00Z'),
  Json: () => ({}),
};

const enumValue = (name: string) => Object.keys((enums as Record<string, object>)[name] ?? {})[0];

export type Row = Record<string, unknown> & { id: string };

interface Delegate {
  create(args: { data: object }): Promise<Row>;
  createManyAndReturn(args: { data: object[] }): Promise<Row[]>;
}

type Data = Record<string, unknown>;

/** Makes one row of any model, with the rows it cannot be without; `many` makes several in one statement. */
export interface Make {
  (model: string, data?: Data): Promise<Row>;
  many(model: string, data: Data[]): Promise<Row[]>;
}

const isMade = ({ name, kind, isRequired, isList, hasDefaultValue, isUpdatedAt }: Column) =>
  kind !== 'object' && isRequired && !isList && !hasDefaultValue && !isUpdatedAt && name !== 'organizationId';

const sample = (column: Column): unknown =>
  column.kind === 'enum' ? enumValue(column.type) : VALUES[column.type]?.(column.name);

/** Rows of an organization: what a row needs and is not given is made once and shared. */
export function rowMaker(db: Database, organizationId: string): Make {
  const delegate = (model: string) => {
    const name = `${model.charAt(0).toLowerCase()}${model.slice(1)}`;
    return (db.prisma as unknown as Record<string, Delegate>)[name] as Delegate;
  };
  const shared = new Map<string, Promise<Row>>();
  const one = (model: string): Promise<Row> => {
    const known = shared.get(model) ?? make(model);
    shared.set(model, known);
    return known;
  };
  const complete = async (model: string, data: Data): Promise<Data> => {
    const columns = models[model]?.fields ?? [];
    const row: Data = { organizationId };
    for (const column of columns.filter((candidate) => isMade(candidate) && !(candidate.name in data))) {
      const relation = columns.find(({ relationFromFields: keys }) => keys?.length === 1 && keys.includes(column.name));
      row[column.name] = relation ? (await one(relation.type)).id : sample(column);
    }
    return { ...row, ...data };
  };
  const make = async (model: string, data: Data = {}) => delegate(model).create({ data: await complete(model, data) });
  const many = async (model: string, data: Data[]) => {
    const rows: Data[] = [];
    for (const given of data) rows.push(await complete(model, given));
    return delegate(model).createManyAndReturn({ data: rows });
  };
  return Object.assign(make, { many });
}
