import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countStatements } from '../../support.ts';
import { createReadApp, IDS } from '../fixture.ts';
import { itIsGuarded, NOT_FOUND } from '../guarded.ts';

const PATH = '/customers/cust_ada/payment_requests';
const [FIRST, SECOND, THIRD] = IDS.requests;
let app: Awaited<ReturnType<typeof createReadApp>>;
beforeAll(async () => {
  app = await createReadApp();
});
afterAll(() => app.close());

const idsOf = (body: { payment_requests: { svc_id: string }[] }) => body.payment_requests.map(({ svc_id }) => svc_id);

describe('200', () => {
  it('newest first, with customer and invoices', async () => {
    const { status, body } = await app.rest('GET', PATH);
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual([THIRD, SECOND, FIRST]);
    expect(body.meta).toEqual({ current_page: 1, total_pages: 1, total_count: 3, next_page: null, prev_page: null });
    const [newest, , oldest] = body.payment_requests;
    expect(newest).toMatchObject({ email: '', invoices: [{ total_amount_cents: 30000000000 }] });
    expect(oldest).toMatchObject({
      email: 'ada@example.com',
      payment_status: 'pending',
      customer: {
        external_id: 'cust_ada',
        applicable_timezone: 'Europe/Paris',
        metadata: [{ key: 'tier', value: 'gold', display_in_invoice: true }],
        integration_customers: [{ type: 'xero' }],
        shipping_address: { city: null },
      },
    });
    expect(oldest.invoices).toHaveLength(3);
    expect(oldest.invoices[0]).toMatchObject({ issuing_date: '2026-01-01', payment_due_date: '2026-03-08' });
    expect(Object.keys(oldest.invoices[0])).not.toContain('fees');
  });
  it('a wrong state of an unknown customer is told after the customer', async () => {
    expect((await app.rest('GET', '/customers/nobody/payment_requests?payment_status=bogus')).body).toEqual(NOT_FOUND);
  });
  it('an empty state is that of no request', async () => {
    for (const path of [`${PATH}?payment_status=`, `${PATH}?per_page=2&payment_status=&page=1`]) {
      const { status, body } = await app.rest('GET', path);
      expect([status, body.payment_requests, body.meta.total_count, body.meta.current_page]).toEqual([200, [], 0, 0]);
    }
    const unknown = await app.rest('GET', '/customers/nobody/payment_requests?payment_status=');
    expect(unknown.body).toEqual(NOT_FOUND);
  });
  it('filters that are of the wrong kind are no filters', async () => {
    for (const query of ['payment_status[]=failed', 'billing_entity_codes=acme_de', 'page=&per_page=']) {
      expect((await app.rest('GET', `${PATH}?${query}`)).body.meta.total_count, query).toBe(3);
    }
    expect((await app.rest('GET', `${PATH}?billing_entity_codes[]=`)).body).toEqual(NOT_FOUND);
  });
  it('an empty list is page 0 of 0', async () => {
    const { body } = await app.rest('GET', '/customers/cust_bare/payment_requests');
    expect(body).toEqual({
      meta: { current_page: 0, total_pages: 0, total_count: 0, next_page: null, prev_page: null },
      payment_requests: [],
    });
  });
  it('rows that have only what must be there', async () => {
    const { status, body } = await app.rest('GET', '/customers/cust_1/payment_requests', undefined, { key: app.other });
    expect(status).toBe(200);
    expect(body.payment_requests[0].customer).toMatchObject({ name: null, timezone: null, currency: null });
  });
  it('pages', async () => {
    const { body } = await app.rest('GET', `${PATH}?page=2&per_page=2`);
    expect(idsOf(body)).toEqual([FIRST]);
    expect(body.meta).toEqual({ current_page: 2, total_pages: 2, total_count: 3, next_page: null, prev_page: 1 });
  });
  it('past the end: no rows, real totals', async () => {
    const { body } = await app.rest('GET', `${PATH}?page=999`);
    expect(body.payment_requests).toEqual([]);
    expect(body.meta).toEqual({ current_page: 999, total_pages: 1, total_count: 3, next_page: null, prev_page: 998 });
  });
  it.each([
    'per_page=0',
    'per_page=-1',
    'per_page=abc',
    'per_page=100000',
    'per_page=',
    'page=0',
    'page=-5',
    'page=1.5',
    'per_page=2.5',
    'page=&per_page=',
  ])('the default for %s', async (query) => {
    const { status, body } = await app.rest('GET', `${PATH}?${query}`);
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual([THIRD, SECOND, FIRST]);
    expect(body.meta.current_page).toBe(1);
  });
  it('not a page whose number nothing can show; of a size, the most', async () => {
    const { status, body } = await app.rest('GET', `${PATH}?page=99999999999999999999`);
    expect([status, body.error_details]).toEqual([422, { page: ['value_is_invalid'] }]);
    const { meta } = (await app.rest('GET', `${PATH}?page=2147483647&per_page=99999999999999999999`)).body;
    expect(meta).toMatchObject({ current_page: 2147483647, total_pages: 1, total_count: 3, next_page: null });
  });
  it.each([
    ['payment_status=pending', [FIRST]],
    ['payment_status=succeeded', [THIRD]],
    ['billing_entity_codes[]=acme.fr', [SECOND, FIRST]],
    ['billing_entity_codes[]=acme.fr&billing_entity_codes[]=acme.fr', [SECOND, FIRST]],
    ['billing_entity_codes%5B%5D=acme_de', [THIRD, SECOND]],
    ['billing_entity_codes[]=acme.fr&billing_entity_codes[]=acme_de', [THIRD, SECOND, FIRST]],
    ['billing_entity_codes[]=old', []],
    ['billing_entity_codes=acme.fr', [THIRD, SECOND, FIRST]],
    ['payment_status=failed&billing_entity_codes[]=acme_de', [SECOND]],
  ])('only %s', async (query, ids) => {
    const { status, body } = await app.rest('GET', `${PATH}?${query}`);
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual(ids);
    expect(body.meta.total_count).toBe(ids.length);
  });
  it('costs the same statements for 3 rows and for 203', async () => {
    const few = await countStatements(app.db, () => app.rest('GET', `${PATH}?per_page=1000`));
    const { id: customerId } = await app.db.prisma.customer.findFirstOrThrow({ where: { externalId: 'cust_ada' } });
    for (let index = 0; index < 200; index++) {
      await app.db.prisma.paymentRequest.create({
        data: {
          organizationId: app.organizationId,
          customerId,
          amountCents: 1n,
          amountCurrency: 'EUR',
          createdAt: new Date('2020-01-01T00:00:00Z'),
          invoices: { connect: IDS.invoices.map((id) => ({ id })) },
        },
      });
    }
    let many = { body: { payment_requests: [] as unknown[] } };
    const statements = await countStatements(app.db, async () => {
      many = await app.rest('GET', `${PATH}?per_page=1000`);
    });
    expect(many.body.payment_requests).toHaveLength(203);
    expect(statements).toBe(few);
    expect(statements).toBeLessThanOrEqual(25);
    await app.db.prisma.paymentRequest.deleteMany({ where: { amountCents: 1n } });
  });
});

itIsGuarded(
  () => app,
  'GET',
  () => PATH,
  'payment_request:read',
);

describe('404', () => {
  it.each([
    ['an unknown customer', '/customers/nope/payment_requests'],
    ['an unknown entity', `${PATH}?billing_entity_codes[]=nope`],
    ['an unknown entity among known ones', `${PATH}?billing_entity_codes[]=acme.fr&billing_entity_codes[]=nope`],
    ['an empty entity code', `${PATH}?billing_entity_codes[]=`],
  ])('%s', async (_name, path) => {
    const { status, body } = await app.rest('GET', path);
    expect(status).toBe(404);
    expect(body).toEqual(NOT_FOUND);
  });
  it("another organization's customer", async () => {
    expect((await app.rest('GET', PATH, undefined, { key: app.other })).status).toBe(404);
  });
});

describe('422', () => {
  it.each(['bogus', '0'])('a payment status that is none: %s', async (value) => {
    const { status, body } = await app.rest('GET', `${PATH}?payment_status=${value}`);
    expect(status).toBe(422);
    expect(body.error_details).toEqual({ payment_status: ['value_is_invalid'] });
  });
});
