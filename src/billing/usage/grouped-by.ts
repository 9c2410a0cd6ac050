/** Values of the pricing group keys, in the order of the keys; a missing value is null. */
export type GroupedBy = Readonly<Record<string, string | null>>;
