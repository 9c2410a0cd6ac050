/** Rows by a text of theirs, in the order in which the texts first come: rows that become the same share a statement. */
export function groupsOf<T>(rows: readonly T[], textOf: (row: T) => string): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const row of rows) {
    const text = textOf(row);
    const group = groups.get(text);
    if (group) group.push(row);
    else groups.set(text, [row]);
  }
  return [...groups.values()];
}
