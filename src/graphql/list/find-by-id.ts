import DataLoader from 'dataloader';
import { rowsOf } from '../../store/database/tenant.ts';
import { type Lookup, lookupBy, lookupOf, type Statement, statementOf } from '../../store/lookup/lookup.ts';
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

function remembered({ db }: Context, by: object, write: () => Statement | undefined): Lookup | undefined {
  const known = statements.get(by);
  const statement = known === undefined ? (write() ?? null) : known;
  statements.set(by, statement);
  return statement ? lookupBy(db, statement) : undefined;
}

const IDENTIFIER = { select: { id: true } };

/**
 * Reads rows by a statement that is written once for a plan, as texts where PostgreSQL can write them. Undefined where only
 * Prisma can read them.
 */
export function lookupFor(context: Context, model: Model, plan: Plan, where: Condition = {}): Lookup | undefined {
  const { db } = context;
  const { written } = plan;
  const texts =
    written && remembered(context, written, () => statementOf(db, model, { ...IDENTIFIER, where }, written));
  return texts ?? remembered(context, plan.query, () => statementOf(db, model, { ...plan.query, where }));
}

type Loader = DataLoader<string, Row | null>;
const loaders = new WeakMap<Context['db'], WeakMap<object, Loader>>();

function loaderOf(plan: Plan, where: Condition, context: Context, model: Model): Loader {
  const ofOrganization = loaders.get(context.db) ?? new WeakMap<object, Loader>();
  loaders.set(context.db, ofOrganization);
  const by = plan.written ?? plan.query;
  const known = ofOrganization.get(by);
  if (known) return known;
  const rows = rowsOf(context.db, model);
  const byPrisma = (ids: readonly string[]) =>
    rows.findMany({ ...plan.query, where: { ...where, id: { in: padded(ids) } } });
  const find = (plan.isCompiled && lookupFor(context, model, plan, where)) || byPrisma;
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
  ofOrganization.set(by, loader);
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
export async function findOne(context: Context, model: Model, plan: Plan, wanted: object) {
  const { db } = context;
  const first = { ...wanted, take: 1 };
  const texts = plan.written && lookupOf(db, model, { ...IDENTIFIER, ...first }, plan.written);
  const lookup = texts ?? (plan.isCompiled ? lookupOf(db, model, { ...plan.query, ...first }) : undefined);
  return lookup ? ((await lookup())[0] ?? null) : rowsOf(db, model).findFirst({ ...plan.query, ...wanted });
}
