import { readFile } from 'node:fs/promises';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../support.ts';

export const NOW = new Date('2026-06-15T12:00:00Z');
const id = (tail: number) => `7d0f5a34-1b1e-4c57-9a52-${tail.toString().padStart(12, '0')}`;

export const IDS = {
  filter: id(1),
  otherFilter: id(2),
  fullFee: id(10),
  sparseFee: id(11),
  preciseFee: id(12),
  negativeFee: id(13),
  parentCharge: id(20),
  invoices: [id(30), id(31), id(32), id(33), id(34), id(35)],
  requests: [id(40), id(41), id(42)],
  note: id(50),
  payments: [id(60), id(61)],
} as const;

const price = (amount: string) => ({ amount });

const plan = (code: string, amount: string, more: object = {}) => ({
  code,
  interval: 'monthly',
  amount_cents: 5000,
  amount_currency: 'EUR',
  charges: [
    { code: 'api_calls', billable_metric_code: 'api_calls', charge_model: 'standard', properties: price(amount) },
  ],
  ...more,
});

const subscription = (external_id: string, plan_code: string, more: object = {}) => ({
  external_id,
  external_customer_id: 'cust_ada',
  plan_code,
  status: 'active',
  subscription_at: '2025-01-01T00:00:00Z',
  started_at: '2025-01-01T00:00:00Z',
  ...more,
});

/** Identifiers that callers chose badly: each must be found by its own path and by no other. */
export const AWKWARD = [
  'orbit.example',
  'team/42',
  'a b+c',
  '50%off',
  'ünï-東',
  'x%2Fy',
  'ends.',
  '..',
  'a"b',
  "o'neil",
];

const invoice = (index: number, billing_entity_code: string, total: number | string) => ({
  svc_id: IDS.invoices[index],
  external_customer_id: 'cust_ada',
  billing_entity_code,
  number: `ADA-00${index}`,
  issuing_date: '2026-01-01',
  payment_due_date: '2026-03-08',
  status: 'finalized',
  currency: 'EUR',
  fees_amount_cents: total,
  sub_total_excluding_taxes_amount_cents: total,
  sub_total_including_taxes_amount_cents: total,
  total_amount_cents: total,
  created_at: `2026-01-0${index + 1}T00:00:00Z`,
});

const request = (index: number, status: string, invoices: readonly (string | undefined)[]) => ({
  svc_id: IDS.requests[index],
  external_customer_id: 'cust_ada',
  email: 'ada@example.com',
  amount_cents: 1000,
  amount_currency: 'EUR',
  payment_status: status,
  created_at: `2026-02-0${index + 1}T00:00:00Z`,
  invoices: invoices.map((svc_id) => ({ svc_id })),
});

export const DOCUMENT = {
  organization: { name: 'Ada' },
  taxes: [{ code: 'vat20', rate: 20, name: 'VAT', description: 'Value added tax', applied_to_organization: true }],
  invoice_custom_sections: [
    { code: 'terms', name: 'Terms', details: 'Pay soon', display_name: 'Terms', description: 'x' },
  ],
  billing_entities: [
    {
      code: 'acme.fr',
      name: 'Acme France',
      default_currency: 'EUR',
      document_locale: 'fr',
      document_numbering: 'per_billing_entity',
      timezone: 'Europe/Paris',
      document_number_prefix: 'ACM',
      invoice_footer: 'Merci',
      address_line1: '1 rue',
      address_line2: 'B',
      city: 'Paris',
      state: 'IDF',
      country: 'FR',
      zipcode: '75001',
      email: 'fr@example.com',
      legal_name: 'Acme SARL',
      legal_number: '123',
      tax_identification_number: 'FR123',
      logo_url: 'https://example.com/logo.png',
      invoice_grace_period: 3,
      net_payment_term: 30,
      email_settings: ['invoice.finalized'],
      is_default: true,
      tax_codes: ['vat20'],
      selected_invoice_custom_sections: [{ code: 'terms' }],
    },
    { code: 'acme_de', name: 'Acme Deutschland' },
    { code: 'old', name: 'Old', archived_at: '2025-01-01T00:00:00Z' },
  ],
  billable_metrics: [
    {
      code: 'api_calls',
      name: 'API calls',
      aggregation_type: 'count_agg',
      filters: [{ key: 'region', values: ['eu', 'us'] }],
    },
  ],
  add_ons: [{ code: 'desk', name: 'Desk', amount_cents: 1000, amount_currency: 'EUR' }],
  pricing_units: [{ code: 'credits', name: 'Credits', short_name: 'CR' }],
  plans: [
    plan('clover', '0.01'),
    plan('clover-2', '0.02'),
    plan('aster', '0.04'),
    {
      ...plan('orchid', '0.05'),
      charges: [
        {
          svc_id: IDS.parentCharge,
          code: 'api_calls',
          billable_metric_code: 'api_calls',
          charge_model: 'standard',
          invoice_display_name: 'Calls',
          min_amount_cents: 5000000000,
          properties: { amount: '0.10', pricing_group_keys: ['cloud'] },
          tax_codes: ['vat20'],
          applied_pricing_unit: { code: 'credits', conversion_rate: '1.5' },
          filters: [
            {
              svc_id: IDS.filter,
              invoice_display_name: 'Europe',
              properties: { amount: '0.20' },
              values: { region: ['eu'] },
            },
          ],
        },
        {
          code: 'ranges',
          billable_metric_code: 'api_calls',
          charge_model: 'graduated',
          properties: {
            graduated_ranges: [
              { from_value: 0, to_value: 3000000000, per_unit_amount: '0.0000001', flat_amount: '0' },
              { from_value: 3000000001, to_value: null, per_unit_amount: '0.00000005', flat_amount: '0' },
            ],
          },
          filters: [
            {
              svc_id: IDS.otherFilter,
              properties: {
                graduated_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '1', flat_amount: '0' }],
              },
              values: { region: ['us'] },
            },
          ],
        },
      ],
    },
  ],
  customers: [
    {
      external_id: 'cust_ada',
      name: 'Ada Stores',
      currency: 'EUR',
      billing_entity_code: 'acme.fr',
      metadata: [{ key: 'tier', value: 'gold', display_in_invoice: true }],
      integration_customers: [{ type: 'xero', integration_code: 'books', external_customer_id: 'x1' }],
    },
    { external_id: 'cust_bare' },
  ],
  subscriptions: [
    subscription('sub_ada', 'clover', { status: 'terminated', terminated_at: '2025-06-30T00:00:00Z' }),
    subscription('sub_ada', 'clover-2', { status: 'terminated', terminated_at: '2026-01-31T00:00:00Z' }),
    subscription('sub_ada', 'orchid', {
      plan_overrides: { charges: [{ code: 'api_calls', properties: price('0.03') }] },
    }),
    subscription('sub_ada', 'aster', { status: 'pending', started_at: null }),
    ...AWKWARD.map((external_id) => subscription(external_id, 'clover')),
  ],
  invoices: [
    { ...invoice(0, 'acme.fr', 6000), fees: [] },
    invoice(1, 'acme.fr', 1000),
    invoice(2, 'acme.fr', 1000),
    invoice(3, 'acme.fr', 1000),
    invoice(4, 'acme_de', 1000),
    { ...invoice(5, 'acme_de', 0), total_amount_cents: 30000000000, fees_amount_cents: 30000000000 },
  ],
  fees: [
    {
      svc_id: IDS.fullFee,
      external_subscription_id: 'sub_ada',
      charge_code: 'api_calls',
      svc_charge_filter_id: IDS.filter,
      item: {
        type: 'charge',
        code: 'api_calls',
        name: 'API calls',
        description: 'Calls',
        invoice_display_name: 'Calls',
        filter_invoice_display_name: 'Europe',
        item_type: 'BillableMetric',
        filters: { region: ['eu'] },
        grouped_by: { cloud: 'aws' },
      },
      amount_cents: 1346,
      amount_currency: 'EUR',
      precise_amount: '13.45662',
      taxes_amount_cents: 269,
      taxes_precise_amount: '2.691324',
      taxes_rate: 20,
      units: '10',
      precise_unit_amount: '1.345662',
      total_aggregated_units: '10',
      precise_coupons_amount_cents: '33.33333',
      events_count: 10,
      pay_in_advance: true,
      invoiceable: false,
      from_date: '2026-01-01T00:00:00Z',
      to_date: '2026-01-31T23:59:59Z',
      payment_status: 'refunded',
      succeeded_at: '2026-02-01T00:00:00Z',
      failed_at: '2026-01-31T00:00:00Z',
      refunded_at: '2026-02-02T00:00:00Z',
      event_transaction_id: 'tx_1',
      description: 'A fee',
      amount_details: { rate: '1.0' },
      applied_taxes: [{ tax_code: 'vat20', tax_name: 'VAT', tax_rate: 20, amount_cents: 269, amount_currency: 'EUR' }],
      pricing_unit_details: {
        pricing_unit_code: 'credits',
        short_name: 'CR',
        amount_cents: 897,
        precise_amount_cents: '897.108',
        unit_amount_cents: 89,
        precise_unit_amount: '0.897108',
        conversion_rate: '1.5',
      },
      presentation_breakdowns: [{ presentation_by: { cloud: 'aws' }, units: '10.0' }],
    },
    { svc_id: IDS.sparseFee, external_subscription_id: 'sub_ada', charge_code: 'api_calls', amount_cents: 1 },
    {
      svc_id: IDS.preciseFee,
      external_subscription_id: 'sub_ada',
      charge_code: 'api_calls',
      units: '74759000',
      precise_unit_amount: '0.00000018',
      total_aggregated_units: '1500000000000000000000000',
      amount_cents: 1346,
      precise_amount_cents: '1345.662',
      amount_currency: 'EUR',
    },
    {
      svc_id: IDS.negativeFee,
      external_subscription_id: 'sub_ada',
      charge_code: 'api_calls',
      units: '0',
      total_aggregated_units: '-10',
      amount_cents: 0,
      amount_details: {
        graduated_ranges: [
          {
            units: '-5.1612903225806452',
            from_value: 0,
            to_value: null,
            per_unit_amount: '0.01',
            per_unit_total_amount: '-0.051612903225806452',
            flat_unit_amount: '0.01',
            total_with_flat_amount: '-0.041612903225806452',
          },
        ],
      },
    },
  ],
  payment_requests: [
    request(0, 'pending', IDS.invoices.slice(1, 4)),
    request(1, 'failed', [IDS.invoices[0], IDS.invoices[4]]),
    { ...request(2, 'succeeded', [IDS.invoices[5]]), email: null },
  ],
  credit_notes: [
    {
      ...{ svc_id: IDS.note, svc_invoice_id: IDS.invoices[1], number: 'ADA-001-CN001', issuing_date: '2026-03-01' },
      ...{ reason: 'order_change', credit_status: 'available', total_amount_cents: 400, credit_amount_cents: 400 },
      ...{ currency: 'EUR', taxes_rate: 0, items: [{ svc_fee_id: IDS.sparseFee, amount_cents: 400 }] },
    },
  ],
  payments: [
    {
      ...{ svc_id: IDS.payments[0], svc_invoice_id: IDS.invoices[0], amount_cents: 6000, payment_type: 'manual' },
      ...{ reference: 'Transfer 7', created_at: '2026-02-01T00:00:00Z' },
    },
    {
      ...{ svc_id: IDS.payments[1], svc_payment_request_id: IDS.requests[1], amount_cents: 900, status: 'failed' },
      ...{ payment_type: 'provider', payment_provider_type: 'stripe', payment_provider_code: 'main' },
      ...{ provider_customer_id: 'cus_1', provider_payment_id: 'pi_1', next_action: { type: 'redirect' } },
      created_at: '2026-02-02T00:00:00Z',
    },
  ],
};

/** An app with the rows that the reads are tested on, and a second organization (`Alder`) that has only what must be there. The largest logo fits into a body. */
export async function createReadApp(): Promise<TestApp & { other: string }> {
  const test = await createTestApp({ now: () => NOW, bodyLimit: 2 * 1024 ** 2 });
  const { name } = await test.db.prisma.organization.findUniqueOrThrow({ where: { id: test.organizationId } });
  await importDocument(test.db, DOCUMENT, { organization: name, now: NOW });
  const sparse = JSON.parse(await readFile(new URL('../fixture/sparse.json', import.meta.url), 'utf8'));
  await importDocument(test.db, sparse, { organization: 'Alder', now: NOW });
  const { id: organizationId } = await test.db.prisma.organization.findUniqueOrThrow({ where: { name: 'Alder' } });
  return { ...test, other: await test.makeKey({ organizationId }) };
}
