/** States of invoices that do not exist yet for anybody, or never will: their own workings. */
export const HIDDEN_STATES = ['generating', 'open', 'closed'] as const;
