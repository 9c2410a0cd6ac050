import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countStatements, createTestApp, type TestApp } from '../../support.ts';
import { type Make, rowMaker } from '../rows.ts';

let app: TestApp;
let make: Make;
beforeAll(async () => {
  app = await createTestApp({ protection: { limits: { cost: 10_000_000 } } });
  make = rowMaker(app.db, app.organizationId);
});
afterAll(() => app.close());

const day = (number: number) => new Date(Date.UTC(2026, 0, number));
const STATEMENT = `query ($wallet: [UUID!]) {
  walletTransactions(filter: { svcWalletId: $wallet }, orderBy: { field: settled_at }) {
    nodes { name runningBalanceCents runningCreditsBalance } } }`;
const inbound = { transactionType: 'inbound', status: 'settled' };
const outbound = { transactionType: 'outbound', status: 'settled' };

async function told(walletId: string) {
  const { data, errors } = await app.graphql(STATEMENT, { wallet: [walletId] });
  expect(errors).toBeUndefined();
  return data.walletTransactions.nodes.map((row: Record<string, string>) => Object.values(row));
}

async function walletOf(data: object, transactions: object[]): Promise<string> {
  const { id: walletId } = await make('Wallet', { ...data });
  await make.many(
    'WalletTransaction',
    transactions.map((row) => ({ walletId, ...row })),
  );
  return walletId;
}

describe("a wallet's balance after its transactions", () => {
  it('counts what is settled, each in whole cents, back from what is stored', async () => {
    const wallet = await walletOf({ currency: 'EUR', balanceCents: 9_000n, creditsBalance: '45' }, [
      { ...inbound, name: 'third', amount: '0.015', creditAmount: '0.075', settledAt: day(3) },
      { ...inbound, name: 'first', amount: '50', creditAmount: '25', settledAt: day(1) },
      { ...outbound, name: 'second', amount: '10', creditAmount: '5', settledAt: day(2) },
      { ...inbound, name: 'failed', amount: '9', creditAmount: '9', settledAt: day(4), status: 'failed' },
    ]);
    // The wallet came with 49.98 from before the first.
    expect(await told(wallet)).toEqual([
      ['first', '9998', '49.925'],
      ['second', '8998', '44.925'],
      ['third', '9000', '45.0'],
      ['failed', null, null],
    ]);
  });

  it('follows the list where moments are equal, and where one is missing', async () => {
    const ids = Array.from({ length: 4 }, () => randomUUID()).sort();
    const settled = [day(1), day(1), null, null];
    const wallet = await walletOf(
      { currency: 'EUR', balanceCents: 10n, creditsBalance: '10' },
      ids.map((id, index) => ({
        ...{ ...inbound, id, name: `${index}`, settledAt: settled[index] },
        ...{ amount: `0.0${index + 1}`, creditAmount: `${index + 1}` },
      })),
    );
    const rows = ['1', '3', '6', '10'].map((sum, index) => [`${index}`, sum, `${sum}.0`]);
    expect(await told(wallet)).toEqual(rows);
  });

  it.each([
    ['JPY', '1050', '1050'],
    ['KWD', '1.05', '1050'],
    ['CLF', '0.105', '1050'],
  ])('is in minor units of %s', async (currency, amount, cents) => {
    const wallet = await walletOf({ currency, balanceCents: BigInt(cents), creditsBalance: '7' }, [
      { ...inbound, name: 'in', amount, creditAmount: '7', settledAt: day(1) },
      { ...outbound, name: 'out', amount, creditAmount: '7', settledAt: day(2) },
      { ...inbound, name: 'again', amount, creditAmount: '7', settledAt: day(3) },
    ]);
    expect(await told(wallet)).toEqual([
      ['in', cents, '7.0'],
      ['out', '0', '0.0'],
      ['again', cents, '7.0'],
    ]);
  });

  it('is for keys that may read wallets', async () => {
    const wallet = await walletOf({ currency: 'EUR' }, [{ ...inbound, settledAt: day(1) }]);
    const key = await app.makeKey({ permissions: { wallet_transaction: ['read'] } });
    const { data, errors } = await app.graphql(STATEMENT, { wallet: [wallet] }, key);
    expect(data.walletTransactions.nodes[0]?.runningBalanceCents).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'forbidden', reason: 'read_action_not_allowed_for_wallet' });
  });
});

describe('transactions of wallets', () => {
  it('are found by identifiers of wallets, of which those that are none name nothing', async () => {
    const wallet = await walletOf({}, [{ name: 'a' }]);
    expect(await told(wallet)).toHaveLength(1);
    const { data } = await app.graphql(STATEMENT, { wallet: ['x', wallet.toUpperCase()] });
    expect(data.walletTransactions.nodes).toHaveLength(1);
    expect((await app.graphql(STATEMENT, { wallet: ['x'] })).data.walletTransactions.nodes).toEqual([]);
  });

  it('belong to the customer of their wallet, also when the wallet goes to another', async () => {
    const [one, two] = await make.many('Customer', [{ slug: 'one' }, { slug: 'two' }]);
    const wallet = await walletOf({ customerId: one?.id }, [{ name: 'a' }, { name: 'b', customerId: two?.id }]);
    const rows = () => app.db.prisma.walletTransaction.findMany({ where: { walletId: wallet } });
    expect((await rows()).map(({ customerId }) => customerId)).toEqual([one?.id, one?.id]);
    await app.db.prisma.wallet.update({ where: { id: wallet }, data: { customerId: two?.id ?? '' } });
    expect((await rows()).map(({ customerId }) => customerId)).toEqual([two?.id, two?.id]);
  });

  it('cost as many statements for 2 as for 200, with their balances', async () => {
    const few = await createTestApp();
    const many = await createTestApp({ protection: { limits: { cost: 10_000_000 } } });
    for (const [where, size] of [
      [few, 2],
      [many, 200],
    ] as const) {
      const rows = rowMaker(where.db, where.organizationId);
      const customers = await rows.many(
        'Customer',
        Array.from({ length: size }, (_, index) => ({ slug: `C-${index}` })),
      );
      const wallets = await rows.many(
        'Wallet',
        customers.map(({ id }) => ({ customerId: id })),
      );
      const of = wallets.flatMap(({ id }) => [{ walletId: id }, { walletId: id }]);
      await rows.many(
        'WalletTransaction',
        of.map((row) => ({ ...row, ...inbound, settledAt: day(1) })),
      );
    }
    const ROW = 'nodes { amount runningBalanceCents runningCreditsBalance wallet { currency } customer { slug } }';
    const queries: [string, number][] = [
      [`{ walletTransactions(perPage: 400) { ${ROW} } }`, 2],
      [`{ customers(perPage: 200) { nodes { walletTransactions { ${ROW} totalCount } } } }`, 3],
      [`{ wallets(perPage: 200) { nodes { balanceCents transactions(first: 2) { ${ROW} } } } }`, 2],
    ];
    for (const [query, expected] of queries) {
      const counts = [];
      for (const where of [few, many]) {
        const run = async () => expect((await where.graphql(query)).errors).toBeUndefined();
        counts.push(await countStatements(where.db, run));
      }
      expect([query, ...counts]).toEqual([query, expected, expected]);
    }
    await few.close();
    await many.close();
  });
});
