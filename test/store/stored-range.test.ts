import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isInRange, NUMBER_RANGES, type NumberRange } from '../../src/billing/catalogue/number-range.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../support.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const STARTED = '2026-05-01T00:00:00Z';
const END = '2026-05-31T23:59:59.999Z';
const FIXED = '018f0000-0000-7000-8000-000000000f01';
const EUR = { amount_currency: 'EUR' };

const fixed = { code: 'desk', add_on_code: 'desk', units: '3', properties: { amount: '1' }, pay_in_advance: true };
const charge = (code: string, more: object = {}) => ({
  ...{ code, billable_metric_code: 'calls', charge_model: 'standard', properties: { amount: '1' }, ...more },
});
const plan = (code: string, more: object) => ({ code, amount_cents: 1000, ...EUR, interval: 'monthly', ...more });
const fee = {
  ...{ external_subscription_id: 'sub', item: { type: 'subscription' }, amount_cents: 1000, ...EUR },
  ...{ precise_amount_cents: '1000', taxes_rate: 20, taxes_amount_cents: 200, from_date: STARTED, to_date: END },
  applied_taxes: [{ tax_code: 'vat', tax_name: 'VAT', tax_rate: 20, amount_cents: 200, ...EUR }],
  pricing_unit_details: {
    ...{ pricing_unit_code: 'credits', short_name: 'CR', amount_cents: 1000, precise_amount_cents: '1000' },
    ...{ unit_amount_cents: 1000, precise_unit_amount: '10', conversion_rate: '1' },
  },
};

/** Every kind of row that the loader of an account reads, with numbers that are in range. */
const DOCUMENT = {
  taxes: [{ code: 'vat', rate: 20 }],
  billing_entities: [{ code: 'main', is_default: true, tax_codes: ['vat'] }],
  billable_metrics: [
    { code: 'calls', aggregation_type: 'count_agg', rounding_function: 'round', rounding_precision: 2 },
  ],
  add_ons: [{ code: 'desk', amount_cents: 100, ...EUR }],
  pricing_units: [{ code: 'credits', name: 'Credits', short_name: 'CR' }],
  plans: [
    plan('small', {
      charges: [charge('calls'), charge('unit', { applied_pricing_unit: { code: 'credits', conversion_rate: '1.5' } })],
      fixed_charges: [{ ...fixed, svc_id: FIXED }],
      minimum_commitment: { amount_cents: 100 },
      usage_thresholds: [{ amount_cents: 100000 }],
    }),
    plan('large', { pay_in_advance: true, amount_cents: 2000 }),
  ],
  customers: [{ external_id: 'ada', currency: 'EUR' }],
  subscriptions: [
    {
      ...{ external_id: 'sub', external_customer_id: 'ada', plan_code: 'small', status: 'active' },
      ...{ subscription_at: STARTED, started_at: STARTED, created_at: STARTED },
      fixed_charge_units_events: [
        { svc_fixed_charge_id: FIXED, units: '3', effective_at: STARTED, created_at: STARTED },
      ],
    },
  ],
  events: [
    { external_subscription_id: 'sub', code: 'calls', transaction_id: 'one', timestamp: '2026-06-02T00:00:00Z' },
  ],
  coupons: [
    { code: 'half', name: 'Half', coupon_type: 'percentage', percentage_rate: 10, frequency: 'forever' },
    { code: 'ten', name: 'Ten', coupon_type: 'fixed_amount', amount_cents: 10, ...EUR, frequency: 'forever' },
  ],
  applied_coupons: [
    { coupon_code: 'ten', external_customer_id: 'ada', amount_cents: 10, ...EUR, frequency: 'forever' },
  ],
  invoices: [
    {
      ...{ external_customer_id: 'ada', number: 'INV-1', status: 'finalized', currency: 'EUR', created_at: STARTED },
      ...{ fees_amount_cents: 1000, taxes_amount_cents: 200, total_amount_cents: 1200 },
      ...{ sub_total_excluding_taxes_amount_cents: 1000, sub_total_including_taxes_amount_cents: 1200 },
      fees: [fee],
      billing_periods: [
        {
          ...{ external_subscription_id: 'sub', invoicing_reason: 'subscription_periodic' },
          ...{ subscription_from_datetime: STARTED, subscription_to_datetime: END },
          ...{ charges_from_datetime: STARTED, charges_to_datetime: END },
        },
      ],
    },
  ],
  credit_notes: [
    {
      ...{ invoice_number: 'INV-1', external_customer_id: 'ada', number: 'CN-1', status: 'finalized', currency: 'EUR' },
      ...{ total_amount_cents: 50, credit_amount_cents: 50, balance_amount_cents: 50, credit_status: 'available' },
    },
  ],
  wallets: [
    {
      ...{ code: 'purse', external_customer_id: 'ada', currency: 'EUR', rate_amount: '1', status: 'active' },
      ...{ balance_cents: 100, credits_balance: '1' },
      wallet_transactions: [
        {
          ...{ transaction_type: 'inbound', status: 'settled', transaction_status: 'purchased', amount: '1' },
          ...{ credit_amount: '1', remaining_amount_cents: 100 },
        },
      ],
    },
  ],
};

let app: TestApp;
let organization: string;
beforeAll(async () => {
  app = await createTestApp({ now: () => NOW });
  organization = app.organizationId;
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: organization } });
  await importDocument(app.db, DOCUMENT, { organization: name, now: NOW });
});
afterAll(() => app.close());

const customer = { external_id: 'ada' };
const BODIES = {
  stored: { customer, subscriptions: { external_ids: ['sub'] }, coupons: [{ code: 'half' }] },
  change: { customer, subscriptions: { external_ids: ['sub'], plan_code: 'large' } },
  plan: { customer, plan_code: 'small' },
};
const preview = (body: object) => app.rest('POST', '/invoices/preview', body);

const TABLES: Readonly<Record<string, string>> = {
  ...{ billing_entity: 'billing_entities', tax: 'taxes', fee_applied_tax: 'fee_applied_taxes' },
  invoice_applied_tax: 'invoice_applied_taxes',
};
const tableOf = (resource: string) => TABLES[resource] ?? `${resource}s`;
const run = (statement: string) => app.db.prisma.$executeRawUnsafe(statement);

/** Runs with a column at a value in all the organization's rows; false where the database itself refuses it, or has no row. */
async function holding(table: string, column: string, value: string, work: () => Promise<void>): Promise<boolean> {
  const own = `organization_id = '${organization}'`;
  await run(`DROP TABLE IF EXISTS held`);
  await run(`CREATE TABLE held AS SELECT id, ${column} AS kept FROM ${table}`);
  const written = await run(`UPDATE ${table} SET ${column} = ${value} WHERE ${own}`).catch(() => 0);
  if (written === 0) return false;
  try {
    await work();
  } finally {
    await run(`UPDATE ${table} SET ${column} = held.kept FROM held WHERE held.id = ${table}.id`);
  }
  return true;
}

/** What is just and what is far outside of a range: the first and the last of each side. */
function outside(range: NumberRange): string[] {
  const below = ['0', '-1', '-31', '-2000000000'].filter((value) => !isInRange(range, value));
  const above = ['31', '51', '1001', '3651', '36501', '2000000000', '1e20'].filter((value) => !isInRange(range, value));
  return [below[0], below.at(-1), above[0], above.at(-1)].flatMap((value) => value ?? []);
}

describe('numbers that were stored before they had ranges', () => {
  test('the previews answer while every number is in range', async () => {
    for (const body of Object.values(BODIES)) expect((await preview(body)).status).toBe(200);
  });

  test.each([
    ['tax', 'rate', ['-20', '-200']],
    ['fixed_charge', 'units', ['-2', '-20000']],
    ['plan', 'trial_period', ['1000000000']],
    ['plan', 'amount_cents', ['-1000']],
    ['customer', 'net_payment_term', ['2000000000', '-2000000000']],
    ['customer', 'invoice_grace_period', ['2000000000']],
    ['billable_metric', 'rounding_precision', ['2000000000']],
    ['charge', 'conversion_rate', ['0', '-1']],
    ['minimum_commitment', 'amount_cents', ['0', '-1']],
    ['usage_threshold', 'amount_cents', ['-1']],
  ] as const)('%s.%s is named', async (resource, column, values) => {
    for (const value of values) {
      const held = await holding(tableOf(resource), column, value, async () => {
        for (const body of [BODIES.stored, BODIES.plan]) {
          const { status, body: answer } = await preview(body);
          expect([value, status, answer.code, answer.error_details]).toEqual([
            ...[value, 422, 'validation_errors', { [column]: ['value_is_out_of_range'] }],
          ]);
        }
      });
      expect(held).toBe(true);
    }
  });

  test('whatever the column, nothing is a failure of the gateway', async () => {
    const failed: unknown[] = [];
    const reached = new Set<string>();
    for (const [resource, ranges] of Object.entries(NUMBER_RANGES)) {
      if (resource === 'supposed_usage') continue;
      for (const [column, range] of Object.entries(ranges))
        for (const value of new Set(outside(range))) {
          const held = await holding(tableOf(resource), column, value, async () => {
            for (const [name, body] of Object.entries(BODIES)) {
              const { status } = await preview(body);
              if (status >= 500) failed.push([resource, column, value, name, status]);
            }
          });
          if (held) reached.add(resource);
        }
    }
    expect(failed).toEqual([]);
    for (const resource of ['fee', 'invoice', 'credit_note', 'wallet', 'applied_coupon', 'pricing_unit_usage'])
      expect(reached).toContain(resource);
    for (const resource of ['fixed_charge_units_event', 'fee_applied_tax', 'wallet_transaction', 'billing_entity'])
      expect(reached).toContain(resource);
  }, 300_000);

  test('an overdrawn wallet pays nothing', async () => {
    const paid = (await preview(BODIES.stored)).body.invoice;
    expect(paid.prepaid_credit_amount_cents).toBe(100);
    await holding('wallets', 'balance_cents', '-100', async () => {
      const { invoice } = (await preview(BODIES.stored)).body;
      expect(invoice.prepaid_credit_amount_cents).toBe(0);
      expect(invoice.total_amount_cents).toBe(paid.total_amount_cents + 100);
    });
  });

  test('units that would be invoiced at once are not written either', async () => {
    const counts = async () => [
      await app.db.prisma.invoice.count(),
      await app.db.prisma.fixedChargeUnitsEvent.count(),
      (await app.db.prisma.fixedCharge.findUniqueOrThrow({ where: { id: FIXED } })).units.toFixed(),
    ];
    const before = await counts();
    const fixed_charge = { units: '9', apply_units_immediately: true };
    await holding('taxes', 'rate', '-200', async () => {
      const answer = await app.rest('PUT', '/plans/small/fixed_charges/desk', { fixed_charge });
      expect([answer.status, answer.body.error_details]).toEqual([422, { rate: ['value_is_out_of_range'] }]);
    });
    expect(await counts()).toEqual(before);
    const answer = await app.rest('PUT', '/plans/small/fixed_charges/desk', { fixed_charge });
    expect(answer.status).toBe(200);
    expect(await counts()).not.toEqual(before);
  });

  test('a document of GraphQL hears the same', async () => {
    const text = 'query($input: InvoicePreviewInput!) { invoicePreview(input: $input) { totalAmountCents } }';
    const input = { customer: { externalId: 'ada' }, subscriptions: { externalIds: ['sub'] } };
    expect((await app.graphql(text, { input })).errors).toBeUndefined();
    await holding('customers', 'net_payment_term', '2000000000', async () => {
      const { errors } = await app.graphql(text, { input });
      expect(errors?.[0]?.extensions).toMatchObject({
        ...{ code: 'validation_errors', errorDetails: { net_payment_term: ['value_is_out_of_range'] } },
      });
    });
  });
});
