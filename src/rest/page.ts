/** A page's number from the wire: what is no positive number leaves the default; one beyond 32 bits fits nothing. */
export const pageNumber = (text: unknown): number | undefined =>
  typeof text === 'string' && /^0*[1-9]\d*$/.test(text) ? Number(text) : undefined;

/** How many a page has: no page has as many as 32 bits can say. */
export function pageSize(text: unknown): number | undefined {
  const size = pageNumber(text);
  return size === undefined ? undefined : Math.min(size, 2 ** 31 - 1);
}

/** The page of a list, as the specification has it. */
export const pageMeta = `fragment PageMeta on PageMeta {
  current_page: currentPage total_pages: totalPages total_count: totalCount next_page: nextPage prev_page: prevPage
}`;

/** Query parameters of a page. */
export const PAGE = ['page', 'per_page'];

/** Their variables. */
export const pageOf = (query: Readonly<Record<string, unknown>>) => ({
  page: pageNumber(query.page),
  perPage: pageSize(query.per_page),
});
