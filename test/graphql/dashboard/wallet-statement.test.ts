import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Decimal, dec } from '../../../src/billing/money/decimal.ts';
import { type DemoApp, openDemoApp, type Shown } from './demo-app.ts';

let demo: DemoApp;
beforeAll(async () => {
  demo = await openDemoApp();
}, 120_000);
afterAll(() => demo?.close());

const DIGITS: Record<string, number> = { JPY: 0, KWD: 3 };

interface Balance {
  readonly cents: bigint;
  readonly credits: Decimal;
}

/** Every wallet with what it held after each of its settled transactions, added up from nothing. */
async function statements() {
  const wallets = await demo.db.prisma.wallet.findMany({
    include: { customer: true, transactions: { orderBy: [{ settledAt: 'asc' }, { id: 'asc' }] } },
    orderBy: { id: 'asc' },
  });
  return wallets.map((wallet) => {
    const after = new Map<string, Balance>();
    let balance: Balance = { cents: 0n, credits: dec(0) };
    for (const row of wallet.transactions.filter(({ status }) => status === 'settled')) {
      const sign = row.transactionType === 'inbound' ? 1 : -1;
      const cents = dec(row.amount).times(dec(10).pow(DIGITS[wallet.currency] ?? 2));
      expect(cents.isInteger()).toBe(true);
      balance = {
        cents: balance.cents + BigInt(cents.times(sign).toFixed()),
        credits: balance.credits.plus(dec(row.creditAmount).times(sign)),
      };
      after.set(row.id, balance);
    }
    return { wallet, after, last: balance };
  });
}

const shownOf = (after: Map<string, Balance>, id: string) => {
  const balance = after.get(id);
  return balance && [balance.cents.toString(), balance.credits.toFixed()];
};
const toldOf = (row: Shown) => [row.runningBalanceCents, dec(row.runningCreditsBalance).toFixed()];

const STATEMENT = `query ($wallet: [UUID!], $after: String, $settled: DateTimeRange) {
  walletTransactions(first: 7, after: $after, filter: { svcWalletId: $wallet, status: settled, settledAt: $settled },
    orderBy: { field: settled_at, direction: desc }) {
    nodes { svcId settledAt transactionType amount creditAmount runningBalanceCents runningCreditsBalance invoice { number } }
    pageInfo { hasNextPage endCursor }
    totalCount
  }
}`;

describe("a wallet's statement", () => {
  it('begins with the balance that is stored, and goes back to nothing, page by page', async () => {
    const all = await statements();
    expect(all.length).toBeGreaterThan(10);
    for (const { wallet, after, last } of all) {
      expect([last.cents, last.credits.toFixed()]).toEqual([wallet.balanceCents, dec(wallet.creditsBalance).toFixed()]);
      const by = wallet.organizationId === demo.organizationId ? demo.key : demo.otherKey;
      const seen: Shown[] = [];
      for (let cursor: string | null = null; ; ) {
        const { walletTransactions: page } = await demo.ask(STATEMENT, { wallet: [wallet.id], after: cursor }, by);
        seen.push(...page.nodes);
        expect(page.totalCount).toBe(after.size);
        if (!page.pageInfo.hasNextPage) break;
        cursor = page.pageInfo.endCursor;
      }
      expect(seen.map(({ svcId }) => svcId)).toEqual([...after.keys()].reverse());
      expect(seen.map(toldOf)).toEqual(seen.map(({ svcId }) => shownOf(after, svcId)));
      expect(seen[0]?.runningBalanceCents).toBe(wallet.balanceCents.toString());
    }
  });

  it('has the same balances under a filter, on a later page and in another order', async () => {
    const [longest] = (await statements()).sort((one, other) => other.after.size - one.after.size);
    if (!longest) throw new Error('no wallet');
    const { wallet, after } = longest;
    const settled = [...wallet.transactions].filter(({ status }) => status === 'settled');
    expect(settled.length).toBeGreaterThan(20);
    const [from, to] = [settled[5]?.settledAt, settled[12]?.settledAt];
    const { walletTransactions: narrowed } = await demo.ask(STATEMENT, { wallet: [wallet.id], settled: { from, to } });
    expect(narrowed.nodes.length).toBeGreaterThan(4);
    expect(narrowed.nodes.map(toldOf)).toEqual(narrowed.nodes.map(({ svcId }: Shown) => shownOf(after, svcId)));
    const text = `query ($id: UUID!) { wallet(svcId: $id) { transactions(page: 3, perPage: 5, filter: { transactionType: outbound },
      orderBy: { field: created_at }) { nodes { svcId runningBalanceCents runningCreditsBalance } } } }`;
    const { wallet: shown } = await demo.ask(text, { id: wallet.id });
    expect(shown.transactions.nodes).toHaveLength(5);
    expect(shown.transactions.nodes.map(toldOf)).toEqual(
      shown.transactions.nodes.map(({ svcId }: Shown) => shownOf(after, svcId)),
    );
  });

  it('of all wallets of a customer, narrowed to one, with totals', async () => {
    const all = await statements();
    const ownerOf = ({ wallet }: (typeof all)[number]) => wallet.customer.externalId;
    const owner = all.map(ownerOf).find((name) => all.filter((one) => ownerOf(one) === name).length > 1);
    const theirs = all.filter((one) => ownerOf(one) === owner);
    if (!owner || !theirs[0]) throw new Error('no customer with two wallets');
    const text = `query ($owner: String!, $wallet: [UUID!], $owners: [String!]) {
      customer(externalId: $owner) {
        all: walletTransactions(first: 100) { totalCount nodes { svcId runningBalanceCents runningCreditsBalance customer { externalId } } }
        one: walletTransactions(filter: { svcWalletId: $wallet }) { totalCount aggregates { count } }
      }
      walletTransactions(filter: { externalCustomerId: $owners }) { totalCount }
    }`;
    const wallet = [theirs[0].wallet.id];
    const { customer, walletTransactions } = await demo.ask(text, { owner, wallet, owners: [owner] });
    const after = new Map(theirs.flatMap((one) => [...one.after]));
    const { nodes } = customer.all;
    expect(nodes.map(toldOf)).toEqual(nodes.map(({ svcId }: Shown) => shownOf(after, svcId)));
    const rows = theirs.reduce((sum, one) => sum + one.wallet.transactions.length, 0);
    expect([customer.all.totalCount, walletTransactions.totalCount]).toEqual([rows, rows]);
    expect(nodes).toHaveLength(Math.min(rows, 100));
    const ofOne = theirs[0].wallet.transactions.length;
    expect([customer.one.totalCount, customer.one.aggregates.count]).toEqual([ofOne, ofOne]);
    expect(nodes.every((row: Shown) => row.customer.externalId === owner)).toBe(true);
  });
});
