import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, statementsOf, type TestApp } from '../support.ts';
import { type Make, rowMaker } from './rows.ts';

let few: TestApp;
let many: TestApp;

async function fill(app: TestApp, size: number) {
  const make: Make = rowMaker(app.db, app.organizationId);
  const customers = await make.many(
    'Customer',
    Array.from({ length: size }, (_, index) => ({ slug: `C-${index}` })),
  );
  const ofCustomers = customers.map(({ id }) => ({ customerId: id }));
  const subscriptions = await make.many(
    'Subscription',
    ofCustomers.map((data) => ({ ...data, status: 'active' })),
  );
  const invoices = await make.many(
    'Invoice',
    ofCustomers.flatMap((data) => [
      { ...data, status: 'draft', invoiceType: 'subscription' },
      { ...data, status: 'finalized', invoiceType: 'subscription' },
    ]),
  );
  const ofInvoices = invoices.map(({ id, customerId }) => ({ invoiceId: id, customerId }));
  await make.many(
    'InvoiceAppliedTax',
    ofInvoices.map(({ invoiceId }) => ({ invoiceId })),
  );
  const subscriptionOf = new Map(subscriptions.map(({ id, customerId }) => [customerId, id]));
  await make.many(
    'Fee',
    ofInvoices.map((data) => ({ ...data, subscriptionId: subscriptionOf.get(data.customerId) })),
  );
  const wallets = await make.many('Wallet', ofCustomers);
  await make.many(
    'WalletTransaction',
    wallets.map(({ id }) => ({ walletId: id })),
  );
}

beforeAll(async () => {
  few = await createTestApp({ protection: { limits: { cost: 10_000_000 } } });
  many = await createTestApp({ protection: { limits: { cost: 10_000_000 } } });
  await fill(few, 2);
  await fill(many, 200);
});

afterAll(async () => {
  await few?.close();
  await many?.close();
});

const run = (app: TestApp, query: string) =>
  statementsOf(app.db, async () => {
    const { errors } = await app.graphql(query);
    expect(errors).toBeUndefined();
  });

const INVOICE = 'number customer { externalId } appliedTaxes { taxCode }';
const QUERIES: Record<string, [string, number]> = {
  'root nodes': [`{ invoices(perPage: 200) { nodes { ${INVOICE} } } }`, 1],
  'root edges': [`{ invoices(perPage: 200) { edges { cursor node { ${INVOICE} } } } }`, 1],
  'root nodes and edges': [`{ invoices(perPage: 200) { nodes { number } edges { node { ${INVOICE} } } } }`, 1],
  'root total alone': ['{ invoices { totalCount } }', 1],
  'root rows, total and meta': [
    `{ invoices(perPage: 200) { totalCount meta { totalPages } nodes { ${INVOICE} } } }`,
    2,
  ],
  'root with filter and order': [
    `{ invoices(perPage: 200, filter: {status: finalized, search: "e"}, orderBy: {field: issuing_date}) {
      totalCount nodes { ${INVOICE} } } }`,
    3, // what the words find is asked of their index first
  ],
  'root aliases': [
    `{ a: invoices(filter: {status: draft}) { nodes { ${INVOICE} } }
       b: invoices(filter: {status: finalized}) { nodes { ${INVOICE} } } }`,
    2,
  ],
  'nested nodes': [`{ customers(perPage: 200) { nodes { invoices { nodes { ${INVOICE} } } } } }`, 1],
  'nested edges': [`{ customers(perPage: 200) { edges { node { invoices { edges { node { ${INVOICE} } } } } } } }`, 1],
  'nested totals': ['{ customers(perPage: 200) { nodes { invoices { totalCount } fees { totalCount } } } }', 3],
  'nested with filter, order and total': [
    `{ customers(perPage: 200) { nodes { invoices(filter: {status: finalized, currency: "EUR"}, orderBy: {field: total_amount_cents, direction: desc}) {
      totalCount edges { cursor node { ${INVOICE} } } } } } }`,
    2,
  ],
  'a page of lines, all lines, and lines by subscription': [
    `{ invoices(perPage: 200) { nodes { fees(first: 5, orderBy: {field: from_date}) { totalCount aggregates { sums { amountCents } } nodes { amountCents } }
       allFees { item { code } } feesBySubscription { count amountCents subscription { externalId } fees { item { code } } } } } }`,
    4,
  ],
  'three levels': [
    `{ customers(perPage: 200) { nodes { subscriptions { nodes { fees { totalCount nodes { item { code } } } } }
       wallets { nodes { transactions { nodes { amount } } } } } } }`,
    2,
  ],
};

describe('the number of statements does not depend on the number of rows', () => {
  for (const [name, [query, expected]] of Object.entries(QUERIES)) {
    it(name, async () => {
      const one = await run(few, query);
      const other = await run(many, query);
      expect([one.length, other.length], other.slice(0, 6).join('\n')).toEqual([expected, expected]);
    });
  }

  it('aliases of a nested list with different filters cost one statement each', async () => {
    const query = `{ customers(perPage: 200) { nodes {
      a: invoices(filter: {status: draft}) { totalCount nodes { ${INVOICE} } }
      b: invoices(filter: {status: finalized}) { totalCount nodes { ${INVOICE} } }
      c: invoices(first: 1, orderBy: {field: number}) { nodes { ${INVOICE} } } } } }`;
    const one = await run(few, query);
    const other = await run(many, query);
    expect(other.length, other.slice(0, 6).join('\n')).toBe(one.length);
    expect(one.length).toBeLessThanOrEqual(6);
  });
});
