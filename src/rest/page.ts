/** A page's number or size from the wire: what is no positive number leaves the default; one beyond 32 bits asks for a page past any end. */
export const pageNumber = (text: unknown): number | undefined =>
  typeof text === 'string' && /^0*[1-9]\d*$/.test(text) ? Math.min(Number(text), 2 ** 31 - 1) : undefined;

/** The page of a list, as the specification has it. */
export const pageMeta = `fragment PageMeta on PageMeta {
  current_page: currentPage total_pages: totalPages total_count: totalCount next_page: nextPage prev_page: prevPage
}`;

/** Query parameters of a page. */
export const PAGE = ['page', 'per_page'];

/** Their variables. */
export const pageOf = (query: Readonly<Record<string, unknown>>) => ({
  page: pageNumber(query.page),
  perPage: pageNumber(query.per_page),
});
