/** Rows in the order in which they were made. */
export const OLDEST_FIRST = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];

/** Rows that have a code, in its order. */
export const BY_CODE = [{ code: 'asc' as const }, { id: 'asc' as const }];

/** Filters of a charge, in the order in which they were given. */
export const FILTER_ORDER = [{ position: 'asc' as const }, ...OLDEST_FIRST];
