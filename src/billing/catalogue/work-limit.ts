// What one price and one preview may hold: each multiplies the other, and all of it is computed and printed for one request.

/** Ranges of a price, in writes and imports. */
export const MOST_RANGES = 500;
/** Fees that supposed usage of a preview may become: one a pricing group. */
export const MOST_SUPPOSED_FEES = 1000;
/** Lines of ranges that these fees may show together. */
export const MOST_SUPPOSED_LINES = 20_000;
/** Supposed events of a preview. */
export const MOST_SUPPOSED_EVENTS = 10_000;
