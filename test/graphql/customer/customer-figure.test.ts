import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countStatements, createTestApp, dice, type Roll, type TestApp } from '../../support.ts';
import { type Row, rowMaker } from '../rows.ts';
import { dueOf, expectedFigures, type Invoice, invoicesOf } from './expected-figure.ts';

const NOW = new Date('2026-04-15T12:00:00Z');
const CUSTOMERS = 40;
const HUGE = 9_000_000_000_000_000_000n;

let app: TestApp;
let other: TestApp;

const one = <T>(values: readonly T[], roll: Roll) => values[roll(values.length)] as T;
const STATUSES = ['finalized', 'finalized', 'finalized', 'finalized', 'draft', 'voided', 'failed', 'generating'];

const invoiceData = (roll: Roll) => ({
  ...{ invoiceType: 'subscription', status: one(STATUSES, roll), currency: one(['EUR', 'EUR', 'USD', 'JPY'], roll) },
  totalAmountCents: roll(9) === 0 ? HUGE : BigInt(roll(500)),
  totalPaidAmountCents: roll(2) === 0 ? BigInt(roll(300)) : 0n,
  paymentStatus: one(['pending', 'pending', 'failed', 'succeeded'], roll),
  paymentOverdue: roll(2) === 0,
  selfBilled: roll(9) === 0,
  paymentDisputeLostAt: roll(9) === 0 ? NOW : null,
});

async function fill({ db, organizationId }: TestApp, seed: number): Promise<void> {
  const roll = dice(seed);
  const make = rowMaker(db, organizationId);
  const customers = await make.many(
    'Customer',
    Array.from({ length: CUSTOMERS }, (_, index) => ({
      ...{ externalId: `c-${index}`, slug: `C-${index}`, currency: one(['EUR', 'EUR', 'USD', null], roll) },
    })),
  );
  const customer = () => ({ customerId: one(customers.slice(1), roll).id });
  const invoices = await make.many(
    'Invoice',
    Array.from({ length: 300 }, () => ({ ...customer(), ...invoiceData(roll) })),
  );
  await make.many(
    'CreditNote',
    Array.from({ length: 120 }, () => {
      const invoice = one(invoices, roll);
      return {
        ...{ invoiceId: invoice.id, customerId: invoice.customerId, currency: invoice.currency },
        ...{ status: one(['finalized', 'draft'], roll), creditStatus: one(['available', 'consumed', 'voided'], roll) },
        ...{ balanceAmountCents: BigInt(roll(3) * 50), offsetAmountCents: BigInt(roll(3) * 40) },
      };
    }),
  );
  const plans = await make.many(
    'Plan',
    ['weekly', 'monthly', 'quarterly', 'semiannual', 'yearly'].flatMap((interval) =>
      ['EUR', 'USD'].map((amountCurrency) => ({
        ...{ code: `${interval}-${amountCurrency}`, interval, amountCurrency, trialPeriod: roll(2) * 30 },
        amountCents: BigInt(100 + roll(1000)),
      })),
    ),
  );
  await make.many(
    'Subscription',
    Array.from({ length: 120 }, (_, index) => ({
      ...{ ...customer(), planId: one(plans, roll).id, externalId: `s-${index}` },
      ...{ status: one(['active', 'active', 'terminated', 'pending'], roll) },
      startedAt: new Date(NOW.getTime() - (roll(100) - 5) * 86_400_000),
      terminatedAt: roll(4) === 0 ? new Date(NOW.getTime() + (roll(9) - 5) * 86_400_000) : null,
    })),
  );
  await changeSome(db, customers, invoices, roll);
}

/** What is kept beside the rows has to follow every kind of change. */
async function changeSome({ prisma }: TestApp['db'], customers: Row[], invoices: Row[], roll: Roll): Promise<void> {
  for (const { id } of invoices.slice(0, 40)) {
    const { currency, ...data } = invoiceData(roll);
    await prisma.invoice.update({ where: { id }, data: { ...data, currency } as object });
  }
  for (const { id } of invoices.slice(40, 60)) {
    await prisma.invoice.update({ where: { id }, data: { customerId: one(customers, roll).id } });
  }
  const notes = await prisma.creditNote.findMany({ where: { invoiceId: { in: invoices.map(({ id }) => id) } } });
  for (const { id } of notes.slice(0, 20)) await prisma.creditNote.delete({ where: { id } });
  for (const { id, status } of notes.slice(20, 60)) {
    const turned = status === 'draft' ? 'finalized' : 'draft';
    await prisma.creditNote.update({ where: { id }, data: { status: turned, offsetAmountCents: BigInt(roll(200)) } });
  }
  for (const { id } of notes.slice(60, 70)) {
    await prisma.creditNote.update({ where: { id }, data: { invoiceId: one(invoices, roll).id } });
  }
  await prisma.invoice.deleteMany({ where: { id: { in: invoices.slice(60, 80).map(({ id }) => id) } } });
  for (const { id } of customers.slice(0, 20)) {
    await prisma.customer.update({ where: { id }, data: { currency: one(['EUR', 'USD', 'JPY'], roll) } });
  }
}

beforeAll(async () => {
  app = await createTestApp({ now: () => NOW });
  other = await createTestApp({ db: app.db, now: () => NOW });
  await fill(app, 7);
  await fill(other, 8);
});
afterAll(() => app?.close());

const AMOUNTS = '{ currency amountCents }';
const FIGURES = `outstandingBalances ${AMOUNTS} overdueBalances ${AMOUNTS} creditNotesBalances ${AMOUNTS}
  monthlyRecurringRevenues ${AMOUNTS} subscriptions(first: 0, filter: {status: active}) { totalCount }`;

const reader = (resources: string[]) =>
  app.makeKey({ permissions: Object.fromEntries(resources.map((resource) => [resource, ['read']])) });

describe('figures of customers', () => {
  it('are the sums of their rows, in either organization and asked again', async () => {
    for (const tenant of [app, other]) {
      const { outstanding, overdue, credit, monthly, active } = await expectedFigures(tenant, NOW);
      const expected = Array.from({ length: CUSTOMERS }, (_, index) => `c-${index}`)
        .map((externalId) => ({
          ...{ externalId, outstandingBalances: outstanding(externalId), overdueBalances: overdue(externalId) },
          ...{ creditNotesBalances: credit(externalId), monthlyRecurringRevenues: monthly(externalId) },
          subscriptions: { totalCount: active(externalId) },
        }))
        .sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
      for (const _ of [1, 2, 3]) {
        const { data, errors } = await tenant.graphql(
          `{ customers(first: 100, orderBy: {field: external_id}) { nodes { externalId ${FIGURES} } } }`,
        );
        expect(errors).toBeUndefined();
        expect(data.customers.nodes).toEqual(expected);
      }
      expect(expected.filter((row) => row.overdueBalances.length > 1).length).toBeGreaterThan(3);
      expect(expected.filter((row) => row.monthlyRecurringRevenues.length > 0).length).toBeGreaterThan(9);
    }
  });

  it('cost a statement each for however many customers', async () => {
    const count = (first: number) =>
      countStatements(app.db, async () => {
        const { errors } = await app.graphql(`{ customers(first: ${first}) { nodes { ${FIGURES} } } }`);
        expect(errors).toBeUndefined();
      });
    expect([await count(2), await count(CUSTOMERS)]).toEqual([5, 5]);
  });

  it('need what they are made of', async () => {
    const needs: Record<string, string[]> = {
      [`outstandingBalances ${AMOUNTS}`]: ['invoice'],
      [`overdueBalances ${AMOUNTS}`]: ['invoice'],
      [`creditNotesBalances ${AMOUNTS}`]: ['credit_note'],
      [`monthlyRecurringRevenues ${AMOUNTS}`]: ['subscription', 'plan'],
    };
    for (const [field, permissions] of Object.entries(needs)) {
      const ask = async (allowed: string[]) => {
        return (
          await app.graphql(
            `{ customers(first: 1) { nodes { ${field} } } }`,
            {},
            await reader(['customer', ...allowed]),
          )
        ).errors;
      };
      expect(await ask(permissions), field).toBeUndefined();
      for (const missing of permissions) {
        const errors = await ask(permissions.filter((permission) => permission !== missing));
        expect(errors?.[0]?.extensions?.code, field).toBe('forbidden');
      }
    }
  });
});

describe('what is due on invoices', () => {
  const listed = async (tenant: TestApp, args: string) => {
    const query = `{ invoices(perPage: 1000, ${args}) { nodes { svcId totalDueAmountCents } } }`;
    const { data, errors } = await tenant.graphql(query);
    expect(errors).toBeUndefined();
    return data.invoices.nodes as { svcId: string; totalDueAmountCents: string }[];
  };

  it('is the total less payments and offsets', async () => {
    for (const tenant of [app, other]) {
      const rows = (await invoicesOf(tenant)).filter(({ status }) => status !== 'generating');
      const shown = await listed(tenant, '');
      const due = new Map(shown.map((row) => [row.svcId, BigInt(row.totalDueAmountCents)]));
      expect(due).toEqual(new Map(rows.map((row) => [row.id, dueOf(row)])));
    }
  });

  it('narrows lists', async () => {
    const rows = (await invoicesOf(app)).filter(({ status }) => status !== 'generating');
    const tests: Record<string, (row: Invoice) => boolean> = {
      'due: true': (row) => row.status === 'finalized' && dueOf(row) > 0n,
      'due: false': (row) => !(row.status === 'finalized' && dueOf(row) > 0n),
      'partiallyPaid: true': (row) => row.totalPaidAmountCents > 0n && dueOf(row) > 0n,
      'partiallyPaid: false': (row) => !(row.totalPaidAmountCents > 0n && dueOf(row) > 0n),
      'paymentDisputeLost: true': (row) => row.paymentDisputeLostAt !== null,
      'paymentDisputeLost: false': (row) => row.paymentDisputeLostAt === null,
      'paymentOverdue: true': (row) => row.paymentOverdue,
      'totalDueAmountCents: {from: 100, to: 200}': (row) => dueOf(row) >= 100n && dueOf(row) <= 200n,
    };
    for (const [condition, meets] of Object.entries(tests)) {
      const found = (await listed(app, `filter: {${condition}}`)).map(({ svcId }) => svcId);
      const wanted = rows.filter(meets).map(({ id }) => id);
      expect(wanted.length, condition).toBeGreaterThan(3);
      expect(new Set(found), condition).toEqual(new Set(wanted));
    }
  });
});

describe('orders by money', () => {
  async function walk(list: string, field: string, args: string, size: number, backward = false): Promise<string[]> {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: string = backward ? `last: ${size}, before: $at` : `first: ${size}, after: $at`;
      const query = `query($at: String) { ${list}(${page}, ${args}) {
        nodes { ${field} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
      const { data, errors } = await app.graphql(query, { at: cursor });
      expect(errors).toBeUndefined();
      const { nodes, pageInfo } = data[list];
      const names = nodes.map((node: Record<string, string>) => node[field]);
      if (backward) seen.unshift(...names);
      else seen.push(...names);
      const hasMore = backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
      cursor = hasMore ? (backward ? pageInfo.startCursor : pageInfo.endCursor) : null;
    } while (cursor);
    return seen;
  }

  it('customers by what they owe and what is overdue, page by page in both directions', async () => {
    const { outstanding, overdue } = await expectedFigures(app, NOW);
    const where = { organizationId: app.organizationId, currency: 'EUR' };
    const customers = await app.db.prisma.customer.findMany({ where });
    expect(customers.length).toBeGreaterThan(10);
    for (const [field, sums] of [
      ['outstanding_balance_cents', outstanding],
      ['overdue_balance_cents', overdue],
    ] as const) {
      const owed = ({ externalId }: { externalId: string }) =>
        BigInt(sums(externalId).find(({ currency }) => currency === 'EUR')?.amountCents ?? 0n);
      const rising = customers
        .sort((a, b) => (owed(a) === owed(b) ? (a.id < b.id ? -1 : 1) : owed(a) < owed(b) ? -1 : 1))
        .map(({ externalId }) => externalId);
      expect(new Set(customers.map(owed)).size).toBeGreaterThan(5);
      const by = (direction: string) =>
        `filter: {currency: "EUR"}, orderBy: {field: ${field}, direction: ${direction}}`;
      expect(await walk('customers', 'externalId', by('asc'), 3)).toEqual(rising);
      expect(await walk('customers', 'externalId', by('desc'), 4)).toEqual(rising.toReversed());
      expect(await walk('customers', 'externalId', by('desc'), 5, true)).toEqual(rising.toReversed());
    }
  });

  it('invoices by what is due', async () => {
    const rows = (await invoicesOf(app)).filter(
      ({ status, currency }) => status !== 'generating' && currency === 'JPY',
    );
    const rising = rows
      .sort((a, b) => (dueOf(a) === dueOf(b) ? (a.id < b.id ? -1 : 1) : dueOf(a) < dueOf(b) ? -1 : 1))
      .map(({ id }) => id);
    const by = 'filter: {currency: "JPY"}, orderBy: {field: total_due_amount_cents}';
    expect(await walk('invoices', 'svcId', by, 7)).toEqual(rising);
  });

  it('every list demands one currency, and names it', async () => {
    const { data } = await app.graphql('{ __schema { types { name enumValues { name description } } } }');
    const fields = data.__schema.types.filter(({ name }: { name: string }) => name.endsWith('OrderField'));
    const tried: string[] = [];
    for (const { name, enumValues } of fields) {
      const model = name.replace('OrderField', '');
      const list = `${model[0].toLowerCase()}${model.slice(1)}s`;
      for (const { name: field, description } of enumValues) {
        if (!/_cents$|^amount$/.test(field)) continue;
        tried.push(`${list}.${field}`);
        expect(description).toContain('filter.currency');
        for (const [filter, code] of [
          ['', 'value_is_mandatory'],
          ['filter: {currency: []},', 'value_is_out_of_range'],
          ['filter: {currency: ["EUR", "USD"]},', 'value_is_out_of_range'],
        ]) {
          const { errors } = await app.graphql(`{ ${list}(${filter} orderBy: {field: ${field}}) { totalCount } }`);
          expect(errors?.[0]?.extensions, list).toMatchObject({
            ...{ code: 'validation_errors', errorDetails: { 'filter.currency': [code] } },
            errors: [{ path: ['filter', 'currency'], code }],
          });
        }
        const good = `{ ${list}(filter: {currency: ["EUR", "EUR"]}, orderBy: {field: ${field}}) { totalCount } }`;
        expect((await app.graphql(good)).errors, list).toBeUndefined();
      }
    }
    expect(tried).toContain('customers.overdue_balance_cents');
    expect(tried).toContain('walletTransactions.amount');
    expect(tried.length).toBeGreaterThan(9);
  });

  it('by balances need to read invoices', async () => {
    const query =
      '{ customers(filter: {currency: "EUR"}, orderBy: {field: overdue_balance_cents}) { nodes { externalId } } }';
    const ask = async (resources: string[]) => app.graphql(query, {}, await reader(resources));
    expect((await ask(['customer'])).errors?.[0]?.extensions?.code).toBe('forbidden');
    expect((await ask(['customer', 'invoice'])).errors).toBeUndefined();
  });

  it('of wallet transactions by amount need to read wallets', async () => {
    const query = '{ walletTransactions(filter: {currency: "EUR"}, orderBy: {field: amount}) { totalCount } }';
    const ask = async (resources: string[]) => app.graphql(query, {}, await reader(resources));
    expect((await ask(['wallet_transaction'])).errors?.[0]?.extensions?.code).toBe('forbidden');
    expect((await ask(['wallet_transaction', 'wallet'])).errors).toBeUndefined();
  });
});
