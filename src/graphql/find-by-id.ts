import DataLoader from 'dataloader';
import type { Model } from './builder.ts';
import type { Context } from './context.ts';

interface Row {
  readonly id: string;
}

interface Finding {
  findFirst(args: object): Promise<Row | null>;
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

type Loader = DataLoader<string, Row | null>;
const loaders = new WeakMap<Context['db'], WeakMap<object, Loader>>();

function loaderOf(context: Context, model: Model, query: object, where: object): Loader {
  const ofOrganization = loaders.get(context.db) ?? new WeakMap<object, Loader>();
  loaders.set(context.db, ofOrganization);
  const known = ofOrganization.get(query);
  if (known) return known;
  const rows = delegate<Finding>(context, model);
  const load = async (ids: readonly string[]) => {
    const [first, ...others] = [...new Set(ids)];
    if (others.length === 0) {
      const row = await rows.findFirst({ ...query, where: { ...where, id: first } });
      return ids.map(() => row);
    }
    const found = await rows.findMany({ ...query, where: { ...where, id: { in: padded([...new Set(ids)]) } } });
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
export const findById = (context: Context, model: Model, query: object, { id, ...where }: Row): Promise<Row | null> =>
  loaderOf(context, model, query, where).load(id.toLowerCase());
