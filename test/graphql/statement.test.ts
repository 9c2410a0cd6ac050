import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, statementsOf, type TestApp } from '../support.ts';
import { type Make, rowMaker } from './rows.ts';

let few: TestApp;
let many: TestApp;

async function fill(app: TestApp, size: number) {
  const make: Make = rowMaker(app.db, app.organizationId);
  for (let index = 0; index < size; index += 1) {
    const customer = await make('Customer', { slug: `C-${index}` });
    const subscription = await make('Subscription', { customerId: customer.id, status: 'active' });
    for (const status of ['draft', 'finalized'] as const) {
      const invoice = await make('Invoice', { customerId: customer.id, status, invoiceType: 'subscription' });
      await make('InvoiceAppliedTax', { invoiceId: invoice.id });
      await make('Fee', { invoiceId: invoice.id, customerId: customer.id, subscriptionId: subscription.id });
    }
    const wallet = await make('Wallet', { customerId: customer.id });
    await make('WalletTransaction', { walletId: wallet.id });
  }
}

beforeAll(async () => {
  few = await createTestApp();
  many = await createTestApp();
  await fill(few, 2);
  await fill(many, 100);
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
  'root nodes': [`{ invoices(first: 100) { nodes { ${INVOICE} } } }`, 1],
  'root edges': [`{ invoices(first: 100) { edges { cursor node { ${INVOICE} } } } }`, 1],
  'root nodes and edges': [`{ invoices(first: 100) { nodes { number } edges { node { ${INVOICE} } } } }`, 1],
  'root total alone': ['{ invoices { totalCount } }', 1],
  'root rows, total and meta': [`{ invoices(first: 100) { totalCount meta { totalPages } nodes { ${INVOICE} } } }`, 2],
  'root with filter and order': [
    `{ invoices(first: 100, filter: {status: finalized, search: "e"}, orderBy: {field: issuing_date}) {
      totalCount nodes { ${INVOICE} } } }`,
    2,
  ],
  'root aliases': [
    `{ a: invoices(filter: {status: draft}) { nodes { ${INVOICE} } }
       b: invoices(filter: {status: finalized}) { nodes { ${INVOICE} } } }`,
    2,
  ],
  'nested nodes': [`{ customers(first: 100) { nodes { invoices { nodes { ${INVOICE} } } } } }`, 1],
  'nested edges': [`{ customers(first: 100) { edges { node { invoices { edges { node { ${INVOICE} } } } } } } }`, 1],
  'nested totals': ['{ customers(first: 100) { nodes { invoices { totalCount } fees { totalCount } } } }', 3],
  'nested with filter, order and total': [
    `{ customers(first: 100) { nodes { invoices(filter: {status: finalized}, orderBy: {field: total_amount_cents, direction: desc}) {
      totalCount edges { cursor node { ${INVOICE} } } } } } }`,
    2,
  ],
  'three levels': [
    `{ customers(first: 100) { nodes { subscriptions { nodes { fees { totalCount nodes { item { code } } } } }
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
    const query = `{ customers(first: 100) { nodes {
      a: invoices(filter: {status: draft}) { totalCount nodes { ${INVOICE} } }
      b: invoices(filter: {status: finalized}) { totalCount nodes { ${INVOICE} } }
      c: invoices(first: 1, orderBy: {field: number}) { nodes { ${INVOICE} } } } } }`;
    const one = await run(few, query);
    const other = await run(many, query);
    expect(other.length, other.slice(0, 6).join('\n')).toBe(one.length);
    expect(one.length).toBeLessThanOrEqual(6);
  });
});
