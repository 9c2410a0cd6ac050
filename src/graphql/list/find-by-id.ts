import DataLoader from 'dataloader';
import { lookupBy, lookupOf, type Statement, statementOf } from '../../store/database/lookup.ts';
import { rowsOf } from '../../store/database/tenant.ts';
import type { Model } from '../base/builder.ts';
import type { Plan } from '../compiled/plan.ts';
import type { Context } from '../context.ts';

interface Row {
  readonly id: string;
}

type Condition = Readonly<Record<string, unknown>>;

const MOST_IDS = 32;

// Few lengths of lists, so that the statements are few and PostgreSQL keeps the plan of each.
function padded(ids: readonly string[]): string[] {
  const size = 2 ** Math.ceil(Math.log2(ids.length));
  return Array.from({ length: size }, (_, index) => ids[Math.min(index, ids.length - 1)] ?? '');
}

const statements = new WeakMap<object, Statement | null>();

/** Reads rows by a statement that is written once for a query that is the same object each time. Undefined where only Prisma can read them. */
export function lookupFor({ db }: Pick<Context, 'db'>, model: Model, query: object, where: Condition = {}) {
  const known = statements.get(query);
  const statement = known === undefined ? (statementOf(db, model, { ...query, where }) ?? null) : known;
  statements.set(query, statement);
  return statement ? lookupBy(db, statement) : undefined;
}

type Loader = DataLoader<string, Row | null>;
const loaders = new WeakMap<Context['db'], WeakMap<object, Loader>>();

function loaderOf({ query, isCompiled }: Plan, where: Condition, context: Context, model: Model): Loader {
  const ofOrganization = loaders.get(context.db) ?? new WeakMap<object, Loader>();
  loaders.set(context.db, ofOrganization);
  const known = ofOrganization.get(query);
  if (known) return known;
  const rows = rowsOf(context.db, model);
  const byPrisma = (ids: readonly string[]) =>
    rows.findMany({ ...query, where: { ...where, id: { in: padded(ids) } } });
  const find = (isCompiled && lookupFor(context, model, query, where)) || byPrisma;
  const load = async (ids: readonly string[]) => {
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
 * A row by its identifier, for a plan whose query shows `id`. What requests of one organization ask for at one moment, and by
 * the same query, comes from one statement: under load that is the most of what a lookup costs.
 */
export const findById = (
  context: Context,
  model: Model,
  plan: Plan,
  { id, ...where }: Row & Condition,
): Promise<Row | null> => loaderOf(plan, where, context, model).load(id.toLowerCase());

/** One row, where several may meet the condition the first. */
export async function findOne(context: Context, model: Model, { query, isCompiled }: Plan, wanted: object) {
  const one = { ...query, ...wanted };
  const lookup = isCompiled ? lookupOf(context.db, model, { ...one, take: 1 }) : undefined;
  return lookup ? ((await lookup())[0] ?? null) : rowsOf(context.db, model).findFirst(one);
}
