import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support.ts';
import { type Row, rowMaker } from '../rows.ts';

// Two organizations in one database, of the same rows but for one.
let app: TestApp;
let other: TestApp;
let bayou: Row;

const NAMES = [
  'Bayou Seafood Ltd',
  'Móveis São João',
  'Straße & Søn',
  'İstanbul Işık',
  'Ｆｕｌｌ Ｗｉｄｔｈ',
  '株式会社東京商事',
  'บริษัทไทย',
  '삼성전자',
  'Мебель Ёлка',
  "O'Brien Travel",
  '🚀 Rocket',
];

beforeAll(async () => {
  app = await createTestApp();
  other = await createTestApp({ db: app.db });
  for (const { organizationId } of [app, other]) {
    const make = rowMaker(app.db, organizationId);
    const customers: Row[] = [];
    for (const [index, name] of NAMES.entries()) {
      const of = { externalId: `cust_${index}`, taxIdentificationNumber: `DE-99${index}`, slug: `Q-${index}` };
      customers.push(await make('Customer', { ...of, name, email: index === 0 ? 'pay@bayou.example' : null }));
    }
    const [first, second] = customers;
    bayou ??= first as Row;
    const invoice = { customerId: first?.id, status: 'finalized' };
    const { id } = await make('Invoice', { ...invoice, number: 'ACM-1234-001-002' });
    await make('Invoice', { ...invoice, number: 'ACM-1234-002-001', customerId: second?.id });
    await make('CreditNote', { number: 'ACM-1234-001-002-CN1', customerId: first?.id, invoiceId: id });
    await make('Payment', { reference: 'wire 77', providerPaymentId: 'pi_3', customerId: first?.id, invoiceId: id });
    await make('PaymentRequest', { email: 'dunning@bayou.example', customerId: first?.id });
    await make('Wallet', { name: 'Prepaid credits', code: 'prepaid', customerId: first?.id });
    const plan = await make('Plan', { code: 'premium', name: 'Premium Fishing', invoiceDisplayName: null });
    await make('Subscription', { externalId: 'sub_1', name: 'Boats', customerId: first?.id, planId: plan.id });
    for (const model of ['BillableMetric', 'AddOn', 'Coupon', 'Tax', 'PricingUnit', 'InvoiceCustomSection']) {
      await make(model, { code: 'nets_used', name: 'Nets and Hooks' });
    }
    await make('BillingEntity', { code: 'eu', name: 'Quillo Europe', legalName: 'Quillo GmbH', email: 'eu@quillo.io' });
  }
  await rowMaker(app.db, other.organizationId)('Customer', { externalId: 'cust_x', name: 'Bayou Books', slug: 'Q-X' });
});

afterAll(async () => {
  await other?.close();
  await app?.close();
});

async function found(list: string, shown: string, search: unknown, of = app): Promise<string[]> {
  const { data, errors } = await of.graphql(
    `query ($search: String) { list: ${list}(filter: { search: $search }) { totalCount nodes { shown: ${shown} } } }`,
    { search },
  );
  expect(errors).toBeUndefined();
  expect(data.list.totalCount).toBe(data.list.nodes.length);
  return data.list.nodes.map((node: { shown: string }) => node.shown);
}

const NEEDLES: readonly [needle: string, name: string | null][] = [
  ['seafood bayou', 'Bayou Seafood Ltd'],
  ['SEAF lt', 'Bayou Seafood Ltd'],
  ['afood', null],
  ['bayou books', null],
  ['pay@bayou.example', 'Bayou Seafood Ltd'],
  ['@bayou.example', 'Bayou Seafood Ltd'],
  ['cust_0', 'Bayou Seafood Ltd'],
  ['DE-990', 'Bayou Seafood Ltd'],
  ['moveis', 'Móveis São João'],
  ['JOÃO móv', 'Móveis São João'],
  ['strasse', 'Straße & Søn'],
  ['STRAßE son', 'Straße & Søn'],
  ['istanbul isik', 'İstanbul Işık'],
  ['ISTANBUL IŞIK', 'İstanbul Işık'],
  ['full width', 'Ｆｕｌｌ Ｗｉｄｔｈ'],
  ['東京', '株式会社東京商事'],
  ['京商 株', '株式会社東京商事'],
  ['ไทย', 'บริษัทไทย'],
  ['전자', '삼성전자'],
  ['ЁЛКА меб', 'Мебель Ёлка'],
  ['o’brien', "O'Brien Travel"],
  ['brien', "O'Brien Travel"],
  ['🚀', '🚀 Rocket'],
  ["!?' --", null],
  ['%', null],
  ['_', null],
  ["' | !bayou & <-> :* \\", 'Bayou Seafood Ltd'],
  ['bayou:* & !ltd', 'Bayou Seafood Ltd'],
  ['$10', '🚀 Rocket'],
];

describe('words find customers', () => {
  it.each(NEEDLES)('%j: %s', async (needle, name) => {
    expect(await found('customers', 'name', needle)).toEqual(name === null ? [] : [name]);
  });

  it('blank ones are no condition, and too many characters are refused', async () => {
    expect(await found('customers', 'name', ' \u3000 ')).toHaveLength(NAMES.length);
    const query = 'query ($s: String) { customers(filter: { search: $s }) { totalCount } }';
    expect((await app.graphql(query, { s: 'x '.repeat(5000) })).errors?.[0]?.extensions?.code).toBe(
      'validation_errors',
    );
    for (const s of ['bayou\0', 'bayou \ud800']) {
      const { errors } = await app.graphql(query, { s });
      expect(errors?.[0]?.extensions?.errorDetails).toEqual({ s: ['value_is_invalid'] });
    }
    expect((await app.graphql(query, { s: 'é'.repeat(100) })).data).toEqual({ customers: { totalCount: 0 } });
  });

  it('of one organization, as a whole by the identifier', async () => {
    expect(await found('customers', 'name', 'bayou', other)).toEqual(['Bayou Books', 'Bayou Seafood Ltd']);
    expect(await found('customers', 'name', bayou.id.toUpperCase())).toEqual(['Bayou Seafood Ltd']);
    expect(await found('customers', 'name', bayou.id, other)).toEqual([]);
  });

  it('whoever writes: the words follow the row, and cannot be set', async () => {
    const make = rowMaker(app.db, app.organizationId);
    const { id } = await make('Customer', { name: 'Heron', externalId: 'h1', slug: 'Q-H', words: ' bayou' });
    expect([await found('customers', 'name', 'heron'), await found('customers', 'name', 'bayou')]).toEqual([
      ['Heron'],
      ['Bayou Seafood Ltd'],
    ]);
    await app.db.prisma.$executeRaw`UPDATE customers SET name = 'Egret', words = ' bayou' WHERE id = ${id}::uuid`;
    expect(await found('customers', 'name', 'heron')).toEqual([]);
    expect(await found('customers', 'name', 'egret')).toEqual(['Egret']);
    await app.db.prisma.$executeRaw`DELETE FROM customers WHERE id = ${id}::uuid`;
  });
});

const LISTS: readonly [list: string, shown: string, needle: string, found: string[]][] = [
  ['invoices', 'number', 'ACM-1234-001-002', ['ACM-1234-001-002']],
  ['invoices', 'number', 'acm 1234', ['ACM-1234-002-001', 'ACM-1234-001-002']],
  ['invoices', 'number', '1234-002', ['ACM-1234-002-001']],
  ['invoices', 'number', 'seafood bayou', ['ACM-1234-001-002']],
  ['invoices', 'number', 'bayou acm', ['ACM-1234-001-002']],
  ['invoices', 'number', 'joao 001-002', []],
  ['invoices', 'number', 'cust_1', ['ACM-1234-002-001']],
  ['creditNotes', 'number', 'acm-1234-001-002 bayou', ['ACM-1234-001-002-CN1']],
  ['creditNotes', 'number', 'cn1', ['ACM-1234-001-002-CN1']],
  ['payments', 'reference', 'wire bayou acm-1234-001', ['wire 77']],
  ['payments', 'reference', 'pi_3', ['wire 77']],
  ['payments', 'reference', 'pi_4', []],
  ['paymentRequests', 'email', 'dunning@bayou.example', ['dunning@bayou.example']],
  ['paymentRequests', 'email', 'seafood', ['dunning@bayou.example']],
  ['wallets', 'name', 'credit prepaid', ['Prepaid credits']],
  ['subscriptions', 'externalId', 'boats fishing seafood', ['sub_1']],
  ['subscriptions', 'externalId', 'boats moveis', []],
  ['plans', 'code', 'fish premium', ['premium']],
  ['billableMetrics', 'code', 'hooks nets', ['nets_used']],
  ['addOns', 'code', 'used', ['nets_used']],
  ['coupons', 'code', 'nets_used', ['nets_used']],
  ['taxes', 'code', 'hooks', ['nets_used']],
  ['pricingUnits', 'code', 'NETS', ['nets_used']],
  ['invoiceCustomSections', 'code', 'nets-used', ['nets_used']],
  ['billingEntities', 'code', 'gmbh eu@quillo.io', ['eu']],
];

describe('words find in other lists', () => {
  it.each(LISTS)('%s by %s: %j', async (list, shown, needle, expected) => {
    expect(await found(list, shown, needle)).toEqual(expected);
    expect(await found(list, shown, needle, other)).toEqual(expected);
  });

  it('below a parent too', async () => {
    const { data } = await app.graphql(
      '{ customers(filter: { search: "bayou" }) { nodes { a: invoices(filter: { search: "002 acm" }) { totalCount } b: invoices(filter: { search: "003" }) { totalCount } } } }',
    );
    expect(data.customers.nodes).toEqual([{ a: { totalCount: 1 }, b: { totalCount: 0 } }]);
  });
});
