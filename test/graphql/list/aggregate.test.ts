import { type GraphQLObjectType, getNamedType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema.ts';
import { countStatements, createTestApp, type TestApp } from '../../support.ts';
import { type DemoApp, openDemoApp, type Shown } from '../dashboard/demo-app.ts';
import { rowMaker } from '../rows.ts';

let demo: DemoApp;
beforeAll(async () => {
  demo = await openDemoApp();
}, 120_000);
afterAll(() => demo?.close());

const query = schema.getQueryType() as GraphQLObjectType;
const connections = Object.values(query.getFields())
  .map((field) => ({ name: field.name, type: getNamedType(field.type) as GraphQLObjectType }))
  .filter(({ type }) => type.name.endsWith('Connection'));
const namedType = (type: GraphQLObjectType, field: string) => {
  const found = type.getFields()[field];
  return found && (getNamedType(found.type) as GraphQLObjectType);
};
const lists = connections.map(({ name, type }) => {
  const aggregates = namedType(type, 'aggregates');
  const sums = aggregates && namedType(aggregates, 'sums');
  const columns =
    sums &&
    Object.values(sums.getFields()).filter(({ name: one }) => !['currency', 'currencyDetails', 'count'].includes(one));
  return { name, columns: columns?.map((field) => ({ name: field.name, type: String(field.type) })) };
});
const summed = lists.flatMap(({ name, columns }) => (columns ? [{ name, columns }] : []));

/** Where the rows of a list say their currency. */
const CURRENCY: Record<string, string> = {
  invoices: 'currency',
  fees: 'amountCurrency',
  creditNotes: 'currency',
  payments: 'amountCurrency',
  paymentRequests: 'amountCurrency',
  wallets: 'currency',
  walletTransactions: 'wallet { currency }',
  appliedCoupons: 'amountCurrency',
};

const DIGITS = 60;

/** A decimal in units of its sixtieth digit. */
function exact(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = BigInt(whole.replace('-', '') + fraction.padEnd(DIGITS, '0'));
  return whole.startsWith('-') ? -digits : digits;
}

/** What rows come to, added up one by one. */
function naive(rows: Shown[], columns: readonly { name: string }[]) {
  const sums = new Map<string, { count: number; values: Record<string, bigint> }>();
  for (const row of rows) {
    const currency = row.currency ?? row.amountCurrency ?? row.wallet?.currency;
    if (currency == null) continue;
    const sum = sums.get(currency) ?? { count: 0, values: Object.fromEntries(columns.map(({ name }) => [name, 0n])) };
    sums.set(currency, sum);
    sum.count += 1;
    for (const { name } of columns) sum.values[name] = (sum.values[name] ?? 0n) + exact(String(row[name] ?? '0'));
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([currency, sum]) => ({ currency, ...sum }));
}

async function expectSums({ name, columns }: (typeof summed)[number], filter: string, key?: string) {
  const shown = columns.map((column) => column.name).join(' ');
  const args = filter === '' ? '' : `(${filter.replace(/^, /, '')})`;
  const data = await demo.ask(
    `{ ${name}${args} { totalCount aggregates { count sums { currency count ${shown} } } } }`,
    {},
    key,
  );
  const rows = await demo.rowsOf(name, `${CURRENCY[name]} ${shown}`, filter, key);
  const { aggregates, totalCount } = data[name];
  expect([aggregates.count, totalCount]).toEqual([rows.length, rows.length]);
  const told = aggregates.sums.map(({ currency, count, ...values }: Shown) => ({
    currency,
    count,
    values: Object.fromEntries(Object.entries(values).map(([column, value]) => [column, exact(String(value))])),
  }));
  expect(told).toEqual(naive(rows, columns));
  return rows.length;
}

describe('every list with money adds it up', () => {
  it('is known here', () => {
    expect(summed.map(({ name }) => name).sort()).toEqual(Object.keys(CURRENCY).sort());
  });

  for (const list of summed) {
    it(`${list.name}: to the last digit, by currency, as all its rows do`, async () => {
      expect(await expectSums(list, '')).toBeGreaterThan(0);
    });
  }

  it('another organization has sums of its own', async () => {
    const list = summed.find(({ name }) => name === 'invoices');
    if (!list) throw new Error('no invoices');
    const [own, other] = [await expectSums(list, ''), await expectSums(list, '', demo.otherKey)];
    expect(own).not.toBe(other);
  });

  const filters: [string, string][] = [
    ['invoices', ', filter: { search: "a", status: finalized, totalAmountCents: { from: 1000 } }'],
    ['invoices', ', filter: { search: "nothing has this name" }'],
    ['invoices', ', filter: { externalSubscriptionId: "no" }'],
    ['fees', ', filter: { type: [charge], invoiced: true }'],
    ['payments', ', filter: { status: [failed] }'],
    ['walletTransactions', ', filter: { status: [settled], type: [outbound] }'],
    ['paymentRequests', ', filter: { search: "@" }, paymentStatus: failed'],
  ];
  for (const [name, filter] of filters) {
    it(`${name} by the same condition as the rows${filter}`, async () => {
      const list = summed.find((one) => one.name === name);
      if (list) await expectSums(list, filter);
    });
  }

  it('whatever page is read', async () => {
    const page = 'aggregates { count sums { currency totalAmountCents } } nodes { number }';
    const data = await demo.ask(`{ a: invoices(first: 1) { ${page} } b: invoices(page: 3, perPage: 2) { ${page} } }`);
    expect(data.a.aggregates).toEqual(data.b.aggregates);
  });
});

describe('every other list', () => {
  for (const { name } of lists.filter(({ columns }) => !columns)) {
    it(`${name} is counted`, async () => {
      const data = await demo.ask(`{ ${name} { totalCount aggregates { count } } }`);
      expect(data[name].aggregates.count).toBe(data[name].totalCount);
    });
  }
});

it('sums under a parent are those of its rows alone', async () => {
  const shown = 'aggregates { count sums { currency count totalAmountCents } } nodes { currency totalAmountCents }';
  const data = await demo.ask(
    `{ customers(perPage: 100) { nodes { externalId invoices(perPage: 90, filter: { status: finalized }) { totalCount ${shown} } } } }`,
  );
  for (const { invoices } of data.customers.nodes) {
    expect(invoices.totalCount).toBeLessThanOrEqual(90);
    expect(invoices.aggregates.count).toBe(invoices.totalCount);
    const sums = naive(invoices.nodes, [{ name: 'totalAmountCents' }]);
    const told = invoices.aggregates.sums.map((sum: Shown) => exact(sum.totalAmountCents));
    expect(told).toEqual(sums.map(({ values }) => values.totalAmountCents));
  }
});

it('transactions of a wallet are added up in its currency', async () => {
  const shown = 'amount creditAmount';
  const data = await demo.ask(
    `{ wallets(perPage: 20) { nodes { currency transactions(perPage: 200) { aggregates { sums { currency count ${shown} } } nodes { ${shown} } } } } }`,
  );
  expect(data.wallets.nodes.length).toBeGreaterThan(3);
  for (const { currency, transactions } of data.wallets.nodes) {
    const rows = transactions.nodes.map((row: Shown) => ({ ...row, currency }));
    const told = transactions.aggregates.sums.map((sum: Shown) => [sum.currency, sum.count, exact(sum.amount)]);
    expect(told).toEqual(naive(rows, [{ name: 'amount' }]).map((sum) => [sum.currency, sum.count, sum.values.amount]));
  }
});

describe('statements', () => {
  const cases: [string, string, number][] = [
    ['only what is asked for', '{ invoices { aggregates { count } } }', 1],
    ['sums alone', '{ invoices { aggregates { sums { currency totalAmountCents } } } }', 1],
    ['one count for all who tell it', '{ invoices { totalCount meta { totalPages } aggregates { count } } }', 1],
    ['nothing of the list', '{ invoices { aggregates { __typename } } }', 0],
    ['rows, total and sums', '{ invoices { totalCount nodes { number } aggregates { sums { count } } } }', 3],
  ];
  it.each(cases)('%s', async (_name, text, expected) => {
    expect(await demo.statements(text)).toHaveLength(expected);
  });

  it('two hundred parents cost as many as two', async () => {
    const text =
      '{ customers(perPage: 200) { nodes { invoices { aggregates { count sums { currency totalAmountCents } } } wallets { nodes { transactions { aggregates { sums { amount } } } } } } } }';
    const counts: number[] = [];
    for (const size of [2, 200]) {
      const app = await createTestApp({ protection: { limits: { cost: 10_000_000 } } });
      await fillCustomers(app, size);
      counts.push(await countStatements(app.db, async () => expect((await app.graphql(text)).errors).toBeUndefined()));
      await app.close();
    }
    // The rows; counts and sums of invoices; the currencies there are, and the sums of transactions in the one.
    expect(counts).toEqual([5, 5]);
  });
});

async function fillCustomers(app: TestApp, size: number) {
  const make = rowMaker(app.db, app.organizationId);
  const slugs = Array.from({ length: size }, (_, index) => ({ slug: `C-${index}` }));
  const customers = await make.many('Customer', slugs);
  const ofCustomers = customers.map(({ id }) => ({ customerId: id }));
  await make.many(
    'Invoice',
    ofCustomers.map((data) => ({ ...data, status: 'finalized' })),
  );
  const wallets = await make.many('Wallet', ofCustomers);
  await make.many(
    'WalletTransaction',
    wallets.map(({ id }) => ({ walletId: id })),
  );
}

describe('permissions', () => {
  it('a key that may not read the list is told no sums', async () => {
    const key = await demo.makeKey({ organizationId: demo.organizationId, permissions: { customer: ['read'] } });
    const { errors } = await demo.asked('{ invoices { aggregates { count } } }', {}, key);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'forbidden' });
    const nested = '{ customers(first: 1) { nodes { invoices { aggregates { sums { count } } } } } }';
    expect((await demo.asked(nested, {}, key)).errors?.[0]?.extensions).toMatchObject({ code: 'forbidden' });
  });

  it('sums of wallet transactions tell the currencies of wallets', async () => {
    const permissions = { wallet_transaction: ['read'] };
    const key = await demo.makeKey({ organizationId: demo.organizationId, permissions });
    await expect(demo.ask('{ walletTransactions { aggregates { count } } }', {}, key)).resolves.toBeTruthy();
    const { errors } = await demo.asked('{ walletTransactions { aggregates { sums { amount } } } }', {}, key);
    expect(errors?.[0]).toMatchObject({
      path: ['walletTransactions', 'aggregates', 'sums'],
      extensions: { code: 'forbidden' },
    });
  });
});

it('each has a price, however it is named', async () => {
  const aliases = (count: number) =>
    `{ ${Array.from({ length: count }, (_, at) => `a${at}: invoices(first: 0) { aggregates { count } }`).join(' ')} }`;
  const cost = async (text: string) => (await demo.asked(text, {}, demo.key)).body.extensions.cost.requested as number;
  expect(await cost('{ invoices(first: 0) { aggregates { count } } }')).toBe(52);
  expect(await cost(aliases(7))).toBe(7 * 52);
  const nested = await demo.asked(
    '{ customers(perPage: 400) { nodes { invoices { aggregates { sums { currency } } } } } }',
    {},
    demo.key,
  );
  expect(nested.errors?.[0]?.extensions?.code).toBe('query_too_complex');
});

it('sums have as many digits as they need', async () => {
  const app = await createTestApp();
  const make = rowMaker(app.db, app.organizationId);
  for (const number of ['a', 'b', 'c'])
    await make('Invoice', { number, status: 'finalized', totalAmountCents: 2n ** 63n - 1n });
  for (const amount of ['0.1', '1e-18', '99999999999999999999.5']) await make('WalletTransaction', { amount });
  await make('AppliedCoupon', { amountCents: null, amountCurrency: null });
  const { data } = await app.graphql(
    `{ invoices { aggregates { sums { totalAmountCents } } } walletTransactions { aggregates { sums { amount } } }
       appliedCoupons { aggregates { count sums { count } } } }`,
  );
  expect(data).toEqual({
    invoices: { aggregates: { sums: [{ totalAmountCents: String(3n * (2n ** 63n - 1n)) }] } },
    walletTransactions: { aggregates: { sums: [{ amount: '99999999999999999999.600000000000000001' }] } },
    appliedCoupons: { aggregates: { count: 1, sums: [] } },
  });
  await app.close();
});
