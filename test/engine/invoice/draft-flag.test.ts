import { afterEach, beforeAll, expect, it } from 'vitest';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

// Which drafts are to be computed anew when something that they are made of is written.

const NOW = new Date('2026-06-15T12:00:00Z');
const START = '2026-01-01T00:00:00Z';
const price = { charge_model: 'standard', properties: { amount: '1' } };

const plan = (code: string, metric: string, add_on: string) => ({
  ...{ code, interval: 'monthly', amount_cents: 5000, amount_currency: 'EUR' },
  charges: [{ ...price, code: metric, billable_metric_code: metric }],
  fixed_charges: [{ ...price, code: add_on, add_on_code: add_on, units: '1' }],
});
const subscription = (customer: string, plan_code: string, more: object = {}) => ({
  ...{ external_id: `sub_${customer}`, external_customer_id: customer, plan_code, status: 'active' },
  ...{ subscription_at: START, started_at: START, ...more },
});
const invoice = (customer: string, number: string, tax: string, more: object = {}) => ({
  ...{ number, external_customer_id: customer, invoice_type: 'subscription', status: 'draft', currency: 'EUR' },
  ...{ issuing_date: '2026-06-01', payment_due_date: '2026-06-01' },
  billing_periods: [
    {
      ...{ external_subscription_id: `sub_${customer}` },
      ...{ subscription_from_datetime: '2026-05-01T00:00:00Z', subscription_to_datetime: '2026-05-31T23:59:59Z' },
    },
  ],
  fees: [
    {
      ...{ fee_type: 'subscription', external_subscription_id: `sub_${customer}`, amount_cents: 100, units: '1' },
      applied_taxes: [{ tax_code: tax, tax_name: tax, tax_rate: 1, amount_cents: 1 }],
    },
  ],
  ...more,
});

const CODES = ['usual', 'own', 'shown', 'free'];
const DOCUMENT = {
  taxes: CODES.map((code) => ({ code, name: code, rate: 1 })),
  billing_entities: [
    { code: 'main', name: 'Main', is_default: true, tax_codes: ['usual'] },
    { code: 'other', name: 'Other' },
  ],
  billable_metrics: ['calls', 'bytes'].map((code) => ({
    ...{ code, name: code, aggregation_type: 'count_agg' },
    filters: [{ key: 'region', values: ['eu', 'us'] }],
  })),
  add_ons: ['desk', 'lamp'].map((code) => ({ code, name: code, amount_cents: 100, amount_currency: 'EUR' })),
  plans: [plan('basic', 'calls', 'desk'), plan('second', 'bytes', 'lamp')],
  customers: [
    { external_id: 'plain', currency: 'EUR', billing_entity_code: 'main' },
    { external_id: 'taxed', currency: 'EUR', billing_entity_code: 'main', tax_codes: ['own'] },
    { external_id: 'away', currency: 'EUR', billing_entity_code: 'other' },
  ],
  subscriptions: [
    subscription('plain', 'basic'),
    subscription('taxed', 'second'),
    subscription('away', 'basic', { plan_overrides: { name: 'Away' } }),
  ],
  invoices: [
    invoice('plain', 'plain', 'usual', { billing_entity_code: 'main' }),
    invoice('taxed', 'taxed', 'own', { billing_entity_code: 'main' }),
    invoice('away', 'away', 'shown', { billing_entity_code: 'other' }),
    invoice('plain', 'final', 'usual', { billing_entity_code: 'main', status: 'finalized' }),
  ],
};

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => NOW });
  const { name } = await app.db.prisma.organization.findFirstOrThrow();
  await importDocument(app.db, DOCUMENT, { organization: name, now: NOW });
  const other = { ...DOCUMENT, organization: { name: 'Alder' } };
  await importDocument(app.db, other, { organization: 'Alder', now: NOW });
  return () => app.close();
});
afterEach(() => app.db.prisma.invoice.updateMany({ data: { readyToBeRefreshed: false } }));

const flagged = async () => {
  const rows = await app.db.prisma.invoice.findMany({
    where: { readyToBeRefreshed: true },
    orderBy: { number: 'asc' },
  });
  expect(rows.every(({ organizationId }) => organizationId === app.organizationId)).toBe(true);
  return rows.map(({ number }) => number);
};
const put = (path: string, body: object) => () => app.rest('PUT', path, body);
const remove = (path: string) => () => app.rest('DELETE', path);
const customer = (external_id: string, more: object) => () =>
  app.rest('POST', '/customers', { customer: { external_id, ...more } });

it.each<[string, () => Promise<{ status: number; text: string }>, string[]]>([
  ['a tax of an entity', put('/taxes/usual', { tax: { rate: 2 } }), ['plain']],
  ['a tax of a customer', put('/taxes/own', { tax: { rate: 2 } }), ['taxed']],
  ['a tax that a draft shows', put('/taxes/shown', { tax: { rate: 2 } }), ['away']],
  ['a tax of none', put('/taxes/free', { tax: { rate: 2 } }), []],
  ['a tax as it is', put('/taxes/usual', { tax: { rate: 2 } }), []],
  ['a tax that begins to apply', put('/taxes/free', { tax: { applied_to_organization: true } }), ['plain']],
  ["an entity's taxes", put('/billing_entities/other', { billing_entity: { tax_codes: ['free'] } }), ['away']],
  ["an entity's name", put('/billing_entities/other', { billing_entity: { name: 'Far' } }), []],
  ["a customer's taxes", customer('taxed', { tax_codes: ['own', 'free'] }), ['taxed']],
  ["a customer's name", customer('taxed', { name: 'Ada' }), []],
  ['a plan', put('/plans/basic', { plan: { description: 'New' } }), ['plain']],
  ['a plan as it is', put('/plans/basic', { plan: { description: 'New' } }), []],
  ['one charge alone', put('/plans/basic/charges/calls', { charge: { properties: { amount: '2' } } }), []],
  ["a metric's name", put('/billable_metrics/calls', { billable_metric: { name: 'New' } }), []],
  [
    'values of a metric that go',
    put('/billable_metrics/calls', { billable_metric: { filters: [{ key: 'region', values: ['eu'] }] } }),
    ['away', 'plain'],
  ],
  ['a metric that goes', remove('/billable_metrics/bytes'), ['taxed']],
  ['an add-on that goes', remove('/add_ons/lamp'), ['taxed']],
  ['a tax that goes', remove('/taxes/usual'), ['plain']],
])('%s', async (_, write, numbers) => {
  const { status, text } = await write();
  expect(status, text).toBe(200);
  expect(await flagged()).toEqual(numbers);
});

it('a new tax that applies by default', async () => {
  const tax = { name: 'New', code: 'new', rate: 3, applied_to_organization: true };
  expect((await app.rest('POST', '/taxes', { tax })).status).toBe(200);
  expect(await flagged()).toEqual(['plain']);
});

it('overrides whose prices followed, and the mutation tells which drafts it marked', async () => {
  const { body } = await app.rest('GET', '/plans/basic');
  const desk = { id: body.plan.fixed_charges[0].svc_id, properties: { amount: '7' } };
  const change = { fixed_charges: [desk], cascade_updates: true };
  expect((await app.rest('PUT', '/plans/basic', { plan: change })).status).toBe(200);
  expect(await flagged()).toEqual(['away', 'plain']);
  const { data, errors } = await app.graphql(`mutation { updateTax(code: "own", input: { rate: "5" }) {
    changes { invoices { nodes { number readyToBeRefreshed } } } } }`);
  expect(errors).toBeUndefined();
  expect(data.updateTax.changes.invoices.nodes).toEqual([{ number: 'taxed', readyToBeRefreshed: true }]);
});

it('a plan that goes makes its drafts final beside the last invoice, and marks none', async () => {
  const { status, text } = await remove('/plans/second')();
  expect(status, text).toBe(200);
  expect(await flagged()).toEqual([]);
  const invoices = await app.db.prisma.invoice.findMany({
    where: { organizationId: app.organizationId, customer: { externalId: 'taxed' } },
  });
  expect(invoices.map(({ status: reached }) => reached)).toEqual(['finalized', 'finalized']);
});
