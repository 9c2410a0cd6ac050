import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { VatAnswer } from '../../../src/engine/customer/vat-check.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const START = new Date('2026-05-02T10:00:00Z');
const register = { answer: 'unavailable' as VatAnswer, asked: 0 };
let test: TestApp;
beforeAll(async () => {
  const checkVat = async () => {
    register.asked += 1;
    return register.answer;
  };
  test = await createTestApp({ now: () => START, checkVat });
  const post = async (path: string, body: object) => expect((await test.rest('POST', path, body)).status).toBe(200);
  await post('/billing_entities', {
    billing_entity: { code: 'home', name: 'Home', country: 'FR', eu_tax_management: true },
  });
  await post('/add_ons', { add_on: { code: 'setup', name: 'Setup', amount_cents: 1000, amount_currency: 'EUR' } });
  await post('/taxes', { tax: { code: 'own', name: 'Own', rate: '10' } });
  await post('/customers', { customer: { external_id: 'paris', country: 'FR', currency: 'EUR' } });
});
afterAll(() => test?.close());
beforeEach(() => {
  register.answer = 'unavailable';
});

async function sold(external_customer_id: string, members: object = {}) {
  const fees = [{ add_on_code: 'setup', ...members }];
  const { status, body } = await test.rest('POST', '/invoices', {
    invoice: { external_customer_id, currency: 'EUR', fees },
  });
  expect(status).toBe(200);
  return body.invoice;
}
const call = (id: string, verb: string, body?: object, headers: Record<string, string> = {}) =>
  test.rest('POST', `/invoices/${id}/${verb}`, body, { headers });
const entriesOf = (objectId: string, action: string) =>
  test.db.prisma.auditLog.findMany({ where: { objectId, action }, select: { before: true, after: true } });
const NOWHERE = '00000000-0000-4000-8000-000000000000';

describe('an invoice that waits for its taxes', () => {
  it('asks the register at once, before it is time, and is final when it answers; others of the customer with it', async () => {
    const customer = {
      external_id: 'rome',
      country: 'IT',
      currency: 'EUR',
      tax_identification_number: 'IT12345678901',
    };
    await test.rest('POST', '/customers', { customer });
    const [invoice, other] = [await sold('rome'), await sold('rome')];
    expect([invoice.status, invoice.number.endsWith('-DRAFT')]).toEqual(['pending', true]);
    const before = register.asked;
    expect((await call(invoice.svc_id, 'retry')).body.invoice).toMatchObject({ status: 'pending' });
    expect(register.asked).toBe(before + 1);
    register.answer = 'valid';
    const dry = 'mutation ($id: UUID!) { retryInvoice(svcId: $id, dryRun: true) { status } }';
    expect((await test.graphql(dry, { id: invoice.svc_id })).data.retryInvoice).toEqual({ status: 'pending' });
    expect(register.asked).toBe(before + 1);
    const done = (await call(invoice.svc_id, 'retry')).body.invoice;
    expect(done).toMatchObject({ status: 'finalized', taxes_amount_cents: 0, total_amount_cents: 1000 });
    expect(done.applied_taxes).toMatchObject([{ tax_code: 'svc_eu_reverse_charge' }]);
    expect((await test.rest('GET', `/invoices/${other.svc_id}`)).body.invoice.status).toBe('finalized');
    const again = await call(invoice.svc_id, 'retry');
    expect([again.status, again.body.code]).toEqual([405, 'invalid_status']);
  });
});

describe('an invoice whose taxes had failed', () => {
  it('gets those of by now with the fees that it has, its number and its date, and its error is gone', async () => {
    const { svc_id: id } = await sold('paris', { units: '3' });
    const { organizationId } = test;
    await test.db.prisma.invoiceErrorDetail.create({ data: { invoiceId: id, organizationId, errorCode: 'tax_error' } });
    const failed = {
      status: 'failed',
      taxStatus: 'failed',
      number: '',
      sequentialId: null,
      taxesAmountCents: 0n,
    } as const;
    await test.db.prisma.invoice.update({ where: { id }, data: { ...failed, issuingDate: new Date('2026-04-01') } });
    await test.db.prisma.feeAppliedTax.deleteMany({ where: { fee: { invoiceId: id } } });
    const { invoice } = (await call(id, 'retry')).body;
    expect(invoice).toMatchObject({
      ...{ status: 'finalized', issuing_date: '2026-05-02', total_amount_cents: 3600, taxes_amount_cents: 600 },
      ...{ fees: [{ units: '3.0', amount_cents: 3000, taxes_amount_cents: 600 }], error_details: [] },
    });
    expect(invoice.number).not.toBe('');
    const [retried] = await entriesOf(id, 'invoice.retried');
    expect(retried).toMatchObject({ before: { status: 'failed' }, after: { status: 'pending' } });
    expect(await entriesOf(id, 'invoice.finalized')).toMatchObject([{ before: { status: 'pending' } }]);
  });

  it('stays as it is while nobody knows the taxes', async () => {
    const customer = {
      external_id: 'milan',
      country: 'IT',
      currency: 'EUR',
      tax_identification_number: 'IT98765432109',
    };
    await test.rest('POST', '/customers', { customer });
    const { svc_id: id } = await sold('milan');
    await test.db.prisma.invoice.update({ where: { id }, data: { status: 'failed', taxStatus: 'failed' } });
    expect((await call(id, 'retry')).body.invoice.status).toBe('failed');
    expect(await entriesOf(id, 'invoice.retried')).toEqual([]);
  });

  it('is refused where it has them, and is not there for others', async () => {
    const { svc_id } = await sold('paris');
    expect((await call(svc_id, 'retry')).status).toBe(405);
    expect((await call(NOWHERE, 'retry')).status).toBe(404);
  });
});

describe('a payment that is tried again', () => {
  it('says nothing, changes nothing and is logged: there is no provider that would collect it', async () => {
    const { svc_id: id } = await sold('paris');
    const answer = await call(id, 'retry_payment', undefined, { 'Idempotency-Key': 'retry-1' });
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([200, '', null]);
    const replayed = await call(id, 'retry_payment', undefined, { 'Idempotency-Key': 'retry-1' });
    expect([replayed.status, replayed.text]).toEqual([200, '']);
    const entries = await entriesOf(id, 'invoice.payment_retried');
    expect(entries).toEqual([{ before: {}, after: { error: 'customer_must_have_payment_provider' } }]);
    expect((await test.rest('GET', `/invoices/${id}`)).body.invoice.payment_status).toBe('pending');
  });

  it('of what costs nothing is paid', async () => {
    const { svc_id: id } = await sold('paris', { unit_amount_cents: 0 });
    await test.rest('PUT', `/invoices/${id}`, { invoice: { payment_status: 'failed' } });
    expect((await call(id, 'retry_payment', {})).status).toBe(200);
    expect((await test.rest('GET', `/invoices/${id}`)).body.invoice.payment_status).toBe('succeeded');
    expect(await entriesOf(id, 'invoice.payment_retried')).toMatchObject([{ after: { paymentStatus: 'succeeded' } }]);
  });

  it('takes a method of the customer, the default one, or none, and no other', async () => {
    const { svc_id: id } = await sold('paris');
    const { id: customerId } = await test.db.prisma.customer.findFirstOrThrow({ where: { externalId: 'paris' } });
    const { organizationId } = test;
    const made = { customerId, organizationId, providerMethodId: 'pm', isDefault: true };
    const { id: payment_method_id } = await test.db.prisma.paymentMethod.create({ data: made });
    const sent = async (payment_method: object) => {
      const { status, body } = await call(id, 'retry_payment', { payment_method });
      return body ? [status, body.error_details] : status;
    };
    const refused = [422, { payment_method: ['invalid_payment_method'] }];
    expect(await sent({ payment_method_type: 'provider', payment_method_id })).toBe(200);
    expect(await sent({ payment_method_type: 'provider' })).toBe(200);
    expect(await sent({ payment_method_type: 'manual' })).toBe(200);
    expect(await sent({ payment_method_type: 'manual', payment_method_id })).toEqual(refused);
    expect(await sent({ payment_method_type: 'provider', payment_method_id: NOWHERE })).toEqual(refused);
  });

  it('is refused where nothing is to be collected', async () => {
    const { svc_id: paid } = await sold('paris');
    await test.rest('PUT', `/invoices/${paid}`, { invoice: { payment_status: 'succeeded' } });
    const { svc_id: voided } = await sold('paris');
    await call(voided, 'void');
    const { svc_id: waiting } = await sold('milan');
    for (const id of [paid, voided, waiting]) {
      expect(await call(id, 'retry_payment')).toMatchObject({ status: 405, body: { code: 'invalid_status' } });
    }
    expect((await call(NOWHERE, 'retry_payment', { payment_method: 7 })).status).toBe(404);
  });
});

describe('a page on which an invoice is paid', () => {
  it('is refused, and says why', async () => {
    const { svc_id: id } = await sold('paris');
    const reason = async (paymentProvider: string | null, payment_status = 'pending') => {
      await test.db.prisma.customer.updateMany({ where: { externalId: 'paris' }, data: { paymentProvider } });
      await test.rest('PUT', `/invoices/${id}`, { invoice: { payment_status } });
      const { status, body } = await call(id, 'payment_url');
      expect(status).toBe(422);
      return body.error_details.base;
    };
    expect(await reason(null)).toEqual(['no_linked_payment_provider']);
    expect(await reason('gocardless')).toEqual(['invalid_payment_provider']);
    expect(await reason('stripe')).toEqual(['missing_payment_provider']);
    expect(await reason('stripe', 'succeeded')).toEqual(['invalid_invoice_status_or_payment_status']);
    expect((await call(NOWHERE, 'payment_url')).status).toBe(404);
  });
});
