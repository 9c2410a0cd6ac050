import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snakeCase } from '../../../src/billing/name-case.ts';
import { createPricedApp } from '../../rest/priced.ts';

let app: Awaited<ReturnType<typeof createPricedApp>>;
beforeAll(async () => {
  app = await createPricedApp();
});
afterAll(() => app.close());

// The two organizations have the same catalogue: one is written to by REST, the other by GraphQL.
const volatile = new Set([
  'id',
  'organizationId',
  'planId',
  'chargeId',
  'fixedChargeId',
  'subscriptionId',
  'billableMetricId',
  'addOnId',
  'parentId',
  'pricingUnitId',
  'customerId',
  'billingEntityId',
  'invoiceId',
  'itemId',
  'createdAt',
  'updatedAt',
]);

const lasting = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if ('toFixed' in value) return String(value);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !volatile.has(name))
      .map(([name, member]) => [name, lasting(member)]),
  );
};

async function rows(organizationId: string) {
  const { prisma } = app.db;
  const where = { organizationId };
  const charges = await prisma.charge.findMany({
    where,
    include: { taxes: true, filters: { orderBy: { canonicalValues: 'asc' } } },
    orderBy: { id: 'asc' },
  });
  const fixed = await prisma.fixedCharge.findMany({
    where,
    include: { taxes: true, unitsEvents: { orderBy: { id: 'asc' } } },
    orderBy: { id: 'asc' },
  });
  const invoices = await prisma.invoice.findMany({
    where,
    include: { fees: true, billingPeriods: true },
    orderBy: { id: 'asc' },
  });
  const actions = (await prisma.auditLog.findMany({ where, orderBy: { id: 'asc' } })).map(({ action }) => action);
  const sorted = (list: unknown[]) =>
    list.map((one) => JSON.stringify(lasting(one), (_name, v) => (typeof v === 'bigint' ? String(v) : v))).sort();
  return { charges: sorted(charges), fixed: sorted(fixed), invoices: sorted(invoices), actions };
}

const WRITES = [
  {
    rest: ['POST', '/plans/family/charges/api_calls/filters', 'filter'],
    body: {
      values: { region: ['us', 'eu'] },
      properties: { amount: '0.20' },
      cascade_updates: true,
      invoice_display_name: 'F',
    },
    mutation: `mutation($i: CreateChargeFilterInput!) { createChargeFilter(planCode: "family", chargeCode: "api_calls", input: $i) { chargeCode values } }`,
    input: {
      values: { region: ['us', 'eu'] },
      properties: { amount: '0.20' },
      cascadeUpdates: true,
      invoiceDisplayName: 'F',
    },
  },
  {
    rest: ['PUT', '/plans/family/charges/api_calls', 'charge'],
    body: {
      properties: { amount: '0.070' },
      min_amount_cents: 5000000000,
      tax_codes: ['vat20'],
      filters: [{ values: { tier: ['gold'] }, properties: { amount: '1' } }],
      cascade_updates: true,
    },
    mutation: `mutation($i: UpdateChargeInput!) { updateCharge(planCode: "family", chargeCode: "api_calls", input: $i) { minAmountCents filters { values } } }`,
    input: {
      properties: { amount: '0.070' },
      minAmountCents: 5000000000,
      taxCodes: ['vat20'],
      filters: [{ values: { tier: ['gold'] }, properties: { amount: '1' } }],
      cascadeUpdates: true,
    },
  },
  {
    rest: ['PUT', '/plans/ahead/fixed_charges/desk', 'fixed_charge'],
    body: { units: '12.5', apply_units_immediately: true, tax_codes: ['vat20'] },
    mutation: `mutation($i: UpdateFixedChargeInput!) { updateFixedCharge(planCode: "ahead", fixedChargeCode: "desk", input: $i) { units taxes { code } } }`,
    input: { units: '12.5', applyUnitsImmediately: true, taxCodes: ['vat20'] },
  },
] as const;

test('both doors leave the same rows', async () => {
  for (const { rest, body, mutation, input } of WRITES) {
    const [method, path, root] = rest;
    expect((await app.rest(method, path, { [root]: body })).status).toBe(200);
    const { errors } = await app.graphql(mutation, { i: input }, app.other);
    expect(errors).toBeUndefined();
  }
  expect(await rows(app.otherId)).toEqual(await rows(app.organizationId));
});

test('errors are the same words', async () => {
  const { data, errors } = await app.graphql(WRITES[1].mutation, { i: { properties: { amount: 1 } } });
  expect(data.updateCharge).toBeNull();
  expect(errors).toMatchObject([
    {
      path: ['updateCharge'],
      extensions: { code: 'validation_errors', errorDetails: { properties: ['invalid_amount'] } },
    },
  ]);
  const missing = await app.graphql(WRITES[0].mutation.replace('family', 'nope'), { i: {} });
  expect(missing.errors).toMatchObject([{ extensions: { code: 'object_not_found' } }]);
  const reader = await app.makeKey({ permissions: { plan: ['read'] } } as never);
  for (const { mutation } of WRITES) {
    const refused = await app.graphql(mutation, { i: {} }, reader);
    expect(refused.errors).toMatchObject([{ extensions: { code: 'forbidden' } }]);
  }
});

test('an unknown member of an input is refused', async () => {
  const { errors } = await app.graphql(WRITES[2].mutation, { i: { unit: '1' } });
  expect(errors).toHaveLength(1);
});

describe('a member that cannot change', () => {
  test('is refused by name in GraphQL, and left alone by REST', async () => {
    const mutation = WRITES[1].mutation.replace('family', 'used').replace('{ minAmountCents', '{ invoiceDisplayName');
    const others = {
      ...{ chargeModel: 'package', code: 'other', payInAdvance: true, prorated: true, invoiceable: false },
      ...{ minAmountCents: '77', regroupPaidFees: 'invoice', billableMetricId: randomUUID() },
      appliedPricingUnit: { code: 'gold', conversionRate: '2' },
    };
    for (const [member, value] of Object.entries(others)) {
      const { errors } = await app.graphql(mutation, { i: { [member]: value, invoiceDisplayName: member } });
      expect(errors?.[0]?.extensions?.errorDetails).toEqual({ [snakeCase(member)]: ['value_cannot_be_changed'] });
    }
    const same = { chargeModel: 'standard', code: 'api_calls', payInAdvance: false, minAmountCents: 100 };
    const { data } = await app.graphql(mutation, { i: same });
    expect(data.updateCharge.invoiceDisplayName).toBeNull();
    const body = { charge: { charge_model: 'package', min_amount_cents: 77 } };
    const { status, body: answer } = await app.rest('PUT', '/plans/used/charges/api_calls', body);
    expect([status, answer.charge.charge_model, answer.charge.min_amount_cents]).toEqual([200, 'standard', 100]);
  });

  test('of a fixed charge too', async () => {
    const others = {
      ...{ chargeModel: 'volume', code: 'other', payInAdvance: false, prorated: true },
      ...{ addOnId: randomUUID(), addOnCode: 'other' },
    };
    for (const [member, value] of Object.entries(others)) {
      const { errors } = await app.graphql(WRITES[2].mutation, { i: { [member]: value } });
      expect(errors?.[0]?.extensions?.errorDetails).toEqual({ [snakeCase(member)]: ['value_cannot_be_changed'] });
    }
    const { status } = await app.rest('PUT', '/plans/ahead/fixed_charges/desk', { fixed_charge: others });
    expect(status).toBe(200);
    expect((await app.graphql(WRITES[2].mutation, { i: { addOnCode: 'desk', payInAdvance: true } })).errors).toBe(
      undefined,
    );
  });
});
