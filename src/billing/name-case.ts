/** `minAmountCents` and `BillingEntity` as documents, columns and errors spell them: `min_amount_cents`, `billing_entity`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`);

/** `min_amount_cents` as the graph and rows spell it: `minAmountCents`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
