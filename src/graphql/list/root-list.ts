import type { GraphQLResolveInfo } from 'graphql';
import { rowsOf } from '../../store/database/tenant.ts';
import { listingOf } from '../../store/lookup/listing.ts';
import { type Model, typeName } from '../base/builder.ts';
import { type Plan, planOf } from '../compiled/plan.ts';
import type { Context } from '../context.ts';
import type { Connection, Row } from './connection.ts';
import { lookupFor } from './find-by-id.ts';
import { all, memoize, withOrderColumn } from './list.ts';
import { placeColumns } from './order.ts';
import { cutPage, type Page, type PageArgs } from './page.ts';
import { readSums, sumsOf } from './sum.ts';

/** A list that begins at the root. */
interface RootList {
  readonly model: Model;
  /** The condition that serves rows, total and sums. */
  readonly where: object;
  readonly page: Page;
  readonly args: PageArgs;
  /** Whether the caller has narrowed it: only its values tell PostgreSQL then how many rows it has. */
  readonly isNarrowed: boolean;
}

interface Stretch extends Pick<Page, 'take' | 'skip' | 'orderBy'> {
  readonly where: { readonly AND: object[] };
}

type Read = (stretch: Stretch) => Promise<Row[]>;

/** Rows of a page. A page over the edge between values and nulls is read in two ranges instead of one scan from the start. */
async function readStretches({ page, where }: RootList, read: Read): Promise<Row[]> {
  const { skip, orderBy } = page;
  const stretch = (condition: object, take: number) => read({ where: all(where, condition), take, skip, orderBy });
  if (!page.stretches) return stretch(page.where, page.take);
  const [near, far] = page.stretches;
  const first = await stretch(near, page.take);
  return first.length < page.take ? [...first, ...(await stretch(far, page.take - first.length))] : first;
}

async function readByPrisma(list: RootList, plan: Plan, { db }: Context) {
  const query = withOrderColumn(plan.query, list.page);
  return cutPage(
    list.page,
    await readStretches(list, (stretch) => rowsOf(db, list.model).findMany({ ...query, ...stretch })),
  );
}

/** Which rows are on the page, with their texts where PostgreSQL writes them in the same statement. */
async function readPlaces(list: RootList, writing: Plan['written'], { db }: Context) {
  const { model, page, isNarrowed } = list;
  const columns = placeColumns(page.order);
  const listing = listingOf(db, model, { columns, writing, isKept: !isNarrowed });
  let isWritten = writing !== undefined;
  const rows = await readStretches(list, (stretch) => {
    const read = listing?.read(stretch) as Promise<Row[]> | undefined;
    if (!read) isWritten = false;
    return read ?? rowsOf(db, model).findMany({ ...stretch, select: columns });
  });
  return { ...cutPage(page, rows), isWritten };
}

const showsRelations = ({ select, include }: { select?: object; include?: object }) =>
  include !== undefined || Object.values(select ?? {}).some((asked) => typeof asked === 'object');

/**
 * The rows of a page that is asked again: by one statement, or by two where the list is narrowed, or Prisma would have to join
 * what belongs to them. The first finds which rows they are, without a plan that was made for other values; then they are
 * read by their identifiers. What is deleted in between is not on the page.
 */
async function readAgain(list: RootList, plan: Plan, context: Context) {
  const { model, isNarrowed } = list;
  const { written } = plan;
  const lookup = written || showsRelations(plan.query) ? lookupFor(context, model, plan) : undefined;
  if (!lookup) return readByPrisma(list, plan, context);
  const places = await readPlaces(list, isNarrowed ? undefined : written, context);
  if (places.isWritten || places.rows.length === 0) return places;
  const found = await lookup(places.rows.map(({ id }) => id));
  const byId = new Map(found.map((row) => [row.id, row]));
  const rows = places.rows.flatMap((place) => {
    const row = byId.get(place.id);
    return row ? [Object.assign(row, place)] : [];
  });
  return { ...places, rows };
}

/** A list that begins at the root: a statement or two for the rows, one for the total, each only when asked for. */
export function rootConnection(list: RootList, context: Context, info: GraphQLResolveInfo): Connection {
  const { model, where, page, args } = list;
  const declared = sumsOf(model);
  const plan = planOf(context, info, { typeName: typeName(model), paths: [['nodes'], ['edges', 'node']] });
  const counted = () =>
    plan.isCompiled
      ? listingOf(context.db, model, { columns: { id: true }, isKept: false })?.count(all(where))
      : undefined;
  return {
    page,
    args,
    rows: memoize(() => (plan.isCompiled ? readAgain(list, plan, context) : readByPrisma(list, plan, context))),
    total: memoize(() => counted() ?? rowsOf(context.db, model).count({ where: all(where) })),
    sums: memoize(async () => (declared ? readSums(model, declared, all(where), context) : [])),
  };
}
