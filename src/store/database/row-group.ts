/** Rows by one of their columns, in their order; none where there are none of a value. */
export function groupedBy<K extends string, R extends { readonly [column in K]: string | null }>(
  rows: readonly R[],
  column: K,
): (value: string) => readonly R[] {
  const groups = new Map<string | null, R[]>();
  for (const row of rows) {
    const known = groups.get(row[column]);
    if (known) known.push(row);
    else groups.set(row[column], [row]);
  }
  return (value) => groups.get(value) ?? [];
}

/** Rows of one key together, in the order of the first of each. */
export function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = groups.get(key);
    if (known) known.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}
