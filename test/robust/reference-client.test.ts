import { Client, getLagoError } from 'lago-javascript-client';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../src/command/serve.ts';
import { routes } from '../../src/rest/index.ts';
import { IDS } from '../rest/fixture.ts';
import { REFUSED } from '../rest/refused.ts';
import type { TestApp } from '../support.ts';
import { AREAS, CALLS, ELSEWHERE, REFUSED_CALLS } from './client-calls.ts';
import { createFullApp, WALLETS } from './full-app.ts';

// The client of the API that this one takes the place of, as it is published: only its address and key are set.
let app: TestApp;
let client: ReturnType<typeof Client>;
let close: () => Promise<void>;
beforeAll(async () => {
  app = await createFullApp();
  const limits = { requestTimeout: 30_000, shutdownTimeout: 1000, logger: pino({ level: 'silent' }) };
  const server = await serve({ app: app.app, host: '127.0.0.1', port: 0, ...limits });
  close = server.close;
  client = Client(app.key, { baseUrl: `http://127.0.0.1:${server.port}/api/v1` });
});
afterAll(async () => {
  await close?.();
  await app?.close();
});

const [wallet = '', otherWallet = ''] = WALLETS;
const UNKNOWN = '7d0f5a34-1b1e-4c57-9a52-999999999999';
const NOT_FOUND = { status: 404, error: 'Not Found', code: 'object_not_found' };

/** What the client makes of a refusal: the body of the answer that it throws. */
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call was not refused'),
    (error: unknown) => getLagoError(error),
  );

describe('the twelve operations', () => {
  it('invoices.downloadInvoice', async () => {
    const { status, data } = await client.invoices.downloadInvoice(IDS.invoices[0]);
    expect(status).toBe(200);
    const { file_url } = (data as unknown as { invoice: { file_url: string } }).invoice;
    expect(data.invoice).toMatchObject({ svc_id: IDS.invoices[0], number: 'ADA-000', total_amount_cents: 6000 });
    const file = await fetch(file_url);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it('invoices.invoicePreview', async () => {
    const { data } = await client.invoices.invoicePreview({
      customer: { name: 'Otterbank', currency: 'EUR' },
      plan_code: 'clover',
      subscription_at: '2026-06-15T00:00:00Z',
      billing_time: 'anniversary',
      coupons: [
        { code: 'c', name: 'C', coupon_type: 'fixed_amount', amount_cents: 100, amount_currency: 'EUR' },
      ] as never,
      billing_entity_code: 'acme_de',
    });
    expect(data.invoice).toMatchObject({
      billing_entity_code: 'acme_de',
      issuing_date: '2026-07-15',
      fees_amount_cents: 5000,
      coupons_amount_cents: 100,
      sub_total_excluding_taxes_amount_cents: 4900,
    });
  });

  it('wallets.mergeWalletMetadata', async () => {
    const { data } = await client.wallets.mergeWalletMetadata(wallet, { metadata: { region: 'iberia', ref: '1' } });
    expect(data).toEqual({ metadata: { region: 'iberia', ref: '1' } });
    const again = await client.wallets.mergeWalletMetadata(wallet, { metadata: { ref: '2', more: '' } });
    expect(again.data).toEqual({ metadata: { region: 'iberia', ref: '2', more: '' } });
  });

  it('wallets.destroyWallet', async () => {
    const { data } = await client.wallets.destroyWallet(otherWallet);
    expect(data.wallet).toMatchObject({ svc_id: otherWallet, status: 'terminated', external_customer_id: 'cust_ada' });
    expect(await app.db.prisma.wallet.findUnique({ where: { id: otherWallet } })).toMatchObject({
      status: 'terminated',
    });
  });

  it('plans.createPlanChargeFilter, plans.findPlanChargeFilter', async () => {
    const filter = { invoice_display_name: 'Europe', properties: { amount: '0.02' }, values: { region: ['eu'] } };
    const { data } = await client.plans.createPlanChargeFilter('fuzzed', 'calls', { filter });
    expect(data.filter).toMatchObject({ ...filter, charge_code: 'calls' });
    const { svc_id } = data.filter as unknown as { svc_id: string };
    expect((await client.plans.findPlanChargeFilter('fuzzed', 'calls', svc_id)).data).toEqual(data);
  });

  it('plans.updatePlanCharge', async () => {
    const { data } = await client.plans.updatePlanCharge('fuzzed', 'calls', {
      charge: { invoice_display_name: 'Calls', min_amount_cents: 5000000000, properties: { amount: '0.10' } } as never,
    });
    expect(data.charge).toMatchObject({
      code: 'calls',
      invoice_display_name: 'Calls',
      min_amount_cents: 5000000000,
      properties: { amount: '0.10' },
    });
  });

  it('plans.updatePlanFixedCharge', async () => {
    const { data } = await client.plans.updatePlanFixedCharge('fuzzed', 'desk', {
      fixed_charge: { units: '4', properties: { amount: '12.50' } } as never,
    });
    expect(data.fixed_charge).toMatchObject({ code: 'desk', units: 4, properties: { amount: '12.50' } });
  });

  it('subscriptions.findSubscriptionCharge, of the status asked for', async () => {
    const active = await client.subscriptions.findSubscriptionCharge('sub_ada', 'api_calls');
    expect(active.data.charge).toMatchObject({ code: 'api_calls', properties: { amount: '0.03' } });
    const pending = await client.subscriptions.findSubscriptionCharge('sub_ada', 'api_calls', {
      subscription_status: 'pending',
    });
    expect(pending.data.charge).toMatchObject({ properties: { amount: '0.04' } });
  });

  it('fees.findFee', async () => {
    const { data } = await client.fees.findFee(IDS.fullFee);
    expect(data.fee).toMatchObject({
      svc_id: IDS.fullFee,
      amount_cents: 1346,
      precise_amount: '13.45662',
      item: { type: 'charge', code: 'api_calls' },
    });
  });

  it('billingEntities.getBillingEntity', async () => {
    const { data } = await client.billingEntities.getBillingEntity('acme.fr');
    expect(data.billing_entity).toMatchObject({ code: 'acme.fr', name: 'Acme France', taxes: [{ code: 'vat20' }] });
  });

  it('customers.findAllCustomerPaymentRequests, by page, status and entities', async () => {
    const all = await client.customers.findAllCustomerPaymentRequests('cust_ada', { page: 1, per_page: 2 });
    expect(all.data.meta).toMatchObject({ current_page: 1, next_page: 2, total_pages: 2, total_count: 3 });
    expect(all.data.payment_requests).toHaveLength(2);
    const some = await client.customers.findAllCustomerPaymentRequests('cust_ada', {
      payment_status: 'failed',
      'billing_entity_codes[]': ['acme_de', 'acme.fr'],
    } as never);
    expect(some.data.payment_requests).toMatchObject([{ svc_id: IDS.requests[1], payment_status: 'failed' }]);
    const german = await client.customers.findAllCustomerPaymentRequests('cust_ada', {
      'billing_entity_codes[]': ['acme_de'],
    } as never);
    expect(german.data.meta.total_count).toBe(2);
  });
});

describe('identifiers that need encoding', () => {
  it.each(['orbit.example', '50%off', 'a b+c', 'ünï-東'])('%s, as the client is given it', async (externalId) => {
    const { data } = await client.subscriptions.findSubscriptionCharge(encodeURIComponent(externalId), 'api_calls');
    expect(data.charge).toMatchObject({ code: 'api_calls' });
  });
});

describe('refusals', () => {
  it.each([
    ['an invoice', () => client.invoices.downloadInvoice(UNKNOWN)],
    ['a plan', () => client.plans.updatePlanCharge('nope', 'calls', { charge: { properties: {} } as never })],
    ['a wallet', () => client.wallets.mergeWalletMetadata('nope', { metadata: { a: 'b' } })],
    ['a fee', () => client.fees.findFee('1')],
    ['a customer', () => client.customers.findAllCustomerPaymentRequests('nope')],
  ])('404: %s that does not exist', async (_name, call) => {
    expect(await refusalOf(call())).toEqual(NOT_FOUND);
  });

  it('422: with the members that are wrong', async () => {
    const call = client.wallets.mergeWalletMetadata(wallet, { metadata: { a: 'x'.repeat(256) } });
    expect(await refusalOf(call)).toMatchObject({
      status: 422,
      error: 'Unprocessable entity',
      code: 'validation_errors',
      error_details: { 'metadata.a': ['value_is_too_long'] },
    });
    const filter = { properties: { amount: '-1' }, values: { planet: ['mars'] } };
    const refusal = await refusalOf(client.plans.createPlanChargeFilter('fuzzed', 'calls', { filter }));
    expect(refusal).toMatchObject({ status: 422, error_details: { properties: expect.any(Array) } });
  });

  it('401: another key', async () => {
    const baseUrl = client.baseUrl;
    expect(await refusalOf(Client('nope', { baseUrl }).fees.findFee(IDS.fullFee))).toEqual({
      status: 401,
      error: 'Unauthorized',
    });
  });
});

describe('what an application builds and keeps', () => {
  type Method = (...given: readonly unknown[]) => Promise<{ status: number; data: Record<string, unknown> }>;
  const areas = () => client as unknown as Readonly<Record<string, Readonly<Record<string, Method>>>>;
  const answers: Record<string, unknown> = {};

  it('is every method that the client has for it', () => {
    const methods = AREAS.flatMap((area) => Object.keys(areas()[area] ?? {}).map((name) => `${area}.${name}`));
    const called = [...CALLS, ...REFUSED_CALLS].map(([name]) => name);
    expect(methods.filter((name) => !ELSEWHERE.test(name)).sort()).toEqual(called.toSorted());
  });

  it('leaves out only what has no route yet', () => {
    const operations = new Set(routes.map(({ operation }) => operation));
    const left = AREAS.flatMap((area) => Object.keys(areas()[area] ?? {}).map((name) => `${area}.${name}`));
    const elsewhere = left.filter((name) => ELSEWHERE.test(name));
    expect(elsewhere.length).toBeGreaterThan(0);
    expect(elsewhere.filter((name) => operations.has(name.split('.')[1] ?? ''))).toEqual([]);
  });

  it.each(CALLS)('%s', async (name, given, held) => {
    const [area = '', method = ''] = name.split('.');
    const known = typeof given === 'function' ? given(answers) : given;
    const { status, data } =
      (await areas()
        [area]?.[method]?.(...known)
        .catch(getLagoError)) ?? {};
    answers[name] = data;
    expect({ status, data }).toMatchObject({ status: 200, data: held });
  });

  it.each(REFUSED_CALLS)('%s is refused, and the client can tell why', async (name, given, operation) => {
    const [area = '', method = ''] = name.split('.');
    expect(await refusalOf(areas()[area]?.[method]?.(...given) ?? Promise.resolve())).toEqual(REFUSED[operation]);
  });

  it.each(['taxes.findTax', 'plans.findPlan', 'customers.findCustomer'])('%s, once it is deleted', async (name) => {
    const [area = '', method = ''] = name.split('.');
    expect(await refusalOf(areas()[area]?.[method]?.('by-client') ?? Promise.resolve())).toEqual(NOT_FOUND);
  });
});
