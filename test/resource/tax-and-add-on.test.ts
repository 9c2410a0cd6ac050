import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOT_FOUND } from '../rest/guarded.ts';
import { createFullApp } from '../robust/full-app.ts';
import type { TestApp } from '../support.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
});
afterAll(() => app?.close());

const tax = (code: string, more: object = {}) =>
  app.rest('POST', '/taxes', { tax: { code, name: code, rate: '10', ...more } });
const addOn = (code: string, more: object = {}) =>
  app.rest('POST', '/add_ons', { add_on: { code, name: code, amount_cents: 100, amount_currency: 'EUR', ...more } });
const taxesOf = async (path: string, root: string) =>
  (await app.rest('GET', path)).body[root].taxes.map(({ code }: { code: string }) => code);

describe('a tax', () => {
  it('of any name of a number is the number', async () => {
    for (const [code, rate, shown] of [
      ['r1', '19.6', 19.6],
      ['r2', 7, 7],
      ['r3', '0', 0],
      ['r4', '1000', 1000],
    ] as const) {
      expect((await tax(code, { rate })).body.tax.rate).toBe(shown);
    }
    for (const rate of ['-1', '1000.1', -0.5]) {
      expect((await tax('r5', { rate })).body.error_details).toEqual({ rate: ['value_is_out_of_range'] });
    }
    for (const rate of ['1e2', 'x', '1,5', true, [], '12%']) {
      expect((await tax('r5', { rate })).body.error_details).toEqual({ rate: ['value_is_invalid'] });
    }
  });

  it('of the organization is applied by the default entity, until it is said not to be', async () => {
    await tax('everywhere', { applied_to_organization: true });
    const path = '/billing_entities/acme.fr';
    expect(await taxesOf(path, 'billing_entity')).toEqual(['everywhere', 'vat20']);
    await app.rest('PUT', '/taxes/everywhere', { tax: { name: 'Everywhere' } });
    expect(await taxesOf(path, 'billing_entity')).toContain('everywhere');
    await app.rest('PUT', '/taxes/everywhere', { tax: { applied_to_organization: false } });
    expect(await taxesOf(path, 'billing_entity')).not.toContain('everywhere');
    await app.rest('PUT', '/taxes/everywhere', { tax: { applied_to_organization: true } });
    expect(await taxesOf(path, 'billing_entity')).toContain('everywhere');
    expect(await taxesOf('/billing_entities/acme_de', 'billing_entity')).toEqual([]);
  });

  it('that is deleted is taken from what it was applied to, and stays on what was issued', async () => {
    await tax('leaving', { applied_to_organization: true });
    await addOn('taxed', { tax_codes: ['leaving', 'vat20'] });
    await app.rest('PUT', '/plans/fuzzed/charges/calls', { charge: { tax_codes: ['leaving'] } });
    await app.rest('PUT', '/plans/fuzzed/fixed_charges/desk', { fixed_charge: { tax_codes: ['leaving'] } });
    const { id } = await app.db.prisma.tax.findFirstOrThrow({
      where: { code: 'leaving', organizationId: app.organizationId },
    });
    const to = { connect: { id } };
    const owner = { organizationId: app.organizationId };
    const plan = await app.db.prisma.plan.findFirstOrThrow({ where: { ...owner, code: 'fuzzed', parentId: null } });
    const customer = await app.db.prisma.customer.findFirstOrThrow({ where: { ...owner, externalId: 'cust_ada' } });
    await app.db.prisma.plan.update({ where: { id: plan.id }, data: { taxes: to } });
    await app.db.prisma.customer.update({ where: { id: customer.id }, data: { taxes: to } });
    const line = await app.db.prisma.feeAppliedTax.findFirstOrThrow({ where: owner });
    await app.db.prisma.feeAppliedTax.update({ where: { id: line.id }, data: { taxId: id } });

    expect((await app.rest('DELETE', '/taxes/leaving')).status).toBe(200);
    expect(await taxesOf('/add_ons/taxed', 'add_on')).toEqual(['vat20']);
    expect(await taxesOf('/billing_entities/acme.fr', 'billing_entity')).not.toContain('leaving');
    const relations = [
      'billingEntities',
      'customers',
      'plans',
      'charges',
      'fixedCharges',
      'addOns',
      'minimumCommitments',
    ];
    const count = Object.fromEntries(relations.map((name) => [name, true]));
    const { _count } = await app.db.prisma.tax.findUniqueOrThrow({
      where: { id },
      select: { _count: { select: { ...count, feeAppliedTaxes: true } } },
    });
    expect(_count).toEqual({ ...Object.fromEntries(relations.map((name) => [name, 0])), feeAppliedTaxes: 1 });
    await app.db.prisma.feeAppliedTax.update({ where: { id: line.id }, data: { taxId: line.taxId } });
  });

  it('is never applied once it is deleted, whoever comes first', async () => {
    for (let round = 0; round < 10; round++) {
      const code = `contested-${round}`;
      await tax(code);
      await addOn(code);
      const [applied, deleted] = await Promise.all([
        app.rest('PUT', `/add_ons/${code}`, { add_on: { tax_codes: [code] } }),
        app.rest('DELETE', `/taxes/${code}`),
      ]);
      expect([200, 404]).toContain(applied.status);
      expect(deleted.status).toBe(200);
      expect(await taxesOf(`/add_ons/${code}`, 'add_on')).toEqual([]);
    }
  });
});

describe('an add-on', () => {
  it('costs something in a currency that there is', async () => {
    for (const amount_cents of [0, -1, '0', '-5']) {
      expect((await addOn('a', { amount_cents })).body.error_details).toEqual({
        amount_cents: ['value_is_out_of_range'],
      });
    }
    for (const amount_cents of [1.5, 'x', true, '9223372036854775808']) {
      expect((await addOn('a', { amount_cents })).body.error_details).toEqual({ amount_cents: ['value_is_invalid'] });
    }
    expect((await addOn('most', { amount_cents: '9223372036854775807' })).text).toContain(
      '"amount_cents":9223372036854775807,',
    );
    for (const amount_currency of ['eur', 'XYZ', 'EURO']) {
      expect((await addOn('a', { amount_currency })).body.error_details).toEqual({
        amount_currency: ['value_is_invalid'],
      });
    }
  });

  it('has the taxes of the list that was sent last, and none of one that names an unknown one', async () => {
    await addOn('listed', { tax_codes: ['vat20', 'kept', 'vat20'] });
    expect(await taxesOf('/add_ons/listed', 'add_on')).toEqual(['kept', 'vat20']);
    const put = (tax_codes: unknown) => app.rest('PUT', '/add_ons/listed', { add_on: { name: 'New', tax_codes } });
    expect((await put(['vat20', 'none'])).body).toEqual(NOT_FOUND);
    expect((await app.rest('GET', '/add_ons/listed')).body.add_on.name).toBe('listed');
    expect((await addOn('unlisted', { tax_codes: ['none'] })).body).toEqual(NOT_FOUND);
    expect((await app.rest('GET', '/add_ons/unlisted')).status).toBe(404);
    await put(['vat20']);
    expect(await taxesOf('/add_ons/listed', 'add_on')).toEqual(['vat20']);
    await put(null);
    expect(await taxesOf('/add_ons/listed', 'add_on')).toEqual(['vat20']);
    await put([]);
    expect(await taxesOf('/add_ons/listed', 'add_on')).toEqual([]);
    expect((await put('vat20')).body.error_details).toEqual({ tax_codes: ['value_is_invalid'] });
  });

  it('that is deleted ends the fixed charges that price it, on plans and overrides', async () => {
    const owner = { organizationId: app.organizationId };
    const { id } = await app.db.prisma.addOn.findFirstOrThrow({ where: { ...owner, code: 'desk' } });
    const fixed = await app.db.prisma.fixedCharge.findMany({ where: { addOnId: id } });
    expect(fixed.length).toBeGreaterThan(1);
    const { data, errors } = await app.graphql(`mutation { destroyAddOn(code: "desk") { code changes {
      fixedCharges { totalCount } plans { totalCount } auditLogs { totalCount } } } }`);
    expect(errors).toBeUndefined();
    expect(data.destroyAddOn).toEqual({
      code: 'desk',
      changes: {
        fixedCharges: { totalCount: fixed.length },
        plans: { totalCount: new Set(fixed.map(({ planId }) => planId)).size },
        auditLogs: { totalCount: 1 },
      },
    });
    expect(await app.db.prisma.fixedCharge.count({ where: { addOnId: id, deletedAt: null } })).toBe(0);
    const put = { fixed_charge: { units: '5' } };
    expect((await app.rest('PUT', '/plans/fuzzed/fixed_charges/desk', put)).body).toEqual(NOT_FOUND);
    const preview = await app.rest('POST', '/invoices/preview', {
      ...{ plan_code: 'fuzzed', customer: { external_id: 'cust_ada' } },
    });
    expect(preview.status).toBe(200);
    expect(preview.body.invoice.fees.map(({ item }: { item: { type: string } }) => item.type)).not.toContain(
      'fixed_charge',
    );
  });
});
