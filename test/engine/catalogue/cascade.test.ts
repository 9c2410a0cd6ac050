import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPricedApp } from '../../rest/priced.ts';

let app: Awaited<ReturnType<typeof createPricedApp>>;
beforeAll(async () => {
  app = await createPricedApp();
});
afterAll(() => app.close());

const CHARGE = '/plans/family/charges/api_calls';
const put = (charge: unknown) => app.rest('PUT', CHARGE, { charge });
const putFixed = (fixed_charge: unknown) => app.rest('PUT', '/plans/family/fixed_charges/desk', { fixed_charge });
const addFilter = (filter: unknown) => app.rest('POST', `${CHARGE}/filters`, { filter });

const SUBSCRIPTIONS = ['sub_same', 'sub_own', 'sub_pending', 'sub_gone'];

/** The charge of each override, in the order of SUBSCRIPTIONS. */
async function children() {
  const rows = await app.db.prisma.subscription.findMany({
    where: { organizationId: app.organizationId, externalId: { in: SUBSCRIPTIONS } },
    include: {
      plan: {
        include: {
          charges: { include: { filters: { where: { deletedAt: null }, orderBy: { position: 'asc' } } } },
          fixedCharges: true,
        },
      },
    },
  });
  const byId = new Map(rows.map((row) => [row.externalId, row.plan]));
  return SUBSCRIPTIONS.map((id) => ({ charge: byId.get(id)?.charges[0], fixed: byId.get(id)?.fixedCharges[0] }));
}

const properties = async () => (await children()).map(({ charge }) => charge?.properties);
const filters = async () =>
  (await children()).map(({ charge }) =>
    (charge?.filters ?? []).map((one) => [one.values, one.properties, one.invoiceDisplayName]),
  );

test('prices: children that are still as the parent was, in use or about to be', async () => {
  expect((await put({ properties: { amount: '0.07' }, cascade_updates: true })).status).toBe(200);
  const after = [{ amount: '0.07' }, { amount: '0.03' }, { amount: '0.07' }, { amount: '0.05' }];
  expect(await properties()).toEqual(after);
  await put({ properties: { amount: '0.08' }, cascade_updates: false });
  await put({ properties: { amount: '0.09' } });
  expect((await put({ properties: { amount: '0.11' }, cascade_updates: 'false' })).status).toBe(422);
  expect(
    (await app.rest('PUT', CHARGE, { charge: { properties: { amount: '0.11' } }, cascade_updates: true })).status,
  ).toBe(200);
  expect(await properties()).toEqual(after);
  const { body } = await app.rest('GET', '/subscriptions/sub_same/charges/api_calls');
  expect(body.charge.properties).toEqual({ amount: '0.07' });
  await put({ properties: { amount: '0.07' } });
});

test('a second run changes nothing', async () => {
  await put({ properties: { amount: '0.06' }, cascade_updates: true });
  const before = await children();
  await put({ properties: { amount: '0.06' }, cascade_updates: true });
  expect(await children()).toEqual(before);
});

test('what nobody has customised follows: group keys and the code; names, taxes and minimum never', async () => {
  await put({
    properties: { amount: '0.06', pricing_group_keys: ['cloud'] },
    code: 'calls',
    invoice_display_name: 'Calls',
    tax_codes: ['vat20'],
    min_amount_cents: 5,
    cascade_updates: true,
  });
  const [same, own, , gone] = (await children()).map(({ charge }) => charge);
  expect(same).toMatchObject({ code: 'calls', properties: { amount: '0.06', pricing_group_keys: ['cloud'] } });
  expect(own).toMatchObject({ code: 'calls', properties: { amount: '0.03', pricing_group_keys: ['cloud'] } });
  expect(gone).toMatchObject({ code: 'api_calls', properties: { amount: '0.05' } });
  expect(same).toMatchObject({ invoiceDisplayName: null, minAmountCents: 0n });
  await app.rest('PUT', '/plans/family/charges/calls', {
    charge: { properties: { amount: '0.06' }, code: 'api_calls', cascade_updates: true },
  });
  expect(await properties()).toEqual([{ amount: '0.06' }, { amount: '0.03' }, { amount: '0.06' }, { amount: '0.05' }]);
});

test('filters: added once, changed where they are the same, removed where they are the same', async () => {
  const eu = { values: { region: ['eu'] }, properties: { amount: '0.02' } };
  await addFilter({ ...eu, cascade_updates: true });
  const added = [[{ region: ['eu'] }, { amount: '0.02' }, null]];
  expect(await filters()).toEqual([added, added, added, []]);

  const [, own] = await children();
  await app.db.prisma.chargeFilter.update({
    where: { id: own?.charge?.filters[0]?.id ?? '' },
    data: { properties: { amount: '0.9' } },
  });
  const wanted = [
    { values: { tier: ['gold'] }, properties: { amount: '5' } },
    { values: { region: ['eu'] }, properties: { amount: '0.025' }, invoice_display_name: 'Europe' },
  ];
  await put({ filters: wanted, cascade_updates: true });
  const gold = [{ tier: ['gold'] }, { amount: '5' }, null];
  const changed = [[{ region: ['eu'] }, { amount: '0.025' }, 'Europe'], gold];
  expect(await filters()).toEqual([changed, [[{ region: ['eu'] }, { amount: '0.9' }, null], gold], changed, []]);

  await put({ filters: wanted, cascade_updates: true });
  expect(await filters()).toEqual([changed, [[{ region: ['eu'] }, { amount: '0.9' }, null], gold], changed, []]);

  await put({ filters: [], cascade_updates: true });
  expect(await filters()).toEqual([[], [[{ region: ['eu'] }, { amount: '0.9' }, null]], [], []]);

  await addFilter({ ...eu, cascade_updates: true });
  expect(await filters()).toEqual([added, [[{ region: ['eu'] }, { amount: '0.9' }, null]], added, []]);
});

test('fixed charges: units and prices together, from the next period, and no invoice', async () => {
  const units = async () => (await children()).map(({ fixed }) => fixed?.units.toFixed());
  expect(await units()).toEqual(['3', '7', '3', '3']);
  await putFixed({ units: '4', properties: { amount: '11' }, apply_units_immediately: true, cascade_updates: true });
  expect(await units()).toEqual(['4', '7', '4', '3']);
  const events = await app.db.prisma.fixedChargeUnitsEvent.findMany({
    where: { organizationId: app.organizationId },
    include: { subscription: true },
    orderBy: { id: 'asc' },
  });
  expect(
    events.map((one) => [one.subscription.externalId, one.units.toFixed(), one.effectiveAt.toISOString()]),
  ).toEqual([
    ['sub_same', '3', '2026-01-01T00:00:00.000Z'],
    ['sub_same', '4', '2026-07-01T00:00:00.000Z'],
  ]);
  await putFixed({ units: '4', properties: { amount: '11' }, cascade_updates: true });
  expect(await app.db.prisma.fixedChargeUnitsEvent.count({ where: { organizationId: app.organizationId } })).toBe(2);
  expect(await app.db.prisma.invoice.count()).toBe(0);
});

test('a cascade of another organization reaches none of these', async () => {
  const before = await children();
  const charge = { properties: { amount: '0.5' }, cascade_updates: true };
  expect((await app.rest('PUT', CHARGE, { charge }, { key: app.other })).status).toBe(200);
  expect(await children()).toEqual(before);
});
