import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/store/database.ts';
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

/** Every model whose rows belong to an organization. */
export const tenantModels = Object.keys(models).filter((name) =>
  models[name]?.fields.some((column) => column.name === 'organizationId'),
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
}

/** Makes one row of any model, with the rows it cannot be without. */
export type Make = (model: string, data?: Record<string, unknown>) => Promise<Row>;

/** Rows of an organization: what a row needs and is not given is made once and shared. */
export function rowMaker(db: Database, organizationId: string): Make {
  const shared = new Map<string, Promise<Row>>();
  const one = (model: string): Promise<Row> => {
    const known = shared.get(model) ?? make(model);
    shared.set(model, known);
    return known;
  };
  const sample = async (column: Column): Promise<unknown> =>
    column.kind === 'enum' ? enumValue(column.type) : VALUES[column.type]?.(column.name);
  const make: Make = async (model, data = {}) => {
    const columns = models[model]?.fields ?? [];
    const given = new Set(Object.keys(data));
    const row: Record<string, unknown> = { organizationId };
    const keys = new Map(
      columns
        .filter(({ relationFromFields }) => relationFromFields?.length === 1)
        .map((c) => [c.relationFromFields?.[0], c]),
    );
    for (const column of columns) {
      const isMade = column.isRequired && !column.isList && !column.hasDefaultValue && !column.isUpdatedAt;
      if (given.has(column.name) || column.kind === 'object' || !isMade || column.name === 'organizationId') continue;
      const relation = keys.get(column.name);
      row[column.name] = relation ? (await one(relation.type)).id : await sample(column);
    }
    const delegate = `${model.charAt(0).toLowerCase()}${model.slice(1)}`;
    const client = db.prisma as unknown as Record<string, Delegate>;
    return (client[delegate] as Delegate).create({ data: { ...row, ...data } });
  };
  return make;
}
