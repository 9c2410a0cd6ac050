import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChargeFilter } from '../../../src/engine/catalogue/price/create-charge-filter.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { forOrganization, type TenantClient } from '../../../src/store/database/tenant.ts';
import { UNIQUE_CHARGE_CODE, UNIQUE_FILTER_VALUES, whereUnique } from '../../../src/store/database/unique.ts';
import { importPriced, NOW } from '../../rest/priced.ts';
import { createTestApp, openTestDatabase, type TestApp } from '../../support.ts';

let db: Database;
let app: TestApp;
let tenant: TenantClient;
const actor = () => ({ organizationId: app.organizationId, keyId: randomUUID(), requestId: 'race', now: NOW });

beforeAll(async () => {
  db = await openTestDatabase();
  app = await createTestApp({ db, now: () => NOW });
  const { name } = await db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
  await importPriced(db, name);
  tenant = forOrganization(db.prisma, app.organizationId);
});
afterAll(async () => {
  await app.close();
  await db.close();
});

const statuses = async (calls: Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status).sort();

describe('writes that come at once', () => {
  test('twenty equal filters: one is made, nineteen are refused', async () => {
    const filter = { values: { region: ['eu', 'us'] }, properties: { amount: '1' } };
    const calls = Array.from({ length: 20 }, () =>
      app.rest('POST', '/plans/orchid/charges/api_calls/filters', { filter }),
    );
    expect(await statuses(calls)).toEqual([200, ...Array(19).fill(422)]);
    const made = await tenant.chargeFilter.findMany({
      where: { charge: { code: 'api_calls', plan: { code: 'orchid' } } },
    });
    expect(made).toHaveLength(1);
    expect(await tenant.auditLog.count({ where: { action: 'charge_filter.created' } })).toBe(1);
  });

  test('twenty different filters: all are made, each in a place of its own', async () => {
    const pairs = [['eu'], ['us'], ['1'], ['eu', '1'], ['us', '1'], ['eu', 'us', '1']];
    const calls = pairs.map((region) =>
      app.rest('POST', '/plans/orchid/charges/calls_advance/filters', {
        filter: { values: { region }, properties: { amount: '1' } },
      }),
    );
    expect(await statuses(calls)).toEqual(pairs.map(() => 200));
    const made = await tenant.chargeFilter.findMany({
      where: { charge: { code: 'calls_advance', plan: { code: 'orchid' } } },
    });
    expect(made.map(({ position }) => position).sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('one code for two charges, and for two fixed charges: one gets it', async () => {
    const charge = { code: 'seat_v2', properties: { amount: '1' } };
    const charges = ['c_one', 'c_two'].map((code) => app.rest('PUT', `/plans/orchid/charges/${code}`, { charge }));
    expect(await statuses(charges)).toEqual([200, 422]);
    expect(await tenant.charge.count({ where: { code: 'seat_v2', plan: { code: 'orchid' } } })).toBe(1);
    const fixed = ['desk', 'lamp'].map((code) =>
      app.rest('PUT', `/plans/orchid/fixed_charges/${code}`, { fixed_charge: { code: 'shelf' } }),
    );
    expect(await statuses(fixed)).toEqual([200, 422]);
    expect(await tenant.fixedCharge.count({ where: { code: 'shelf', plan: { code: 'orchid' } } })).toBe(1);
  });

  test('members changed at once are all kept', async () => {
    const changes = [
      { invoice_display_name: 'Name' },
      { min_amount_cents: 77 },
      { properties: { amount: '8' } },
      { tax_codes: ['city'] },
      { filters: [{ values: { tier: ['gold'] }, properties: { amount: '2' } }] },
    ];
    const calls = changes.map((charge) => app.rest('PUT', '/plans/pro.v2/charges/api_calls', { charge }));
    expect(await statuses(calls)).toEqual(changes.map(() => 200));
    const stored = await tenant.charge.findFirstOrThrow({
      where: { code: 'api_calls', plan: { code: 'pro.v2' } },
      include: { taxes: true, filters: true },
    });
    expect(stored).toMatchObject({
      invoiceDisplayName: 'Name',
      minAmountCents: 77n,
      properties: { amount: '8' },
      taxes: [{ code: 'city' }],
      filters: [{ values: { tier: ['gold'] } }],
    });
  });

  test('units raised at once: invoices numbered in a row, for no unit twice', async () => {
    const calls = Array.from({ length: 8 }, (_, at) =>
      app.rest('PUT', '/plans/ahead/fixed_charges/desk', {
        fixed_charge: { units: String(10 + at), apply_units_immediately: true },
      }),
    );
    expect(await statuses(calls)).toEqual(calls.map(() => 200));
    const invoices = await tenant.invoice.findMany({ include: { fees: true }, orderBy: { sequentialId: 'asc' } });
    expect(invoices.map(({ sequentialId }) => sequentialId)).toEqual(invoices.map((_, at) => at + 1));
    const units = invoices.flatMap(({ fees }) => fees.map((fee) => fee.units.toNumber()));
    const highest = units.reduce((total, one) => total + one, 0);
    expect(highest).toBe(17);
  });
});

describe('what the database refuses', () => {
  test('equal values and equal codes that no check has seen are validation errors, other violations are not', async () => {
    const charge = await tenant.charge.findFirstOrThrow({ where: { code: 'grad' } });
    const row = {
      chargeId: charge.id,
      values: {},
      properties: {},
      canonicalValues: 'x',
      organizationId: app.organizationId,
    };
    await tenant.chargeFilter.createMany({ data: row });
    await expect(
      whereUnique([UNIQUE_CHARGE_CODE, UNIQUE_FILTER_VALUES], () => tenant.chargeFilter.createMany({ data: row })),
    ).rejects.toMatchObject({ code: 'validation_errors', details: { values: ['value_already_exist'] } });
    await expect(
      whereUnique([UNIQUE_CHARGE_CODE, UNIQUE_FILTER_VALUES], () =>
        tenant.charge.update({ where: { id: charge.id }, data: { code: 'api_calls' } }),
      ),
    ).rejects.toMatchObject({ code: 'validation_errors', details: { code: ['value_already_exist'] } });
    await expect(
      whereUnique([UNIQUE_FILTER_VALUES], () =>
        tenant.charge.update({ where: { id: charge.id }, data: { code: 'api_calls' } }),
      ),
    ).rejects.toMatchObject({ code: 'P2002' });
  });

  test('a failure at the very end leaves nothing behind', async () => {
    const before = await tenant.chargeFilter.count();
    const broken = { ...actor(), keyId: 'no uuid' };
    const path = { planCode: 'orchid', chargeCode: 'api_calls' };
    await expect(
      createChargeFilter(tenant, broken, path, { values: { tier: ['gold'] }, properties: { amount: '1' } }),
    ).rejects.toThrow();
    expect(await tenant.chargeFilter.count()).toBe(before);
  });
});
