import { invalid } from '../../billing/errors.ts';
import { beyondPlace, NEWEST_FIRST, type Order, orderBy, readCursor } from './order.ts';

/** Arguments of every connection. */
export interface PageArgs {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  page?: number | null;
  perPage?: number | null;
}

/** A stretch of a list: by cursors, or by page number. `take` has one row more, which tells whether there is a next page. */
export interface Page {
  readonly take: number;
  readonly skip: number;
  readonly size: number;
  /** Rows are read from the end of the list and turned round. */
  readonly backward: boolean;
  /** Condition that the cursors add; empty without cursors. */
  readonly where: object;
  /** The same rows in two stretches that an index reads one after the other; absent where one range holds them. */
  readonly stretches?: readonly [object, object];
  readonly orderBy: object[];
  readonly order: Order;
  /** The number of the page; 1 unless pages are asked for. */
  readonly number: number;
}

export const DEFAULT_FIRST = 20;
export const MOST_FIRST = 100;
export const DEFAULT_PER_PAGE = 100;
export const MOST_PER_PAGE = 1000;
// OFFSET is a 64-bit number, and Prisma's is a 32-bit one: a page beyond it is as empty as the last one before it.
const MOST_SKIP = 2 ** 31 - 1;

const isPositive = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0;

/** A page by its number. What is not a positive integer falls back to the default, as clients of the reference expect. */
function numberedPage({ page, perPage }: PageArgs, order: Order): Page {
  const size = Math.min(isPositive(perPage) ? perPage : DEFAULT_PER_PAGE, MOST_PER_PAGE);
  const number = isPositive(page) ? page : 1;
  const skip = Math.min((number - 1) * size, MOST_SKIP);
  return { take: size + 1, skip, size, backward: false, where: {}, orderBy: orderBy(order, false), order, number };
}

function checkSize(name: 'first' | 'last', size: number): void {
  const limit = `0 to ${MOST_FIRST}`;
  if (size < 0 || size > MOST_FIRST) throw invalid({ [name]: ['value_is_out_of_range'] }, { [name]: { limit } });
}

/** The condition that the cursors add. Two stretches only where one cursor stands at the edge that reading begins at. */
function betweenCursors(
  { after, before }: PageArgs,
  backward: boolean,
  order: Order,
): Pick<Page, 'where' | 'stretches'> {
  const later = after == null ? undefined : beyondPlace(order, readCursor(after, order, 'after'), false);
  const earlier = before == null ? undefined : beyondPlace(order, readCursor(before, order, 'before'), true);
  const sides = [later, earlier].filter((side) => side !== undefined);
  if (sides.length === 0) return { where: {} };
  const where = { AND: sides.map(({ near, far }) => (far ? { OR: [near, far] } : near)) };
  const first = backward ? earlier : later;
  return sides.length === 1 && first?.far ? { where, stretches: [first.near, first.far] } : { where };
}

/** Reads the paging arguments of a connection. Throws validation errors that name the argument. */
export function readPage(args: PageArgs, order: Order = NEWEST_FIRST): Page {
  const { first, after, last, before } = args;
  const hasCursors = [first, after, last, before].some((value) => value !== null && value !== undefined);
  if (args.page != null || args.perPage != null) {
    if (hasCursors) throw invalid({ page: ['not_compatible_with_cursors'] });
    return numberedPage(args, order);
  }
  if (first != null && last != null) throw invalid({ last: ['not_compatible_with_first'] });
  const backward = last != null;
  const size = last ?? first ?? DEFAULT_FIRST;
  checkSize(backward ? 'last' : 'first', size);
  const between = betweenCursors(args, backward, order);
  return { take: size + 1, skip: 0, size, backward, ...between, orderBy: orderBy(order, backward), order, number: 1 };
}

/** The rows of a page in the order of the list, without the extra one, and whether there are more on its far side. */
export function cutPage<Row>(page: Page, rows: readonly Row[]): { rows: Row[]; hasMore: boolean } {
  const kept = rows.slice(0, page.size);
  return { rows: page.backward ? kept.reverse() : kept, hasMore: rows.length > page.size };
}

/** Numbers of a page as the specification's `meta`. An empty list is page 0 of 0. */
export function pageMeta(page: Page, totalCount: number) {
  const totalPages = page.size === 0 ? 0 : Math.ceil(totalCount / page.size);
  if (totalCount === 0) return { currentPage: 0, totalPages: 0, totalCount: 0, nextPage: null, prevPage: null };
  return {
    currentPage: page.number,
    totalPages,
    totalCount,
    nextPage: page.number < totalPages ? page.number + 1 : null,
    prevPage: page.number > 1 ? page.number - 1 : null,
  };
}
