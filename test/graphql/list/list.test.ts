import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support.ts';
import { type Make, type Row, rowMaker } from '../rows.ts';

let app: TestApp;
let make: Make;
let ada: Row;
let bob: Row;

const day = (text: string) => new Date(`${text}T00:00:00Z`);

beforeAll(async () => {
  app = await createTestApp();
  make = rowMaker(app.db, app.organizationId);
  const main = await make('BillingEntity', { code: 'main' });
  const other = await make('BillingEntity', { code: 'other' });
  ada = await make('Customer', {
    externalId: 'cust_ada',
    name: 'Ada 100% Wool',
    email: 'ada@example.com',
    slug: 'Q-1',
    billingEntityId: main.id,
    createdAt: day('2026-01-01'),
  });
  bob = await make('Customer', {
    externalId: 'cust_bob',
    name: 'Bob_Ltd',
    legalName: 'BOB Holding',
    taxIdentificationNumber: 'DE99',
    slug: 'Q-2',
    billingEntityId: other.id,
    currency: 'USD',
    createdAt: day('2026-01-02'),
  });
  await make('Customer', {
    externalId: 'cust_nul',
    name: null,
    slug: 'Q-3',
    billingEntityId: main.id,
    createdAt: day('2026-01-03'),
  });
  const invoice = (number: string, data: Record<string, unknown>) =>
    make('Invoice', {
      number,
      customerId: ada.id,
      billingEntityId: main.id,
      status: 'finalized',
      invoiceType: 'subscription',
      currency: 'EUR',
      ...data,
    });
  await invoice('A-1', {
    issuingDate: day('2026-01-31'),
    totalAmountCents: 30_000_000_000n,
    createdAt: day('2026-02-01'),
  });
  await invoice('A-2', {
    issuingDate: day('2026-02-28'),
    totalAmountCents: 500n,
    paymentOverdue: true,
    createdAt: day('2026-03-01'),
  });
  await invoice('A-3', {
    issuingDate: day('2026-03-31'),
    totalAmountCents: 0n,
    status: 'draft',
    createdAt: day('2026-04-01'),
  });
  await invoice('B-1', {
    customerId: bob.id,
    billingEntityId: other.id,
    issuingDate: day('2026-02-01'),
    totalAmountCents: 700n,
    currency: 'USD',
    invoiceType: 'one_off',
    paymentStatus: 'succeeded',
    createdAt: day('2026-05-01'),
  });
  await invoice('A-9', { status: 'generating', issuingDate: day('2026-02-01'), createdAt: day('2026-05-02') });
});

afterAll(() => app?.close());

async function numbers(filter: string, extra = ''): Promise<string[]> {
  const { data, errors } = await app.graphql(
    `{ invoices(filter: ${filter} ${extra}) { totalCount nodes { number } } }`,
  );
  expect(errors).toBeUndefined();
  const found = data.invoices.nodes.map((node: { number: string }) => node.number);
  expect(data.invoices.totalCount).toBe(found.length);
  return found;
}

describe('filters of invoices', () => {
  const cases: Record<string, string[]> = {
    '{}': ['B-1', 'A-3', 'A-2', 'A-1'],
    '{status: null, search: null, issuingDate: null}': ['B-1', 'A-3', 'A-2', 'A-1'],
    '{status: [draft]}': ['A-3'],
    '{status: []}': [],
    '{status: [generating]}': [],
    '{paymentStatus: succeeded}': ['B-1'],
    '{type: [one_off, credit]}': ['B-1'],
    '{currency: "EUR"}': ['A-3', 'A-2', 'A-1'],
    '{externalCustomerId: "cust_bob"}': ['B-1'],
    '{externalCustomerId: ["cust_bob", "cust_bob", "cust_ada"]}': ['B-1', 'A-3', 'A-2', 'A-1'],
    '{externalCustomerId: "nobody"}': [],
    '{externalCustomerId: []}': [],
    '{billingEntityCodes: ["other", "nope"]}': ['B-1'],
    '{issuingDate: {from: "2026-01-31", to: "2026-02-01"}}': ['B-1', 'A-1'],
    '{issuingDate: {from: null, to: "2026-01-31"}}': ['A-1'],
    '{issuingDate: {}}': ['B-1', 'A-3', 'A-2', 'A-1'],
    '{issuingDate: {from: "2026-03-01", to: "2026-01-01"}}': [],
    '{createdAt: {from: "2026-02-01T00:00:00Z", to: "2026-03-01T00:00:00Z"}}': ['A-1'],
    '{totalAmountCents: {from: 501, to: 30000000000}}': ['B-1', 'A-1'],
    '{totalAmountCents: {from: 9223372036854775807}}': [],
    '{paymentOverdue: true}': ['A-2'],
    '{paymentOverdue: false, status: finalized}': ['B-1', 'A-1'],
    '{search: "a-"}': ['A-3', 'A-2', 'A-1'],
    '{search: "BOB_LTD"}': ['B-1'],
    '{search: "  "}': ['B-1', 'A-3', 'A-2', 'A-1'],
    '{search: "%"}': [],
    '{search: "A_1"}': ['A-1'],
    '{search: "\\\\"}': [],
    '{search: "bob holding"}': ['B-1'],
    '{search: "\'; DROP TABLE invoices; --"}': [],
  };
  for (const [filter, expected] of Object.entries(cases)) {
    it(filter, async () => expect(await numbers(filter)).toEqual(expected));
  }

  it('the same filter narrows the list of a customer, and its total', async () => {
    const { data } = await app.graphql(`{ customer(externalId: "cust_ada") {
      all: invoices { totalCount }
      big: invoices(filter: {totalAmountCents: {from: 1000}}) { totalCount nodes { number } }
      late: invoices(filter: {paymentOverdue: true}, orderBy: {field: number}) { totalCount edges { node { number } } } } }`);
    expect(data.customer).toEqual({
      all: { totalCount: 3 },
      big: { totalCount: 1, nodes: [{ number: 'A-1' }] },
      late: { totalCount: 1, edges: [{ node: { number: 'A-2' } }] },
    });
  });

  it('enumerations are enumerations: another word is refused', async () => {
    for (const filter of ['{status: "draft"}', '{status: drafty}', '{nothing: 1}', '{totalAmountCents: {from: 1.5}}']) {
      const { data, errors } = await app.graphql(`{ invoices(filter: ${filter}) { totalCount } }`);
      expect([data, errors?.length], filter).toEqual([undefined, 1]);
    }
  });

  it('more values than a statement should carry are refused', async () => {
    const codes = Array.from({ length: 1001 }, (_, index) => `c${index}`);
    const { errors } = await app.graphql(
      'query($codes: [String!]) { invoices(filter: {currency: $codes}) { totalCount } }',
      { codes },
    );
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'validation_errors',
      errorDetails: { currency: ['value_is_out_of_range'] },
    });
  });
});

describe('filters of customers', () => {
  const cases: Record<string, string[]> = {
    '{search: "ADA@EX"}': ['cust_ada'],
    '{search: "de99"}': ['cust_bob'],
    '{search: "holding"}': ['cust_bob'],
    '{search: "100%"}': ['cust_ada'],
    '{currency: "USD"}': ['cust_bob'],
    '{billingEntityCodes: ["main"]}': ['cust_nul', 'cust_ada'],
    '{hasOverdueInvoices: true}': ['cust_ada'],
    '{hasOverdueInvoices: false}': ['cust_nul', 'cust_bob'],
  };
  for (const [filter, expected] of Object.entries(cases)) {
    it(filter, async () => {
      const { data, errors } = await app.graphql(
        `{ customers(filter: ${filter}) { totalCount nodes { externalId } } }`,
      );
      expect(errors).toBeUndefined();
      expect(data.customers.nodes.map((node: { externalId: string }) => node.externalId)).toEqual(expected);
      expect(data.customers.totalCount).toBe(expected.length);
    });
  }
});

type Named = Record<
  string,
  { nodes: Record<string, string | null>[]; pageInfo: Record<string, string | boolean | null> }
>;

async function walk(field: string, shown: string, orderBy: string, size: number, backward: boolean) {
  const seen: (string | null)[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < 50; page += 1) {
    const args: string = backward ? `last: ${size}, before: $cursor` : `first: ${size}, after: $cursor`;
    const query = `query($cursor: String) { ${field}(${args}, orderBy: ${orderBy}) {
      nodes { ${shown} } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
    const { data, errors } = await app.graphql(query, { cursor });
    expect(errors).toBeUndefined();
    const { nodes, pageInfo } = (data as Named)[field] as Named[string];
    const values = nodes.map((node) => node[shown] ?? null);
    if (backward) seen.unshift(...values);
    else seen.push(...values);
    if (!(backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return seen;
    cursor = (backward ? pageInfo.startCursor : pageInfo.endCursor) as string;
  }
  throw new Error('the list does not end');
}

describe('orders', () => {
  beforeAll(async () => {
    const moments = [null, '2026-01-05', '2026-01-05', null, '2026-01-01', '2026-01-09', null];
    for (const [index, moment] of moments.entries()) {
      const startedAt = moment && day(moment);
      await make('Subscription', {
        externalId: `s${index}`,
        startedAt,
        status: 'pending',
        createdAt: day('2026-01-01'),
      });
    }
    for (const amount of [5n, 7n, 7n, 7n, 2n ** 63n - 1n, -3n, 0n]) await make('Fee', { amountCents: amount });
    for (const amount of ['0.1', '0.10', '1e-18', '99999999999999999999.5'])
      await make('WalletTransaction', { amount });
  });

  const lists: [string, string, string][] = [
    ['subscriptions', 'externalId', 'started_at'],
    ['subscriptions', 'externalId', 'created_at'],
    ['subscriptions', 'externalId', 'external_id'],
    ['fees', 'svcId', 'amount_cents'],
    ['fees', 'svcId', 'from_date'],
    ['customers', 'externalId', 'name'],
    ['invoices', 'number', 'issuing_date'],
    ['invoices', 'number', 'total_amount_cents'],
    ['walletTransactions', 'svcId', 'amount'],
  ];
  for (const [field, shown, column] of lists) {
    for (const direction of ['asc', 'desc']) {
      it(`${field} by ${column} ${direction}: every page size and both ways show the same rows once`, async () => {
        const within = /_cents$|^amount$/.test(column) ? ', filter: {currency: "EUR"}' : '';
        const orderBy = `{field: ${column}, direction: ${direction}}${within}`;
        const whole = await walk(field, shown, orderBy, 100, false);
        expect(new Set(whole).size).toBe(whole.length);
        expect(whole.length).toBeGreaterThan(2);
        for (const size of [1, 2, 3]) {
          expect(await walk(field, shown, orderBy, size, false), `first ${size}`).toEqual(whole);
          expect(await walk(field, shown, orderBy, size, true), `last ${size}`).toEqual(whole);
        }
      });
    }
  }

  it('null is the greatest: last upwards, first downwards', async () => {
    expect((await walk('subscriptions', 'externalId', '{field: started_at}', 3, false)).slice(0, 4)).toEqual([
      's4',
      ...(await walk('subscriptions', 'externalId', '{field: started_at}', 3, false)).slice(1, 3),
      's5',
    ]);
    const down = await walk('subscriptions', 'externalId', '{field: started_at, direction: desc}', 2, false);
    expect(new Set(down.slice(0, 3))).toEqual(new Set(['s0', 's3', 's6']));
    expect([down[3], down[6]]).toEqual(['s5', 's4']);
  });

  it('amounts are ordered as numbers', async () => {
    const { data } = await app.graphql(
      '{ fees(filter: {currency: "EUR"}, orderBy: {field: amount_cents}) { nodes { amountCents } } }',
    );
    const amounts = data.fees.nodes.map((node: { amountCents: string }) => node.amountCents);
    expect(amounts[0]).toBe('-3');
    expect(amounts.slice(1, 6)).toEqual(['0', '5', '7', '7', '7']);
  });

  it('a nested list walks in its order too', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const query = `query($after: String) { customer(externalId: "cust_ada") {
        invoices(first: 1, after: $after, filter: {currency: "EUR"}, orderBy: {field: total_amount_cents, direction: desc}) {
          edges { cursor node { number } } pageInfo { hasNextPage } } } }`;
      const { data } = await app.graphql(query, { after });
      const [edge] = data.customer.invoices.edges;
      seen.push(edge.node.number);
      after = data.customer.invoices.pageInfo.hasNextPage ? edge.cursor : null;
    } while (after);
    expect(seen).toEqual(['A-1', 'A-2', 'A-3']);
  });
});

describe('arguments of pages', () => {
  const refused = async (args: string) => {
    const { data, errors } = await app.graphql(`{ invoices(${args}) { nodes { number } } }`);
    expect(data).toBeNull();
    expect(errors?.[0]?.extensions?.code).toBe('validation_errors');
    return errors?.[0]?.extensions?.errorDetails;
  };
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const ID = '00000000-0000-7000-8000-000000000001';

  it('first: 0 shows nothing but knows the list', async () => {
    const { data } = await app.graphql(
      '{ invoices(first: 0) { totalCount nodes { number } pageInfo { hasNextPage endCursor } } }',
    );
    expect(data.invoices).toEqual({ totalCount: 4, nodes: [], pageInfo: { hasNextPage: true, endCursor: null } });
  });

  it('what is out of range is named', async () => {
    expect(await refused('first: 101')).toEqual({ first: ['value_is_out_of_range'] });
    expect(await refused('first: -1')).toEqual({ first: ['value_is_out_of_range'] });
    expect(await refused('last: 101')).toEqual({ last: ['value_is_out_of_range'] });
  });

  it('a cursor that is none is named, whatever is wrong with it', async () => {
    const bad = [
      '',
      'nonsense',
      encode({}),
      encode(['createdAt', 'desc', 1]),
      encode(['createdAt', 'desc', 'x', ID]),
      encode(['createdAt', 'desc', 8.64e15, ID]),
      encode(['createdAt', 'desc', -8.64e15, ID]),
      encode(['createdAt', 'desc', null, ID]),
      encode(['createdAt', 'desc', 1, "'"]),
    ];
    for (const cursor of bad) {
      expect(await refused(`after: "${cursor}"`), cursor).toEqual({ after: ['value_is_invalid'] });
      expect(await refused(`last: 1, before: "${cursor}"`), cursor).toEqual({ before: ['value_is_invalid'] });
    }
    const amount = encode(['totalAmountCents', 'asc', '9'.repeat(19), ID]);
    expect(
      await refused(`after: "${amount}", filter: {currency: "EUR"}, orderBy: {field: total_amount_cents}`),
    ).toEqual({
      after: ['value_is_invalid'],
    });
  });

  it('a cursor of another order says so', async () => {
    const { data } = await app.graphql('{ invoices(first: 1, orderBy: {field: number}) { pageInfo { endCursor } } }');
    const cursor = data.invoices.pageInfo.endCursor;
    expect(await refused(`after: "${cursor}"`)).toEqual({ after: ['value_belongs_to_another_order'] });
    expect(await refused(`after: "${cursor}", orderBy: {field: number, direction: desc}`)).toEqual({
      after: ['value_belongs_to_another_order'],
    });
  });

  it('a cursor of another list says so, and one that names none is taken', async () => {
    const { data } = await app.graphql('{ customers(first: 1) { pageInfo { endCursor } } }');
    const cursor: string = data.customers.pageInfo.endCursor;
    expect(await refused(`after: "${cursor}"`)).toEqual({ after: ['value_belongs_to_another_list'] });
    expect(await refused(`last: 1, before: "${cursor}"`)).toEqual({ before: ['value_belongs_to_another_list'] });
    const own = await app.graphql(`{ customers(first: 1, before: "${cursor}") { nodes { id } } }`);
    expect(own.errors).toBeUndefined();
    const place = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    expect(place).toHaveLength(5);
    const { errors } = await app.graphql(`{ invoices(after: "${encode(place.slice(0, 4))}") { nodes { id } } }`);
    expect(errors).toBeUndefined();
  });

  it('a page far beyond the end is empty and keeps the numbers', async () => {
    const { data } = await app.graphql(
      '{ invoices(page: 2147483647, perPage: 2) { meta { currentPage totalPages totalCount nextPage prevPage } nodes { number } } }',
    );
    expect(data.invoices).toMatchObject({ nodes: [], meta: { totalPages: 2, totalCount: 4, nextPage: null } });
  });
});

describe('older arguments keep working', () => {
  it('events by subscription and code', async () => {
    await make('Event', { externalSubscriptionId: 'sub_1', code: 'calls', transactionId: 't1' });
    await make('Event', { externalSubscriptionId: 'sub_2', code: 'calls', transactionId: 't2' });
    const { data } = await app.graphql(`{
      a: events(externalSubscriptionId: "sub_1", code: "calls") { totalCount nodes { transactionId } }
      b: events(filter: {transactionId: ["t2", "t3"], timestamp: {from: "2026-01-01T00:00:00Z"}}) { totalCount nodes { transactionId } }
      c: events(code: "calls", filter: {externalSubscriptionId: []}) { totalCount } }`);
    expect(data).toEqual({
      a: { totalCount: 1, nodes: [{ transactionId: 't1' }] },
      b: { totalCount: 1, nodes: [{ transactionId: 't2' }] },
      c: { totalCount: 0 },
    });
  });

  it('payment requests by state and billing entities, each request once', async () => {
    const { data: before } = await app.graphql('{ invoices { nodes { svcId number } } }');
    const connect = before.invoices.nodes
      .filter((node: { number: string }) => node.number.startsWith('A'))
      .map((node: { svcId: string }) => ({ id: node.svcId }));
    await make('PaymentRequest', { customerId: ada.id, invoices: { connect } });
    await make('PaymentRequest', { customerId: bob.id, paymentStatus: 'failed' });
    const { data, errors } = await app.graphql(`{
      a: paymentRequests(billingEntityCodes: ["main", "main"]) { totalCount nodes { svcId } }
      b: paymentRequests(filter: {billingEntityCodes: ["nope"]}) { totalCount }
      c: paymentRequests(paymentStatus: failed) { totalCount }
      d: paymentRequests(filter: {paymentStatus: failed, externalCustomerId: "cust_bob"}) { totalCount }
      e: paymentRequests(billingEntityCodes: []) { totalCount } }`);
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      a: { totalCount: 1 },
      b: { totalCount: 0 },
      c: { totalCount: 1 },
      d: { totalCount: 1 },
      e: { totalCount: 2 },
    });
    const unknown = await app.graphql('{ paymentRequests(billingEntityCodes: ["nope"]) { totalCount } }');
    expect(unknown.data).toEqual({ paymentRequests: { totalCount: 0 } });
  });

  it('payment requests of an external identifier, also of a deleted customer that had it', async () => {
    const gone = await make('Customer', {
      externalId: 'cust_bob',
      slug: 'Q-4',
      deletedAt: day('2026-01-01'),
      billingEntityId: ada.billingEntityId,
    });
    await make('PaymentRequest', { customerId: gone.id });
    const ask = (id: string) => app.graphql(`{ paymentRequests(externalCustomerId: "${id}") { totalCount } }`);
    expect((await ask('cust_bob')).data.paymentRequests.totalCount).toBe(2);
    expect((await ask('nobody')).data.paymentRequests.totalCount).toBe(0);
  });

  it('what lies around a page is known from both of its ends', async () => {
    const ask = async (args: string) =>
      (
        await app.graphql(
          `{ invoices(${args}) { pageInfo { hasNextPage hasPreviousPage } edges { cursor node { number } } } }`,
        )
      ).data.invoices;
    const all = await ask('first: 10');
    const [first, , , last] = all.edges.map(({ cursor }: { cursor: string }) => cursor);
    expect((await ask(`first: 10, before: "${last}"`)).pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false });
    expect((await ask(`last: 10, after: "${first}"`)).pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: true });
  });
});

describe('a condition on what the key may not read', () => {
  it('is refused, and words are not looked for there', async () => {
    const key = await app.makeKey({ permissions: { invoice: ['read'], plan: ['read'], customer: ['read'] } });
    const narrow = await app.makeKey({ permissions: { invoice: ['read'] } });
    const count = async (as: string, words: string) =>
      (await app.graphql(`{ invoices(filter: {search: "${words}"}) { totalCount } }`, undefined, as)).data.invoices
        .totalCount;
    expect([await count(key, 'bob holding'), await count(narrow, 'bob holding'), await count(narrow, 'B-1')]).toEqual([
      1, 0, 1,
    ]);
    const refused = {
      'plans(filter: {includeOverrides: true})': 'subscription',
      'plans(filter: {hasOverrides: false})': 'subscription',
      'customers(filter: {hasActiveSubscriptions: true})': 'subscription',
    };
    for (const [list, resource] of Object.entries(refused)) {
      const { errors } = await app.graphql(`{ ${list} { totalCount } }`, undefined, key);
      expect(errors?.[0]?.extensions).toEqual({ code: 'forbidden', reason: `read_action_not_allowed_for_${resource}` });
      expect((await app.graphql(`{ ${list} { totalCount } }`)).errors).toBeUndefined();
    }
    expect(
      (await app.graphql('{ customers(filter: {hasOverdueInvoices: true}) { totalCount } }', undefined, key)).errors,
    ).toBeUndefined();
  });
});

describe('moments that no database keeps', () => {
  it.each([
    'invoices(filter: {createdAt: {from: "0000-01-01T00:00:00Z"}}) { totalCount }',
    'invoices(filter: {createdAt: {from: "0001-01-01T00:00:00+10:00"}}) { totalCount }',
    'invoices(filter: {createdAt: {to: "9999-12-31T23:59:59-10:00"}}) { totalCount }',
    'invoices(filter: {issuingDate: {from: "0000-01-01"}}) { totalCount }',
    'analytics(from: "0000-05-01", to: "0000-06-01") { grossRevenue { month } }',
  ])('%s', async (field) => {
    const { errors } = await app.graphql(`{ ${field} }`);
    expect(errors?.[0]?.extensions?.code).toBe('validation_errors');
  });
});
