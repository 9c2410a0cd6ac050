import { invalid, within } from '../../errors.ts';

interface Placed<Sent> {
  readonly sent: Sent;
  readonly at: readonly (string | number)[];
}

/** What a list makes of the stored prices of a plan. */
export interface PriceList<Row, Sent> {
  readonly kept: readonly (Placed<Sent> & { readonly row: Row })[];
  readonly created: readonly Placed<Sent>[];
  readonly removed: readonly Row[];
  /** Refuses what is named twice: a check for each. */
  readonly checks: readonly (() => void)[];
}

/**
 * Sorts a whole list of prices by what it does: what it names by an identifier of the plan's stays and changes, everything else in it is
 * new, and what it does not name goes. Stored [a, b] and sent [b, c, -]: b changes, two are new, a goes. Source: engine-catalogue 10.2.
 */
export function priceList<Row extends { readonly id: string }, Sent>(
  list: string,
  rows: readonly Row[],
  sent: readonly Sent[],
  idOf: (sent: Sent) => string | null | undefined,
): PriceList<Row, Sent> {
  const stored = new Map(rows.map((row) => [row.id, row]));
  const placed = sent.map((one, index) => ({
    sent: one,
    at: [list, index],
    row: stored.get(idOf(one)?.toLowerCase() ?? ''),
  }));
  const named = new Set(placed.map(({ row }) => row?.id));
  const seen = new Set<string>();
  const checks = placed.map(({ row, at }) => {
    const isAgain = row !== undefined && seen.has(row.id);
    if (row) seen.add(row.id);
    return () => {
      if (isAgain) within(at, () => refuseAgain());
    };
  });
  return {
    kept: placed.flatMap(({ row, ...one }) => (row ? [{ ...one, row }] : [])),
    created: placed.flatMap(({ row, ...one }) => (row ? [] : [one])),
    removed: rows.filter(({ id }) => !named.has(id)),
    checks,
  };
}

function refuseAgain(): never {
  throw invalid({ id: ['value_is_duplicated'] });
}
