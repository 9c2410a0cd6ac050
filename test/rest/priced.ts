import type { Database } from '../../src/store/database/database.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../support.ts';

export const NOW = new Date('2026-06-15T12:00:00Z');
const BEFORE = new Date(NOW.getTime() - 1000); // what is made by a test is listed behind what stood there

const price = (amount: string) => ({ amount });
const RANGES = [
  { from_value: 0, to_value: 10, per_unit_amount: '0.40', flat_amount: '1.00' },
  { from_value: 11, to_value: null, per_unit_amount: '0.25', flat_amount: '0.50' },
];

const subscription = (external_id: string, plan_code: string, more: object = {}) => ({
  external_id,
  external_customer_id: 'cust_ada',
  plan_code,
  status: 'active',
  subscription_at: '2026-01-01T00:00:00Z',
  started_at: '2026-01-01T00:00:00Z',
  ...more,
});

const FREE_CHARGES = [
  { code: 'api_calls', billable_metric_code: 'api_calls', charge_model: 'standard', properties: price('0.05') },
  {
    code: 'grad',
    billable_metric_code: 'api_calls',
    charge_model: 'graduated',
    properties: { graduated_ranges: RANGES },
  },
  { code: 'c_one', billable_metric_code: 'seats', charge_model: 'standard', properties: price('1') },
  { code: 'c_two', billable_metric_code: 'seats', charge_model: 'standard', properties: price('1') },
  {
    code: 'calls_advance',
    billable_metric_code: 'api_calls',
    charge_model: 'standard',
    invoice_display_name: 'API calls',
    regroup_paid_fees: 'invoice',
    pay_in_advance: true,
    invoiceable: false,
    properties: price('0.05'),
    tax_codes: ['vat20'],
  },
  {
    code: 'credits',
    billable_metric_code: 'api_calls',
    charge_model: 'standard',
    properties: price('3'),
    applied_pricing_unit: { code: 'credits', conversion_rate: '1.5' },
  },
];

const FIXED = { code: 'desk', add_on_code: 'desk', units: '3', properties: price('10') };

const plan = (code: string, more: object) => ({
  code,
  interval: 'monthly',
  amount_cents: 5000,
  amount_currency: 'EUR',
  ...more,
});

/** A catalogue with a plan that nobody has subscribed to, one in use, and one whose overrides are in use. */
export const PRICED = {
  taxes: [
    { code: 'vat20', rate: 20, name: 'VAT' },
    { code: 'city', rate: 1, name: 'City tax' },
  ],
  billing_entities: [
    { code: 'main', name: 'Main', default_currency: 'EUR', is_default: true, document_number_prefix: 'MAI' },
  ],
  billable_metrics: [
    {
      code: 'api_calls',
      name: 'API calls',
      aggregation_type: 'count_agg',
      filters: [
        { key: 'region', values: ['eu', 'us', '1'] },
        { key: 'tier', values: ['gold'] },
      ],
    },
    { code: 'seats', name: 'Seats', aggregation_type: 'sum_agg', field_name: 'n' },
    { code: 'latest', name: 'Latest', aggregation_type: 'latest_agg', field_name: 'n' },
  ],
  add_ons: [{ code: 'desk', name: 'Desk', amount_cents: 1000, amount_currency: 'EUR' }],
  pricing_units: [{ code: 'credits', name: 'Credits', short_name: 'CR' }],
  plans: [
    plan('orchid', { charges: FREE_CHARGES, fixed_charges: [FIXED, { ...FIXED, code: 'lamp' }] }),
    plan('pro.v2', { charges: FREE_CHARGES.slice(0, 1) }),
    plan('used', {
      charges: [
        { ...FREE_CHARGES[0], min_amount_cents: 100 },
        { ...FREE_CHARGES[0], code: 'second' },
      ],
      fixed_charges: [FIXED],
    }),
    plan('ended', { charges: FREE_CHARGES.slice(0, 1) }),
    plan('family', { charges: FREE_CHARGES.slice(0, 1), fixed_charges: [FIXED] }),
    plan('cedar', { interval: 'yearly', fixed_charges: [FIXED] }),
    plan('ahead', {
      fixed_charges: [
        { ...FIXED, pay_in_advance: true },
        { ...FIXED, code: 'part', pay_in_advance: true, prorated: true },
      ],
    }),
  ],
  customers: [{ external_id: 'cust_ada', name: 'Ada', currency: 'EUR', billing_entity_code: 'main' }],
  subscriptions: [
    subscription('sub_used', 'used'),
    subscription('sub_ended', 'ended', { status: 'terminated', terminated_at: '2026-02-01T00:00:00Z' }),
    subscription('sub_same', 'family', {
      plan_overrides: { name: 'Same', charges: [{ code: 'api_calls', properties: price('0.050') }] },
    }),
    subscription('sub_own', 'family', {
      plan_overrides: {
        name: 'Own',
        charges: [{ code: 'api_calls', properties: price('0.03') }],
        fixed_charges: [{ code: 'desk', units: '7' }],
      },
    }),
    subscription('sub_pending', 'family', { status: 'pending', started_at: null, plan_overrides: { name: 'Pending' } }),
    subscription('sub_gone', 'family', {
      status: 'terminated',
      terminated_at: '2026-02-01T00:00:00Z',
      plan_overrides: { name: 'Gone' },
    }),
    subscription('sub_cedar', 'cedar'),
    subscription('sub_ahead', 'ahead'),
  ],
};

/** Imports the catalogue for an organization, by its name. */
export async function importPriced(db: Database, organization: string): Promise<void> {
  await importDocument(db, PRICED, { organization, now: BEFORE });
}

/** An app with the catalogue, and a second organization that has the same codes. */
export async function createPricedApp(): Promise<TestApp & { other: string; otherId: string }> {
  const test = await createTestApp({ now: () => NOW });
  const { name } = await test.db.prisma.organization.findUniqueOrThrow({ where: { id: test.organizationId } });
  await importPriced(test.db, name);
  await importPriced(test.db, `${name} two`);
  const { id: otherId } = await test.db.prisma.organization.findUniqueOrThrow({ where: { name: `${name} two` } });
  return { ...test, otherId, other: await test.makeKey({ organizationId: otherId }) };
}
