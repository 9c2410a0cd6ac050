/** States of invoices that do not exist yet for anybody, or never will: their own workings. */
export const HIDDEN_STATES = ['generating', 'open', 'closed'] as const;

/** States of invoices that came to nothing after all: what they used was given back. */
export const UNDONE_STATES = ['voided', 'closed'] as const;

/** Whether an invoice took what it says that it took. */
export const isUndone = ({ status }: { readonly status: string }): boolean =>
  UNDONE_STATES.some((state) => state === status);
