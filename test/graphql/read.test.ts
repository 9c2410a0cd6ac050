import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownCases } from '../cases/known-case.ts';
import { countStatements, createTestApp, type TestApp } from '../support.ts';
import { type Make, type Row, rowMaker } from './rows.ts';

// What bugs.json says of reads through the graph; each test names its entry.
const known = knownCases().map(({ id }) => id);

let app: TestApp;
let make: Make;
let ada: Row;

beforeAll(async () => {
  app = await createTestApp();
  make = rowMaker(app.db, app.organizationId);
  ada = await make('Customer', { externalId: 'cust_ada', slug: 'Q-1' });
});

afterAll(() => app?.close());

const entry = (id: string, what: string, run: () => Promise<void>) => {
  it(`${id}: ${what}`, async () => {
    expect(known).toContain(id);
    await run();
  });
};

const ask = async (query: string, variables?: object) => {
  const { data, errors, text } = await app.graphql(query, variables);
  expect(errors).toBeUndefined();
  return { data, text };
};

describe('numbers', () => {
  entry('GB-058', 'amounts beyond 32 and beyond 53 bits keep their digits, out and in', async () => {
    const amounts = [30_000_000_000n, 2n ** 53n + 1n, 2n ** 63n - 1n];
    for (const totalAmountCents of amounts) {
      const { id } = await make('Invoice', {
        totalAmountCents,
        feesAmountCents: totalAmountCents,
        status: 'finalized',
      });
      const { text } = await ask(`{ invoice(svcId: "${id}") { totalAmountCents feesAmountCents } }`);
      expect(text).toContain(`"totalAmountCents":"${totalAmountCents}","feesAmountCents":"${totalAmountCents}"`);
      const query = `query($least: BigInt) { a: invoices(filter: {totalAmountCents: {from: ${totalAmountCents}, to: ${totalAmountCents}}}) { totalCount }
        b: invoices(filter: {totalAmountCents: {from: $least, to: $least}}) { totalCount } }`;
      const { data } = await ask(query, { least: totalAmountCents.toString() });
      expect(data).toEqual({ a: { totalCount: 1 }, b: { totalCount: 1 } });
    }
  });

  it('numbers in JSON keep their digits through every door, or are refused', async () => {
    const preview = (tokens: string) =>
      `invoicePreview(input: {planCode: "nowhere", customer: {name: "X"}, usage: [{metricCode: "calls", events: [{properties: {tokens: ${tokens}}}]}]}) { mode }`;
    const code = async (tokens: string) => (await app.graphql(`{ ${preview(tokens)} }`)).errors?.[0]?.extensions?.code;
    expect(await code('9007199254740993')).toBe('object_not_found');
    expect(await code('0.30000000000000004')).toBe('object_not_found');
    expect(await code('0.12345678901234567')).toBe('validation_errors');
    const variables =
      '{"query": "query ($v: JSON) { __typename }", "variables": {"v": {"tokens": 0.123456789012345678}}}';
    const { status, body } = await app.rest('POST', '/invoices/preview', undefined, {
      raw: '{"plan_code": "x", "customer": {"rate": 1.123456789012345678}}',
    });
    expect([status, body.error_details]).toEqual([422, { rate: ['value_is_invalid'] }]);
    const sent = await app.app.fetch(
      new Request('http://gateway.test/graphql', {
        method: 'POST',
        body: variables,
        headers: { Authorization: `Bearer ${app.key}`, 'Content-Type': 'application/json' },
      }),
    );
    expect(JSON.stringify(await sent.json())).toContain('tokens');
  });

  it('a stored value that a type does not know is `other`, and in REST what is stored', async () => {
    const { id } = await make('Fee', { itemType: 'Crate' });
    for (const _ of ['first', 'compiled']) {
      const { data } = await ask(`{ fee(svcId: "${id}") { item { itemType } } }`);
      expect(data).toEqual({ fee: { item: { itemType: 'other' } } });
    }
    expect((await app.rest('GET', `/fees/${id}`)).body.fee.item.item_type).toBe('Crate');
    const { id: known } = await make('Fee', { itemType: 'AddOn' });
    expect((await ask(`{ fee(svcId: "${known}") { item { itemType } } }`)).data.fee.item).toEqual({
      itemType: 'AddOn',
    });
  });

  it('a stored text that is none of what its type means is shown as it is', async () => {
    const stored = { country: 'Atlantis', timezone: 'Mars', url: 'not a url', email: 'nobody', documentLocale: '' };
    const { id } = await make('Customer', { ...stored, slug: 'Q-2' });
    const node = Buffer.from(`Customer:${id}`).toString('base64');
    const { documentLocale, ...own } = stored;
    for (const _ of ['first', 'compiled']) {
      const query = '{ country timezone url email billingConfiguration { documentLocale } }';
      const { data } = await ask(`{ node(id: "${node}") { ... on Customer ${query} } }`);
      expect(data.node).toEqual({ ...own, billingConfiguration: { documentLocale } });
    }
  });

  entry('GB-008', 'decimals are plain digits in text', async () => {
    const { id } = await make('Fee', {
      units: '74759000',
      preciseUnitAmount: '0.00000018',
      totalAggregatedUnits: '1500000000000000000000000',
    });
    const { data } = await ask(`{ fee(svcId: "${id}") { units preciseUnitAmount totalAggregatedUnits } }`);
    expect(data.fee).toEqual({
      units: '74759000.0',
      preciseUnitAmount: '0.00000018',
      totalAggregatedUnits: '1500000000000000000000000.0',
    });
  });

  entry('GB-057', 'negative aggregates stay negative', async () => {
    const amountDetails = { graduated_ranges: [{ units: '-5.1612903225806452', to_value: null }] };
    const { id } = await make('Fee', { units: '0', totalAggregatedUnits: '-10', amountCents: 0n, amountDetails });
    const { data } = await ask(`{ fee(svcId: "${id}") { units totalAggregatedUnits amountCents } }`);
    expect(data.fee).toEqual({ units: '0.0', totalAggregatedUnits: '-10.0', amountCents: '0' });
  });

  it('decimals inside JSON members are written like all others, however they were stored', async () => {
    const range = {
      from_value: '0',
      to_value: null,
      units: '4',
      per_unit_amount: 5e-7,
      total_with_flat_amount: '20.50',
    };
    const { id } = await make('Fee', {
      ...{ units: '4', amountCents: 0n },
      amountDetails: {
        rate: 12,
        per_package_size: 10,
        plan_amount_cents: '3100',
        units: null,
        graduated_ranges: [range],
      },
      presentationBreakdowns: [
        { presentation_by: { tier: '4' }, units: '4' },
        { presentation_by: {}, units: 0.25 },
      ],
    });
    const { data } = await ask(`{ fee(svcId: "${id}") { amountDetails presentationBreakdowns } }`);
    expect(data.fee.amountDetails).toEqual({
      ...{ rate: '12.0', per_package_size: 10, plan_amount_cents: '3100', units: null },
      graduated_ranges: [
        { from_value: 0, to_value: null, units: '4.0', per_unit_amount: '0.0000005', total_with_flat_amount: '20.5' },
      ],
    });
    expect(data.fee.presentationBreakdowns).toEqual([
      { presentation_by: { tier: '4' }, units: '4.0' },
      { presentation_by: {}, units: '0.25' },
    ]);
  });

  entry('GB-015', 'dates are the stored dates', async () => {
    const { id } = await make('Invoice', {
      issuingDate: new Date('2026-01-01T00:00:00Z'),
      paymentDueDate: new Date('2026-03-08T00:00:00Z'),
    });
    const { data } = await ask(`{ invoice(svcId: "${id}") { issuingDate paymentDueDate } }`);
    expect(data.invoice).toEqual({ issuingDate: '2026-01-01', paymentDueDate: '2026-03-08' });
  });
});

describe('nulls', () => {
  entry('GB-055', 'a row without its optional columns blanks nothing', async () => {
    await make('Wallet', { customerId: ada.id, name: null });
    await make('Wallet', { customerId: ada.id, name: 'Main' });
    await make('PaymentRequest', { customerId: ada.id, email: null });
    const { data } = await ask(`{
      wallets(filter: {externalCustomerId: "cust_ada"}) { nodes {
        name expirationAt paidTopUpMaxAmountCents lastConsumedCreditAt customer { email addressLine2 timezone phone } } }
      paymentRequests { nodes { email } } }`);
    const customer = { email: null, addressLine2: null, timezone: null, phone: null };
    const empty = { expirationAt: null, paidTopUpMaxAmountCents: null, lastConsumedCreditAt: null, customer };
    expect(data.wallets.nodes).toEqual(
      expect.arrayContaining([
        { name: null, ...empty },
        { name: 'Main', ...empty },
      ]),
    );
    expect(data.paymentRequests.nodes).toEqual([{ email: null }]);
  });
});

describe('tenancy', () => {
  entry('GB-035', 'a fee without an invoice or without a subscription is found', async () => {
    for (const data of [{ invoiceId: null }, { subscriptionId: null }]) {
      const { id } = await make('Fee', data);
      expect((await ask(`{ fee(svcId: "${id}") { svcId svcInvoiceId svcSubscriptionId } }`)).data.fee.svcId).toBe(id);
    }
  });

  entry('GB-036', 'a filter that is null narrows nothing, one that is lost is no filter at all', async () => {
    const { data } = await ask(
      'query($none: [String!], $all: InvoiceFilter) { a: invoices(filter: {externalCustomerId: $none}) { totalCount } b: invoices(filter: $all) { totalCount } c: invoices { totalCount } }',
    );
    expect(data.a).toEqual(data.c);
    expect(data.b).toEqual(data.c);
    const { errors } = await app.graphql('{ customer(externalId: null) { name } }');
    expect(errors).toHaveLength(1);
  });

  entry('GB-038', 'an identifier that is no UUID finds nothing; upper case finds the same', async () => {
    const { id } = await make('Fee');
    for (const svcId of ['42', '7d0f5a34-1b1e-4c57-9a52-0c3a0f3a91zz']) {
      const { data, errors } = await app.graphql(`{ fee(svcId: "${svcId}") { svcId } }`);
      expect(data).toEqual({ fee: null });
      expect(errors?.[0]?.extensions?.code).toBe('object_not_found');
    }
    const nothing = await app.graphql('{ fee(svcId: "") { svcId } }');
    expect(nothing.data).toEqual({ fee: null });
    expect(nothing.errors?.[0]?.extensions).toMatchObject({ code: 'validation_errors' });
    expect((await ask(`{ fee(svcId: "${id.toUpperCase()}") { svcId } }`)).data.fee.svcId).toBe(id);
  });
});

describe('pages', () => {
  const pages = async (query: (page: number) => string) => {
    const ids: string[][] = [];
    for (const page of [1, 2, 3, 4]) {
      const { data } = await ask(query(page));
      const { nodes, meta } = data.list ?? data.customer.list;
      ids.push(nodes.map((node: { svcId: string }) => node.svcId));
      if (page === 4)
        expect(meta).toEqual({ currentPage: 4, totalPages: 4, totalCount: 7, nextPage: null, prevPage: 3 });
    }
    return ids;
  };

  entry('GB-051', 'rows of one moment keep their places', async () => {
    const bob = await make('Customer', { externalId: 'cust_bob', slug: 'Q-2' });
    const createdAt = new Date('2026-05-01T00:00:00Z');
    for (let index = 0; index < 7; index += 1) await make('PaymentRequest', { customerId: bob.id, createdAt });
    const list = (page: number) =>
      `list: paymentRequests(page: ${page}, perPage: 2, filter: {externalCustomerId: "cust_bob"}) {
        nodes { svcId } meta { currentPage totalPages totalCount nextPage prevPage } }`;
    const root = await pages((page) => `{ ${list(page)} }`);
    expect(root.map((ids) => ids.length)).toEqual([2, 2, 2, 1]);
    expect(new Set(root.flat()).size).toBe(7);
    expect(await pages((page) => `{ ${list(page)} }`)).toEqual(root);
    expect(await pages((page) => `{ customer(externalId: "cust_bob") { ${list(page)} } }`)).toEqual(root);
    const cursors: string[] = [];
    for (let after: string | null = null; cursors.length < 7; ) {
      const query = `query($after: String) { paymentRequests(first: 3, after: $after, filter: {externalCustomerId: "cust_bob"}) {
        nodes { svcId } pageInfo { endCursor } } }`;
      const { data }: Awaited<ReturnType<typeof ask>> = await ask(query, { after });
      cursors.push(...data.paymentRequests.nodes.map((node: { svcId: string }) => node.svcId));
      after = data.paymentRequests.pageInfo.endCursor;
    }
    expect(cursors).toEqual(root.flat());
  });

  entry('GB-054', 'page numbers that are none fall back to the defaults', async () => {
    for (const args of ['perPage: 0', 'perPage: -1', 'page: 0, perPage: 100000', 'page: -5']) {
      const { data } = await ask(
        `{ paymentRequests(${args}, filter: {externalCustomerId: "cust_bob"}) { nodes { svcId } meta { currentPage totalPages totalCount } } }`,
      );
      expect(data.paymentRequests.meta).toEqual({ currentPage: 1, totalPages: 1, totalCount: 7 });
      expect(data.paymentRequests.nodes).toHaveLength(7);
    }
  });
});

describe('statements', () => {
  entry('GB-060', 'forty payment requests cost what two cost', async () => {
    const sizes = { few: 2, many: 40 };
    for (const [name, size] of Object.entries(sizes)) {
      const customer = await make('Customer', { externalId: name, slug: name });
      for (let index = 0; index < size; index += 1) {
        const invoice = await make('Invoice', { customerId: customer.id });
        await make('InvoiceAppliedTax', { invoiceId: invoice.id });
        await make('PaymentRequest', { customerId: customer.id, invoices: { connect: [{ id: invoice.id }] } });
      }
    }
    const read = (name: string) => () =>
      ask(`{ customer(externalId: "${name}") { paymentRequests(first: 40) { totalCount
        nodes { customer { externalId } invoices { number appliedTaxes { taxCode } metadata { key } } } } } }`);
    const few = await countStatements(app.db, read('few'));
    expect(await countStatements(app.db, read('many'))).toBe(few);
    expect(few).toBeLessThanOrEqual(3);
  });
});
