import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dueOf, expectedFigures, type Invoice, invoicesOf } from '../customer/expected-figure.ts';
import { type DemoApp, NOW, openDemoApp, type Shown } from './demo-app.ts';

const HIDDEN = ['generating', 'open', 'closed'];

let demo: DemoApp;
let invoices: Invoice[];
beforeAll(async () => {
  demo = await openDemoApp();
  const { prisma } = demo.db;
  const where = { organizationId: demo.organizationId, status: 'finalized', totalAmountCents: { gt: 2 } } as const;
  const some = await prisma.invoice.findMany({ where: { ...where, paymentStatus: 'pending' }, orderBy: { id: 'asc' } });
  // The demo has no disputes, and few payments of a part.
  for (const { id, totalAmountCents } of some.slice(0, 6)) {
    await prisma.invoice.update({ where: { id }, data: { totalPaidAmountCents: totalAmountCents / 2n } });
  }
  for (const { id } of some.slice(4, 8)) {
    await prisma.invoice.update({ where: { id }, data: { paymentDisputeLostAt: NOW } });
  }
  invoices = (await invoicesOf(demo)).filter(({ status }) => !HIDDEN.includes(status));
}, 120_000);
afterAll(() => demo?.close());

/** What invoices come to by currency, as aggregates show it. */
function totals(rows: readonly Invoice[]) {
  const sum = (own: readonly Invoice[], amountOf: (row: Invoice) => bigint) =>
    own.reduce((total, row) => total + amountOf(row), 0n).toString();
  const sums = [...new Set(rows.map(({ currency }) => currency))].sort().map((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    return {
      ...{ currency, count: own.length, totalAmountCents: sum(own, (row) => row.totalAmountCents) },
      totalDueAmountCents: sum(own, dueOf),
    };
  });
  return { count: rows.length, sums };
}
const AGGREGATES = 'aggregates { count sums { currency count totalAmountCents totalDueAmountCents } }';

const ids = (nodes: Shown[]) => nodes.map(({ svcId }) => svcId);

/** Invoices from the greatest amount on, in the order of lists. */
const falling = (rows: readonly Invoice[], amountOf: (row: Invoice) => bigint) =>
  [...rows]
    .sort((one, other) => {
      const [mine, theirs] = [amountOf(one), amountOf(other)];
      if (mine !== theirs) return mine > theirs ? -1 : 1;
      return one.id > other.id ? -1 : 1;
    })
    .map(({ id }) => id);

describe('receivables', () => {
  it('overdue invoices of a currency by what is due on them, with the totals of all currencies', async () => {
    const data = await demo.ask(
      `query ($currency: [String!]) {
        invoices(first: 100, filter: { paymentOverdue: true, currency: $currency },
          orderBy: { field: total_due_amount_cents, direction: desc }) {
          nodes { svcId number totalDueAmountCents paymentDueDate customer { externalId name } }
          totalCount
        }
        all: invoices(first: 0, filter: { paymentOverdue: true }) { ${AGGREGATES} }
      }`,
      { currency: ['EUR'] },
    );
    const overdue = invoices.filter(({ paymentOverdue }) => paymentOverdue);
    const euros = overdue.filter(({ currency }) => currency === 'EUR');
    expect(euros.length).toBeGreaterThan(5);
    expect(ids(data.invoices.nodes)).toEqual(falling(euros, dueOf));
    expect(data.invoices.totalCount).toBe(euros.length);
    expect(data.all.aggregates).toEqual(totals(overdue));
    expect(data.all.aggregates.sums.length).toBeGreaterThan(3);
  });

  it('customers of a currency from the greatest overdue balance on', async () => {
    const { customers } = await demo.ask(`{ customers(first: 100, filter: { currency: ["EUR"] },
      orderBy: { field: overdue_balance_cents, direction: desc }) {
      nodes { externalId overdueBalances { currency amountCents } } } }`);
    const { overdue } = await expectedFigures(demo, NOW);
    const rows = await demo.db.prisma.customer.findMany({
      where: { organizationId: demo.organizationId, currency: 'EUR', deletedAt: null },
    });
    const balanceOf = (externalId: string) =>
      BigInt(overdue(externalId).find(({ currency }) => currency === 'EUR')?.amountCents ?? 0);
    rows.sort((one, other) => {
      const [mine, theirs] = [balanceOf(one.externalId), balanceOf(other.externalId)];
      if (mine !== theirs) return mine > theirs ? -1 : 1;
      return one.id > other.id ? -1 : 1;
    });
    expect(customers.nodes).toEqual(
      rows.map(({ externalId }) => ({ externalId, overdueBalances: overdue(externalId) })),
    );
    expect(new Set(rows.map(({ externalId }) => balanceOf(externalId))).size).toBeGreaterThan(4);
  });

  const named = (word: string) => (row: Invoice) => (row.customer.name ?? '').toLowerCase().startsWith(word);
  const lists: [string, (row: Invoice) => boolean][] = [
    ['', () => true],
    [
      'status: [finalized], currency: ["USD", "JPY"]',
      (row) => /USD|JPY/.test(row.currency) && row.status === 'finalized',
    ],
    [
      'issuingDate: { from: "2026-03-01", to: "2026-03-31" }',
      (row) => row.issuingDate?.toISOString().startsWith('2026-03') ?? false,
    ],
    ['externalCustomerId: ["cus_bayou", "cus_weser"]', (row) => /bayou|weser/.test(row.customer.externalId ?? '')],
    ['search: "brasserie"', named('brasserie')],
    ['search: "nobody has this name"', () => false],
  ];
  it.each(lists)('totals of the invoices that a list is narrowed to by {%s}', async (filter, meets) => {
    const text = `{ invoices(first: 2, filter: { ${filter} }) { totalCount nodes { svcId } ${AGGREGATES} } }`;
    const { invoices: list } = await demo.ask(text);
    const expected = totals(invoices.filter(meets));
    expect(list.aggregates).toEqual(expected);
    expect([list.totalCount, list.nodes.length]).toEqual([expected.count, Math.min(2, expected.count)]);
    expect(expected.count > 0).toBe(!filter.includes('nobody'));
  });

  it('partly paid, disputed and due invoices, with what they come to', async () => {
    const part = (condition: string) =>
      `invoices(first: 100, filter: { ${condition} }) { nodes { svcId } ${AGGREGATES} }`;
    const data = await demo.ask(`{ partly: ${part('partiallyPaid: true')} disputed: ${part('paymentDisputeLost: true')}
      due: ${part('due: true')} both: ${part('due: true, paymentDisputeLost: true, partiallyPaid: true')} }`);
    const isDue = (row: Invoice) => row.status === 'finalized' && dueOf(row) > 0n;
    const isPartly = (row: Invoice) => row.totalPaidAmountCents > 0n && dueOf(row) > 0n;
    const isLost = (row: Invoice) => row.paymentDisputeLostAt !== null;
    const expected: Record<string, Invoice[]> = {
      partly: invoices.filter(isPartly),
      disputed: invoices.filter(isLost),
      due: invoices.filter(isDue),
      both: invoices.filter((row) => isDue(row) && isPartly(row) && isLost(row)),
    };
    for (const [name, rows] of Object.entries(expected)) {
      expect(rows.length, name).toBeGreaterThan(1);
      expect(new Set(ids(data[name].nodes)), name).toEqual(new Set(rows.map(({ id }) => id)));
      expect(data[name].aggregates, name).toEqual(totals(rows));
    }
  });

  it('money is ordered within one currency, page by page, and not over several', async () => {
    const text = `query ($currency: [String!], $after: String) { invoices(first: 70, after: $after,
      filter: { currency: $currency }, orderBy: { field: total_amount_cents, direction: desc }) {
      nodes { svcId currency } pageInfo { hasNextPage endCursor } } }`;
    const seen: Shown[] = [];
    for (let after: string | null = null; ; ) {
      const { invoices: page } = await demo.ask(text, { currency: ['JPY'], after });
      seen.push(...page.nodes);
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    const yen = invoices.filter(({ currency }) => currency === 'JPY');
    expect(yen.length).toBeGreaterThan(70);
    expect(ids(seen)).toEqual(falling(yen, (row) => row.totalAmountCents));
    for (const currency of [undefined, ['JPY', 'EUR'], []]) {
      const { errors } = await demo.asked(text, { currency }, demo.key);
      expect(errors?.[0]?.extensions?.errorDetails).toEqual({
        'filter.currency': [currency ? 'value_is_out_of_range' : 'value_is_mandatory'],
      });
    }
  });
});
