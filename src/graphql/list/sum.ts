import DataLoader from 'dataloader';
import { rowsOf } from '../../store/database/tenant.ts';
import type { Model } from '../base/builder.ts';
import { columnOf } from '../base/column.ts';
import type { Context, Resource } from '../context.ts';

/** Which columns of a model lists add up, by which currency. */
export interface Sums {
  /** The column that names the currency, here or on the object that has it. */
  readonly currency: string;
  /** The relation that leads to the object that has the currency, where the model has none of its own. */
  readonly currencyOf?: { readonly relation: string; readonly model: Model; readonly resource: Resource };
  readonly columns: readonly string[];
}

/** What the rows of one currency add up to. A column of which no row has a value is absent. */
export interface Sum {
  readonly currency: string;
  readonly count: number;
  readonly values: Readonly<Record<string, unknown>>;
}

const DECLARED = new Map<Model, Sums>();

/** A node says once which of its columns lists add up. */
export function registerSums(model: Model, sums: Sums): void {
  for (const column of sums.columns) columnOf(model, column);
  DECLARED.set(model, sums);
}

/** What lists of a model add up; undefined where they are only counted. */
export const sumsOf = (model: Model): Sums | undefined => DECLARED.get(model);

type Group = Readonly<Record<string, unknown>> & {
  readonly _count: { readonly _all: number };
  readonly _sum: Readonly<Record<string, unknown>>;
};

/** A statement of Prisma's groups by columns of the model only, so that a currency elsewhere takes one for each currency there is. */
async function currenciesOf({ currency, currencyOf }: Sums, { db }: Context): Promise<string[]> {
  if (!currencyOf) return [];
  const groups = await rowsOf(db, currencyOf.model).groupBy({ by: [currency] });
  return groups.map((group) => String((group as Group)[currency]));
}

async function groupsOf(model: Model, sums: Sums, by: readonly string[], where: object, context: Context) {
  const { currency, currencyOf, columns } = sums;
  const read = async (columnsBy: readonly string[], condition: object) =>
    (await rowsOf(context.db, model).groupBy({
      by: columnsBy,
      where: condition,
      _count: { _all: true },
      _sum: Object.fromEntries(columns.map((column) => [column, true])),
    })) as Group[];
  if (!currencyOf) return (await read([...by, currency], where)).filter((group) => group[currency] !== null);
  const codes = await currenciesOf(sums, context);
  const found = codes.map(async (code) => {
    const groups = await read(by, { AND: [where, { [currencyOf.relation]: { [currency]: code } }] });
    return groups.map((group) => ({ ...group, [currency]: code }));
  });
  return (await Promise.all(found)).flat();
}

const sumOf = (group: Group, { currency }: Sums): Sum => ({
  currency: String(group[currency]),
  count: group._count._all,
  values: Object.fromEntries(Object.entries(group._sum).filter(([, value]) => value !== null)),
});

const byCurrency = (one: Sum, other: Sum) => (one.currency < other.currency ? -1 : 1);

/** The sums of all rows that meet a condition, by currency. */
export async function readSums(model: Model, sums: Sums, where: object, context: Context): Promise<Sum[]> {
  const by = sums.currencyOf ? ['organizationId'] : [];
  const groups = await groupsOf(model, sums, by, where, context);
  return groups.map((group) => sumOf(group, sums)).sort(byCurrency);
}

/** The sums of the rows of many parents, each by the parent's identifier, by one statement for all of them. */
export const sumLoader = (model: Model, sums: Sums, foreignKey: string, where: object, context: Context) =>
  new DataLoader<string, Sum[]>(async (ids) => {
    const ofParents = { AND: [where, { [foreignKey]: { in: [...ids] } }] };
    const found = new Map<unknown, Sum[]>();
    for (const group of await groupsOf(model, sums, [foreignKey], ofParents, context)) {
      const parent = group[foreignKey];
      found.set(parent, [...(found.get(parent) ?? []), sumOf(group, sums)]);
    }
    return ids.map((id) => (found.get(id) ?? []).sort(byCurrency));
  });
