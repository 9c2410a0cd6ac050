import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLife } from '../../../src/engine/life/verify-life.ts';
import { createKey } from '../../../src/store/access/api-key.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { billedLives } from '../../../src/store/subscription/billed-life.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const START = new Date('2023-01-01T00:00:00Z');
const DOCUMENT = {
  taxes: [
    { code: 'old', rate: 20, name: 'Old' },
    { code: 'new', rate: 10, name: 'New' },
  ],
  billing_entities: [{ code: 'main', is_default: true, tax_codes: ['old'], document_number_prefix: 'MAI' }],
  billable_metrics: [{ code: 'calls', name: 'Calls', aggregation_type: 'count_agg' }],
  add_ons: [{ code: 'setup', name: 'Setup', amount_cents: 5000, amount_currency: 'EUR' }],
  plans: [
    {
      ...{ code: 'plan', name: 'Plan', interval: 'monthly', amount_cents: 1000, amount_currency: 'EUR' },
      pay_in_advance: true,
      charges: [
        {
          ...{ code: 'calls', billable_metric_code: 'calls', charge_model: 'standard', properties: { amount: '5' } },
          min_amount_cents: 3000,
        },
      ],
    },
  ],
  coupons: [
    {
      ...{ code: 'once', name: 'Once', coupon_type: 'fixed_amount', amount_cents: 100, amount_currency: 'EUR' },
      ...{ frequency: 'once', expiration: 'no_expiration' },
    },
  ],
  customers: ['one', 'two', 'three'].map((external_id) => ({ external_id, currency: 'EUR' })),
  applied_coupons: [{ external_customer_id: 'one', coupon_code: 'once', status: 'active' }],
  wallets: [
    {
      ...{ external_customer_id: 'one', code: 'w', currency: 'EUR', rate_amount: '1', balance_cents: 500 },
      credits_balance: '5.0',
      wallet_transactions: [
        {
          ...{ transaction_type: 'inbound', status: 'settled', transaction_status: 'granted', amount: '5.0' },
          ...{ credit_amount: '5.0', remaining_amount_cents: 500, settled_at: '2022-12-31T00:00:00Z' },
        },
      ],
    },
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: rows of an answer
type Row = any;

let test: TestApp;
let key: string;
let organizationId: string;
let otherKey: string;
beforeAll(async () => {
  test = await createTestApp();
  const data = { name: 'Made anew', testClockAt: START };
  ({ id: organizationId } = await test.db.prisma.organization.create({ data }));
  key = (await createKey(test.db.prisma, { organizationId, kind: 'secret' })).key;
  const other = await test.db.prisma.organization.create({ data: { name: 'Another', testClockAt: START } });
  otherKey = (await createKey(test.db.prisma, { organizationId: other.id, kind: 'secret' })).key;
  await importDocument(test.db, DOCUMENT, { organization: data.name, now: new Date('2022-12-31T00:00:00Z') });
  for (const customer of ['one', 'two']) {
    const subscription = { external_customer_id: customer, external_id: `${customer}-sub`, plan_code: 'plan' };
    expect((await rest('POST', '/subscriptions', { subscription })).status).toBe(200);
  }
});
afterAll(() => test.close());

const rest = (method: string, path: string, body?: object) => test.rest(method, path, body, { key });
const ask = (query: string, variables: object = {}, by = key) => test.graphql(query, variables, by);
async function advanceTo(to: string) {
  const { errors } = await ask('mutation ($to: DateTime!) { advanceClock(input: { to: $to }) { testClockAt } }', {
    to,
  });
  expect(errors).toBeUndefined();
}

const INVOICE = `svcId number status invoiceType issuingDate paymentDueDate paymentStatus taxesRate totalAmountCents
  couponsAmountCents prepaidCreditAmountCents feesAmountCents svcVoidedInvoiceId voidedInvoice { number } regeneratedInvoice { svcId }
  billingPeriods { svcSubscriptionId subscriptionFromDatetime chargesFromDatetime invoicingReason }
  allFees { svcId svcOriginalFeeId amountCents units paymentStatus item { type code invoiceDisplayName } trueUpParentFee { svcId }
    subscription { svcId } charge { svcId } }`;
const INVOICES = `query ($id: String!) { customer(externalId: $id) { invoices { nodes { ${INVOICE} } } } }`;
const invoicesOf = async (id: string): Promise<Row[]> => (await ask(INVOICES, { id })).data.customer.invoices.nodes;

const ANEW = `mutation ($svcId: UUID!, $fees: [AdjustedFeeInput!]) {
  it: regenerateInvoice(svcId: $svcId, fees: $fees) { ${INVOICE} }
}`;
const anew = async (svcId: string, fees?: object[], by = key) => {
  const { data, errors } = await ask(ANEW, { svcId, fees }, by);
  const { code, errorDetails, reason } = errors?.[0]?.extensions ?? {};
  return { it: data?.it as Row, refused: errorDetails ?? reason ?? code, message: errors?.[0]?.message };
};
const voided = async (svcId: string) =>
  expect((await rest('POST', `/invoices/${svcId}/void`)).body.invoice.status).toBe('voided');

/** What a computation of all stored invoices again tells. */
async function differences() {
  const db = forOrganization(test.db.prisma, organizationId);
  const actor = { organizationId, now: START, job: 'verify' };
  const lives = await billedLives(db, actor);
  const verified = [];
  for (const life of lives) verified.push(...(await verifyLife(db, actor, life)).differences);
  return verified;
}

const typeOf = ({ item, trueUpParentFee }: Row) => (trueUpParentFee ? 'true-up' : item.type);
const amounts = ({ allFees }: Row) => allFees.map((fee: Row) => [typeOf(fee), fee.amountCents]);

describe('an invoice is made anew of a voided one', () => {
  it('as it was: with its dates and periods, the next number, and what the customer pays with', async () => {
    const [before] = await invoicesOf('one');
    expect(before).toMatchObject({
      totalAmountCents: '580',
      couponsAmountCents: '100',
      prepaidCreditAmountCents: '500',
    });
    expect((await anew(before.svcId)).refused).toBe('not_regenerable');
    await advanceTo('2023-01-05T00:00:00Z');
    const DRY = `mutation ($svcId: UUID!) { voidInvoice(svcId: $svcId, dryRun: true) { status }
      it: regenerateInvoice(svcId: $svcId, dryRun: true) { ${INVOICE} } }`;
    const { data: tried } = await ask(DRY, { svcId: before.svcId });
    expect(tried.it).toMatchObject({ totalAmountCents: '580', number: '' });
    expect(await invoicesOf('one')).toEqual([before]);

    await voided(before.svcId);
    expect((await anew(before.svcId, undefined, otherKey)).refused).toBe('object_not_found');
    const both = await Promise.all([anew(before.svcId), anew(before.svcId)]);
    expect(both.map(({ refused }) => refused).sort()).toEqual(['already_regenerated', undefined]);
    const made = both.find(({ it: one }) => one)?.it;
    const { svcId, number, allFees, voidedInvoice, status, ...same } = before;
    expect(made).toMatchObject({
      ...{ ...same, svcVoidedInvoiceId: svcId, status: 'finalized', number: 'MAI-001-002' },
      voidedInvoice: { number },
      allFees: allFees.map(({ svcId: svcOriginalFeeId, ...fee }: Row) => ({ ...fee, svcOriginalFeeId })),
    });
    const shown = await invoicesOf('one');
    expect(shown.find((one) => one.svcId === svcId)).toMatchObject({ regeneratedInvoice: { svcId: made.svcId } });
    await advanceTo('2023-02-01T01:00:00Z');
    const next = (await invoicesOf('one')).filter((one) => one.svcVoidedInvoiceId === null && one.svcId !== svcId);
    expect(next.map(amounts)).toEqual([
      [
        ['subscription', '1000'],
        ['charge', '0'],
        ['true-up', '3000'],
      ],
    ]);
    expect(await differences()).toEqual([]);
  });

  it('with the fees that are listed, changed or not, and those of further prices; again where that one is voided', async () => {
    const before = (await invoicesOf('two')).find(({ allFees }) => allFees.length > 1);
    await voided(before.svcId);
    const feeOf = (type: string): Row => before.allFees.find((one: Row) => typeOf(one) === type);
    const plan = { svcFeeId: feeOf('subscription').svcId };
    const [charge, up] = [{ svcFeeId: feeOf('charge').svcId }, { svcFeeId: feeOf('true-up').svcId }];
    const { svcId: svcSubscriptionId } = feeOf('subscription').subscription;
    const price = { svcSubscriptionId, svcChargeId: feeOf('charge').charge.svcId };
    const NOBODY = '01900000-0000-7000-8000-000000000000';
    for (const [fees, refusal] of [
      [[], { fees: ['value_is_mandatory'] }],
      [
        [plan, plan, { ...charge, preciseUnitAmount: '1' }],
        { id: ['value_already_exist'], units: ['value_is_mandatory'] },
      ],
      [[plan, up], { id: ['value_is_invalid'] }],
      [[charge, { ...up, units: '2' }], { fee: ['value_is_invalid'] }],
      [[plan, price], { units: ['value_is_mandatory'] }],
      [[{ svcFeeId: NOBODY }], 'object_not_found'],
      [[plan, {}], 'object_not_found'],
      [[{ ...price, svcSubscriptionId: NOBODY, units: '1' }], 'object_not_found'],
      [[{ ...price, svcChargeId: NOBODY, units: '1' }], 'object_not_found'],
      [[{ ...price, svcChargeFilterId: NOBODY, units: '1' }], 'object_not_found'],
    ] as const) {
      expect((await anew(before.svcId, [...fees])).refused).toEqual(refusal);
    }
    const changed = { ...plan, units: '2', preciseUnitAmount: '7.5', invoiceDisplayName: 'Agreed' };
    const { it: made } = await anew(before.svcId, [changed, { ...price, units: '3' }]);
    expect(amounts(made)).toEqual([
      ['subscription', '1500'],
      ['charge', '1500'],
    ]);
    expect(made).toMatchObject({ totalAmountCents: '3600', allFees: [{ item: { invoiceDisplayName: 'Agreed' } }, {}] });
    expect(await differences()).toEqual([]);
    await voided(made.svcId);
    const { it: last } = await anew(made.svcId, [{ svcFeeId: made.allFees[1].svcId }]);
    expect(amounts(last)).toEqual([['charge', '1500']]);
    const { id } = await test.db.prisma.fee.findFirstOrThrow({ where: { invoiceId: last.svcId } });
    const { data } = await ask('query ($id: UUID!) { fee(svcId: $id) { explanation { basis } } }', { id });
    expect(data.fee.explanation.basis).toBe('computed');
    expect(await differences()).toEqual([]);
    await test.db.prisma.fee.update({ where: { id }, data: { amountCents: 1501n } });
    expect((await differences()).map(({ reason }) => reason)).toContain('price_changed');
    await test.db.prisma.fee.update({ where: { id }, data: { amountCents: 1500n } });

    // A credit note of unused days is on the invoice that stands.
    await advanceTo('2023-02-15T00:00:00Z');
    expect((await rest('DELETE', '/subscriptions/two-sub')).status).toBe(200);
    expect(await differences()).toEqual([]);
  });

  it('of what was sold: with the taxes of now', async () => {
    const invoice = { external_customer_id: 'three', fees: [{ add_on_code: 'setup', units: 2 }] };
    const { body } = await rest('POST', '/invoices', { invoice });
    expect(body.invoice).toMatchObject({ total_amount_cents: 12_000 });
    const tax_codes = ['new'];
    expect((await rest('PUT', '/add_ons/setup', { add_on: { tax_codes } })).status).toBe(200);
    await voided(body.invoice.svc_id);
    const { it: made } = await anew(body.invoice.svc_id);
    expect(made).toMatchObject({ invoiceType: 'one_off', totalAmountCents: '11000', paymentStatus: 'pending' });
    expect(await differences()).toEqual([]);
  });
});
