import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const NOW = new Date('2026-06-11T12:00:00Z');
const starts = '2026-05-01T00:00:00Z';
// biome-ignore lint/suspicious/noExplicitAny: members of any shape
type Any = any;

const charge = (code: string, charge_model: string, properties: object, more: object = {}) => ({
  ...{ code, billable_metric_code: code, charge_model, properties, ...more },
});
const DOCUMENT = {
  taxes: [{ code: 'vat20', name: 'VAT', rate: 20 }],
  billing_entities: [{ code: 'main', name: 'Main', is_default: true, tax_codes: ['vat20'] }],
  billable_metrics: [
    {
      ...{ code: 'calls', name: 'Calls', aggregation_type: 'count_agg' },
      filters: [{ key: 'region', values: ['eu', 'us'] }],
    },
    { code: 'bytes', name: 'Bytes', aggregation_type: 'sum_agg', field_name: 'size' },
    { code: 'users', name: 'Users', aggregation_type: 'unique_count_agg', field_name: 'user' },
    { code: 'unpriced', name: 'Unpriced', aggregation_type: 'count_agg' },
  ],
  plans: [
    {
      ...{ code: 'orchid', name: 'Orchid', interval: 'monthly', amount_cents: 5000, amount_currency: 'EUR' },
      charges: [
        charge(
          'calls',
          'standard',
          { amount: '0.10' },
          {
            filters: [{ invoice_display_name: 'Europe', properties: { amount: '0.50' }, values: { region: ['eu'] } }],
          },
        ),
        charge('bytes', 'package', { amount: '3', package_size: 100, free_units: 0 }),
        charge('users', 'standard', { amount: '2' }, { pay_in_advance: true }),
      ],
    },
  ],
  customers: [{ external_id: 'cust_ada', name: 'Ada Stores', currency: 'EUR' }],
  subscriptions: [
    {
      ...{ external_id: 'sub_ada', external_customer_id: 'cust_ada', plan_code: 'orchid', status: 'active' },
      ...{ subscription_at: starts, started_at: starts, created_at: starts },
    },
  ],
  events: [1, 2].map((at) => ({
    ...{ transaction_id: `t${at}`, external_subscription_id: 'sub_ada', code: 'calls' },
    timestamp: `2026-06-0${at}T00:00:00Z`,
  })),
  invoices: [
    {
      ...{ external_customer_id: 'cust_ada', number: 'ADA-1', status: 'finalized', currency: 'EUR' },
      ...{ fees_amount_cents: 5000, total_amount_cents: 6000, svc_id: '7d0f5a34-1b1e-4c57-9a52-000000000001' },
      fees: [{ external_subscription_id: 'sub_ada', fee_type: 'subscription', amount_cents: 5000 }],
      billing_periods: [
        {
          ...{ external_subscription_id: 'sub_ada', invoicing_reason: 'subscription_periodic' },
          ...{ subscription_from_datetime: starts, subscription_to_datetime: '2026-05-31T23:59:59Z' },
          ...{ charges_from_datetime: starts, charges_to_datetime: '2026-05-31T23:59:59Z' },
        },
      ],
    },
  ],
};

const FIGURES = `mode feesAmountCents taxesAmountCents totalAmountCents issuingDate
  allFees { amountCents units eventsCount item { type code filterInvoiceDisplayName } }`;
const QUERY = `query($input: InvoicePreviewInput!) { invoicePreview(input: $input) { ${FIGURES} } }`;
const proposal = { planCode: 'orchid', billingTime: 'calendar', subscriptionAt: '2026-07-01T00:00:00Z' };
const running = { customer: { externalId: 'cust_ada' }, subscriptions: { externalIds: ['sub_ada'] } };

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ now: () => NOW });
  const { name } = await test.db.prisma.organization.findUniqueOrThrow({ where: { id: test.organizationId } });
  await importDocument(test.db, DOCUMENT, { organization: name, now: NOW });
});
afterAll(() => test.close());

const ask = async (input: object) => {
  const { data, errors } = await test.graphql(QUERY, { input });
  return { invoice: data?.invoicePreview, error: errors?.[0]?.extensions };
};
const lines = ({ allFees }: Any) =>
  allFees.map(({ item, units, amountCents }: Any) => [
    item.filterInvoiceDisplayName ?? item.code,
    Number(units),
    Number(amountCents),
  ]);

describe('what a period would cost', () => {
  it('a new subscription is billed without usage when none is supposed', async () => {
    const { invoice } = await ask(proposal);
    expect(lines(invoice)).toEqual([['orchid', 1, 5000]]);
    expect(invoice.mode).toBe('proposal');
  });

  it('numbers of units', async () => {
    const usage = [
      { metricCode: 'calls', units: '12' },
      { metricCode: 'bytes', units: '250.5' },
      { metricCode: 'users', units: '3' },
    ];
    const { invoice } = await ask({ ...proposal, usage });
    const usageLines = lines(invoice).slice(1);
    expect(lines(invoice)[0]).toEqual(['orchid', 1, 5000]);
    expect(usageLines.toSorted()).toEqual([
      ['bytes', 250.5, 900],
      ['calls', 12, 120],
      ['users', 3, 600],
    ]);
    expect(invoice).toMatchObject({ feesAmountCents: '6620', taxesAmountCents: '1324', issuingDate: '2026-08-01' });
  });

  it('events, which filters and distinct values tell apart', async () => {
    const usage = [
      { metricCode: 'calls', events: [{ properties: { region: 'eu' } }, { properties: { region: 'us' } }, {}] },
      { metricCode: 'users', events: ['a', 'b', 'a'].map((user) => ({ properties: { user } })) },
    ];
    const { invoice } = await ask({ ...proposal, usage });
    expect(
      Object.fromEntries(lines(invoice).map(([name, units, amount]: Any) => [name, [units, amount]])),
    ).toMatchObject({
      Europe: [1, 50],
      calls: [2, 20],
      users: [2, 400],
    });
  });

  it('on top of what is stored', async () => {
    expect(lines((await ask(running)).invoice)).toContainEqual(['calls', 2, 20]);
    const usage = [{ metricCode: 'calls', events: [{ properties: {} }, { properties: { region: 'eu' } }] }];
    const { invoice } = await ask({ ...running, usage });
    expect(lines(invoice)).toContainEqual(['calls', 3, 30]);
    expect(lines(invoice)).toContainEqual(['Europe', 1, 50]);
  });

  it.each([
    ['an unknown metric', [{ metricCode: 'nothing', units: '1' }], { metric_code: ['value_is_invalid'] }],
    ['a metric without a price', [{ metricCode: 'unpriced', units: '1' }], { metric_code: ['value_is_invalid'] }],
    [
      'units and events',
      [{ metricCode: 'calls', units: '1', events: [] }],
      { usage: ['units_or_events_must_be_given'] },
    ],
    ['neither', [{ metricCode: 'calls' }], { usage: ['units_or_events_must_be_given'] }],
    ['fewer than none', [{ metricCode: 'calls', units: '-1' }], { units: ['value_is_out_of_range'] }],
  ])('422: %s', async (_name, usage, details) => {
    const { invoice, error } = await ask({ ...proposal, usage });
    expect(invoice ?? null).toBeNull();
    expect(error).toMatchObject({ code: 'validation_errors', errorDetails: details });
  });
});

describe('both doors', () => {
  const AMOUNTS = [
    ...['fees', 'coupons', 'taxes', 'creditNotes', 'prepaidCredit', 'progressiveBillingCredit', 'total'],
    ...['subTotalExcludingTaxes', 'subTotalIncludingTaxes'],
  ].map((name) => `${name}AmountCents`);
  const PLAIN = ['number', 'currency', 'status', 'paymentStatus', 'issuingDate', 'paymentDueDate', 'billingEntityCode'];
  const FEE = ['amountCents', 'taxesAmountCents', 'units', 'preciseUnitAmount', 'eventsCount'];
  const WHOLE = `query($input: InvoicePreviewInput!) { invoicePreview(input: $input) {
    ${[...AMOUNTS, ...PLAIN].join(' ')} allFees { ${FEE.join(' ')} taxesRate item { code } } appliedTaxes { taxCode amountCents }
    billingPeriods { subscriptionFromDatetime subscriptionToDatetime } } }`;
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const pick = (of: Any, names: readonly string[]) =>
    names.map((name) => [name, String(name in of ? of[name] : of[snake(name)])]);
  const figures = (invoice: Any) => ({
    invoice: pick(invoice, [...AMOUNTS, ...PLAIN]),
    fees: (invoice.allFees ?? invoice.fees).map((fee: Any) => [...pick(fee, FEE), fee.item.code]),
    taxes: (invoice.appliedTaxes ?? invoice.applied_taxes).map((line: Any) => pick(line, ['taxCode', 'amountCents'])),
    periods: (invoice.billingPeriods ?? invoice.billing_periods).map((period: Any) =>
      pick(period, ['subscriptionFromDatetime', 'subscriptionToDatetime']).map(
        ([, at]) => (Date.parse(String(at)) / 1000) | 0,
      ),
    ),
  });

  it.each([
    [
      'a new subscription',
      proposal,
      { plan_code: 'orchid', billing_time: 'calendar', subscription_at: proposal.subscriptionAt },
    ],
    ['one that runs', running, { customer: { external_id: 'cust_ada' }, subscriptions: { external_ids: ['sub_ada'] } }],
    [
      'one that ends, with a coupon',
      {
        ...running,
        subscriptions: { externalIds: ['sub_ada'], terminatedAt: '2026-06-20T00:00:00Z' },
        coupons: [{ code: 'new', couponType: 'percentage', percentageRate: '12.5' }],
      },
      {
        customer: { external_id: 'cust_ada' },
        subscriptions: { external_ids: ['sub_ada'], terminated_at: '2026-06-20T00:00:00Z' },
        coupons: [{ code: 'new', coupon_type: 'percentage', percentage_rate: '12.5' }],
      },
    ],
  ])('give the same figures: %s', async (_name, input, body) => {
    const { data, errors } = await test.graphql(WHOLE, { input });
    expect(errors).toBeUndefined();
    const answer = await test.rest('POST', '/invoices/preview', body);
    expect(answer.status).toBe(200);
    expect(figures(data.invoicePreview)).toEqual(figures(answer.body.invoice));
    expect(data.invoicePreview.allFees.length).toBeGreaterThan(0);
    // A percentage is exact in GraphQL, and a number in REST.
    expect(new Set(data.invoicePreview.allFees.map(({ taxesRate }: Any) => taxesRate))).toEqual(new Set(['20.0']));
    expect(new Set(answer.body.invoice.fees.map((fee: Any) => fee.taxes_rate))).toEqual(new Set([20]));
  });

  it('one fragment serves a stored invoice and a preview', async () => {
    const both = `query($input: InvoicePreviewInput!) {
      stored: invoice(svcId: "7d0f5a34-1b1e-4c57-9a52-000000000001") { __typename ...Shown }
      preview: invoicePreview(input: $input) { __typename ...Shown }
    }
    fragment Shown on AnyInvoice {
      number currency feesAmountCents
      customer { externalId name }
      allFees { __typename amountCents item { type } }
      billingPeriods { invoicingReason }
      subscriptions { externalId planCode }
    }`;
    const { data, errors } = await test.graphql(both, { input: running });
    expect(errors).toBeUndefined();
    expect(data.stored).toMatchObject({
      ...{ __typename: 'Invoice', number: 'ADA-1', feesAmountCents: '5000', customer: { externalId: 'cust_ada' } },
      allFees: [{ __typename: 'Fee', amountCents: '5000', item: { type: 'subscription' } }],
    });
    expect(data.preview).toMatchObject({
      ...{ __typename: 'InvoicePreview', number: '', feesAmountCents: '5020', customer: { externalId: 'cust_ada' } },
      subscriptions: [{ externalId: 'sub_ada', planCode: 'orchid' }],
    });
    expect(data.preview.allFees[0].__typename).toBe('FeePreview');
  });

  it('needs a key that may write invoices', async () => {
    const reader = await test.makeKey({ permissions: { invoice: ['read'] } });
    const { errors } = await test.graphql(QUERY, { input: proposal }, reader);
    expect(errors?.[0]?.extensions?.code).toBe('forbidden');
  });
});
