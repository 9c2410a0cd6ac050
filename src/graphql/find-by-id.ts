import DataLoader from 'dataloader';
import { type Lookup, lookupOf } from '../store/lookup.ts';
import type { Model } from './builder.ts';
import type { Context } from './context.ts';

interface Row {
  readonly id: string;
}

type Condition = Readonly<Record<string, unknown>>;

interface Finding {
  findMany(args: object): Promise<Row[]>;
}

/** The rows of a model as the caller's organization sees them. */
export function delegate<Rows>({ db }: Pick<Context, 'db'>, model: Model): Rows {
  return (db as unknown as Record<string, Rows>)[`${model.charAt(0).toLowerCase()}${model.slice(1)}`] as Rows;
}

const MOST_IDS = 32;

// Few lengths of lists, so that the statements are few and PostgreSQL keeps the plan of each.
function padded(ids: readonly string[]): string[] {
  const size = 2 ** Math.ceil(Math.log2(ids.length));
  return Array.from({ length: size }, (_, index) => ids[Math.min(index, ids.length - 1)] ?? '');
}

const statements = new WeakMap<Context['db'], WeakMap<object, Lookup | undefined>>();

/**
 * Reads rows by a statement of their own, for a query that is the same object each time. Undefined where only Prisma can,
 * and when the query is seen for the first time: the statement takes longer to write than a row to read.
 */
export function lookupAgain(
  { db }: Pick<Context, 'db'>,
  model: Model,
  query: object,
  where: Condition = {},
): Lookup | undefined {
  const ofOrganization = statements.get(db) ?? new WeakMap<object, Lookup | undefined>();
  statements.set(db, ofOrganization);
  if (!ofOrganization.has(query)) {
    ofOrganization.set(query, undefined);
    return undefined;
  }
  const lookup = ofOrganization.get(query) ?? lookupOf(db, model, { ...query, where });
  ofOrganization.set(query, lookup);
  return lookup;
}

type Loader = DataLoader<string, Row | null>;
const loaders = new WeakMap<Context['db'], WeakMap<object, Loader>>();

function loaderOf(context: Context, model: Model, query: object, where: Condition): Loader {
  const ofOrganization = loaders.get(context.db) ?? new WeakMap<object, Loader>();
  loaders.set(context.db, ofOrganization);
  const known = ofOrganization.get(query);
  if (known) return known;
  const rows = delegate<Finding>(context, model);
  const byPrisma: Lookup = (ids) => rows.findMany({ ...query, where: { ...where, id: { in: padded(ids) } } });
  const load = async (ids: readonly string[]) => {
    const find = lookupAgain(context, model, query, where) ?? byPrisma;
    const found = await find([...new Set(ids)]);
    const byId = new Map(found.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  };
  const options = {
    cache: false,
    maxBatchSize: MOST_IDS,
    batchScheduleFn: (run: () => void) => void setImmediate(run),
  };
  const loader: Loader = new DataLoader(load, options);
  ofOrganization.set(query, loader);
  return loader;
}

/**
 * A row by its identifier, for a query that is the same object each time and shows `id`. What requests of one organization
 * ask for at one moment, comes from one statement: under load that is the most of what a lookup costs.
 */
export const findById = (
  context: Context,
  model: Model,
  query: object,
  { id, ...where }: Row & Condition,
): Promise<Row | null> => loaderOf(context, model, query, where).load(id.toLowerCase());
