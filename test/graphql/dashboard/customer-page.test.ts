import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countStatements, createTestApp, type TestApp } from '../../support.ts';
import { dueOf, expectedFigures, type Invoice, invoicesOf } from '../customer/expected-figure.ts';
import { rowMaker } from '../rows.ts';
import { type DemoApp, NOW, openDemoApp, type Shown } from './demo-app.ts';

const HIDDEN = ['generating', 'open', 'closed'];

let demo: DemoApp;
beforeAll(async () => {
  demo = await openDemoApp();
}, 120_000);
afterAll(() => demo?.close());

const MONEY = `
  outstandingBalances { currency amountCents }
  overdueBalances { currency amountCents }
  creditNotesBalances { currency amountCents }
  monthlyRecurringRevenues { currency amountCents }`;
const PAGE = `query ($id: String!) { customer(externalId: $id) {
  name currency ${MONEY}
  subscriptions(first: 100, filter: { status: active }) { totalCount nodes { externalId plan { code } } }
  invoices(first: 5, orderBy: { field: issuing_date, direction: desc }) {
    nodes { svcId issuingDate totalAmountCents totalDueAmountCents } totalCount }
} }`;

const recent = (invoices: readonly Invoice[], externalId: string) => {
  const own = invoices.filter(({ customer, status }) => customer.externalId === externalId && !HIDDEN.includes(status));
  const dateOf = (row: Invoice) => row.issuingDate?.toISOString().slice(0, 10) ?? '9999';
  own.sort((one, other) => {
    if (dateOf(one) !== dateOf(other)) return dateOf(one) > dateOf(other) ? -1 : 1;
    return one.id > other.id ? -1 : 1;
  });
  const shown = own.slice(0, 5).map((row) => ({
    ...{ svcId: row.id, issuingDate: row.issuingDate?.toISOString().slice(0, 10) ?? null },
    ...{ totalAmountCents: row.totalAmountCents.toString(), totalDueAmountCents: dueOf(row).toString() },
  }));
  return { nodes: shown, totalCount: own.length };
};

describe("a customer's page", () => {
  it('tells what is owed, overdue, credited, active and recurring, with the last invoices, in one operation', async () => {
    const figures = await expectedFigures(demo, NOW);
    const invoices = await invoicesOf(demo);
    const where = { organizationId: demo.organizationId };
    const customers = await demo.db.prisma.customer.findMany({ where: { ...where, deletedAt: null } });
    const subscriptions = await demo.db.prisma.subscription.findMany({
      where: { ...where, status: 'active' },
      include: { plan: true, customer: true },
    });
    const met = { overdue: 0, credit: 0, monthly: 0 };
    for (const { externalId = '', name, currency } of customers) {
      const { customer } = await demo.ask(PAGE, { id: externalId });
      const { subscriptions: active, invoices: list, ...told } = customer;
      const [overdue, credit, monthly] = [figures.overdue, figures.credit, figures.monthly].map((of) => of(externalId));
      expect(told).toEqual({
        ...{ name, currency, outstandingBalances: figures.outstanding(externalId), overdueBalances: overdue },
        ...{ creditNotesBalances: credit, monthlyRecurringRevenues: monthly },
      });
      expect(list).toEqual(recent(invoices, externalId));
      const own = subscriptions.filter((row) => row.customer.externalId === externalId);
      expect(active.totalCount).toBe(own.length);
      const plans = own.map((row) => [row.externalId, row.plan.code]);
      expect(active.nodes.map((row: Shown) => [row.externalId, row.plan.code]).sort()).toEqual(plans.sort());
      met.overdue += overdue?.length ?? 0;
      met.credit += credit?.length ?? 0;
      met.monthly += monthly?.length ?? 0;
    }
    expect(met.overdue).toBeGreaterThan(9);
    expect(met.credit).toBeGreaterThan(0);
    expect(met.monthly).toBeGreaterThan(40);
  });

  it('costs as many statements for 2 customers as for 200', async () => {
    const LIST = `{ customers(perPage: 200) { nodes { ${MONEY}
      subscriptions(first: 1, filter: { status: active }) { totalCount nodes { externalId } }
      invoices(first: 3) { totalCount nodes { totalDueAmountCents } aggregates { sums { currency totalDueAmountCents } } }
    } } }`;
    const counts: number[] = [];
    for (const size of [2, 200]) {
      const app = await createTestApp({ protection: { limits: { cost: 10_000_000 } } });
      await fill(app, size);
      const run = async () => {
        const { data, errors } = await app.graphql(LIST);
        expect(errors).toBeUndefined();
        const owed = data.customers.nodes.filter((row: Shown) => row.overdueBalances[0]?.amountCents === '100');
        expect(owed).toHaveLength(size);
      };
      counts.push(await countStatements(app.db, run));
      await app.close();
    }
    // The rows; what is owed, credited and recurring; two totals; the sums.
    expect(counts).toEqual([7, 7]);
  });
});

async function fill(app: TestApp, size: number) {
  const make = rowMaker(app.db, app.organizationId);
  const slugs = Array.from({ length: size }, (_, index) => ({ slug: `C-${index}`, currency: 'EUR' }));
  const of = (await make.many('Customer', slugs)).map(({ id }) => ({ customerId: id }));
  const owed = { status: 'finalized', paymentOverdue: true, totalAmountCents: 100n, totalPaidAmountCents: 0n };
  const invoices = await make.many(
    'Invoice',
    of.map((data) => ({ ...data, ...owed, paymentStatus: 'pending' })),
  );
  await make.many(
    'CreditNote',
    invoices.map(({ id, customerId }) => ({ invoiceId: id, customerId, status: 'finalized', balanceAmountCents: 5n })),
  );
  await make.many(
    'Subscription',
    of.map((data) => ({ ...data, status: 'active', startedAt: new Date('2026-01-01T00:00:00Z') })),
  );
}

describe('a search', () => {
  const words = (text: string | null) =>
    (text ?? '')
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u);
  const meets = (asked: string, texts: (string | null)[]) => {
    const known = texts.flatMap(words);
    return words(asked).every((word) => known.some((one) => one.startsWith(word)));
  };

  it.each(['seafood bayou', 'moveis', 'cus_', 'Göta', 'zzz'])(
    'for %j finds customers and invoices, counted',
    async (asked) => {
      const data = await demo.ask(
        `query ($asked: String!) {
        customers(first: 100, filter: { search: $asked }) { totalCount nodes { externalId } }
        invoices(first: 3, filter: { search: $asked }) { totalCount nodes { customer { externalId } } aggregates { count } }
      }`,
        { asked },
      );
      const customers = await demo.db.prisma.customer.findMany({
        where: { organizationId: demo.organizationId, deletedAt: null },
      });
      const textsOf = (row: (typeof customers)[number]) => [
        ...[row.externalId, row.name, row.firstname, row.lastname, row.email, row.legalName],
        row.taxIdentificationNumber,
      ];
      const found = customers.filter((row) => meets(asked, textsOf(row)));
      expect(new Set(data.customers.nodes.map((row: Shown) => row.externalId))).toEqual(
        new Set(found.map(({ externalId }) => externalId)),
      );
      expect(data.customers.totalCount).toBe(found.length);
      const invoices = (await invoicesOf(demo)).filter(
        ({ status, number, customer }) => !HIDDEN.includes(status) && meets(asked, [number, ...textsOf(customer)]),
      );
      expect([data.invoices.totalCount, data.invoices.aggregates.count]).toEqual([invoices.length, invoices.length]);
      expect(found.length === 0).toBe(asked === 'zzz');
    },
  );
});
