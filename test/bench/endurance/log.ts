/** Asks the gateway for a GraphQL query's data. */
export type Ask = (query: string) => Promise<Record<string, unknown>>;

interface Page {
  readonly nodes: readonly { readonly before: unknown; readonly after: unknown }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** What the log says of a wallet. */
export interface Chain {
  readonly entries: number;
  /** Whether every entry begins where another ended, from one state to the one that is stored. */
  readonly isWhole: boolean;
}

async function* pagesOf(ask: Ask, wallet: string): AsyncGenerator<Page['nodes']> {
  let place = '';
  for (;;) {
    const shown = 'nodes { before after } pageInfo { hasNextPage endCursor }';
    const { auditLog } = await ask(`{ auditLog(objectId: "${wallet}", first: 100${place}) { ${shown} } }`);
    const { nodes, pageInfo } = auditLog as Page;
    yield nodes;
    if (!pageInfo.hasNextPage) return;
    place = `, after: "${pageInfo.endCursor}"`;
  }
}

/** Reads all that the log says of a wallet, and holds it against what the wallet is. */
export async function chainOf(ask: Ask, wallet: string): Promise<Chain> {
  let entries = 0;
  // How often a state was arrived at less how often it was left: 0 but for the first and the last.
  const balance = new Map<string, number>();
  const count = (state: unknown, by: number) => {
    const text = JSON.stringify(state);
    const counted = (balance.get(text) ?? 0) + by;
    if (counted === 0) balance.delete(text);
    else balance.set(text, counted);
  };
  for await (const nodes of pagesOf(ask, wallet)) {
    entries += nodes.length;
    for (const { before, after } of nodes) {
      count(before, -1);
      count(after, 1);
    }
  }
  const stored = ((await ask(`{ wallet(svcId: "${wallet}") { metadata } }`)).wallet as { metadata: object }).metadata;
  const ends = [...balance];
  const arrived = ends.filter(([, counted]) => counted > 0);
  const isWhole =
    ends.length === 0 || (ends.length === 2 && arrived.length === 1 && ends.every(([, n]) => Math.abs(n) === 1));
  return {
    entries,
    isWhole: isWhole && (arrived.length === 0 || arrived[0]?.[0] === JSON.stringify({ metadata: stored })),
  };
}
