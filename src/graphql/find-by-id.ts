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

/** By Prisma. */
const finder =
  (context: Context, model: Model, { where, ...selection }: { readonly where: Condition }): Lookup =>
  (ids) =>
    delegate<Finding>(context, model).findMany({ ...selection, where: { ...where, id: { in: padded(ids) } } });

type Loader = DataLoader<string, Row | null>;
const loaders = new WeakMap<Context['db'], WeakMap<object, Loader>>();

function loaderOf(context: Context, model: Model, query: object, where: Condition): Loader {
  const ofOrganization = loaders.get(context.db) ?? new WeakMap<object, Loader>();
  loaders.set(context.db, ofOrganization);
  const known = ofOrganization.get(query);
  if (known) return known;
  const wanted = { ...query, where };
  let find = finder(context, model, wanted);
  let isFirst = true;
  const load = async (ids: readonly string[]) => {
    const found = await find([...new Set(ids)]);
    // A statement of its own takes longer to write than a row to read: it is for queries that are asked again.
    if (isFirst) find = lookupOf(context.db, model, wanted) ?? find;
    isFirst = false;
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
