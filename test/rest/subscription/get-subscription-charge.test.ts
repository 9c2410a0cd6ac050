import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AWKWARD, createReadApp, IDS } from '../fixture.ts';
import { itIsGuarded, NOT_FOUND } from '../guarded.ts';

const PATH = '/subscriptions/sub_ada/charges/api_calls';
let app: Awaited<ReturnType<typeof createReadApp>>;
beforeAll(async () => {
  app = await createReadApp();
});
afterAll(() => app.close());

describe('200', () => {
  it.each([
    ['', '0.03'],
    ['?status=active', '0.03'],
    ['?status=pending', '0.04'],
    ['?status=terminated', '0.02'],
    ['?subscription_status=terminated&status=pending', '0.02'],
  ])('the effective charge of the right subscription: %s', async (query, amount) => {
    const { status, body } = await app.rest('GET', `${PATH}${query}`);
    expect(status).toBe(200);
    expect(body.charge.properties.amount).toBe(amount);
  });
  it('the override names the charge that it was made from', async () => {
    const { body } = await app.rest('GET', PATH);
    expect(body.charge.svc_parent_id).toBe(IDS.parentCharge);
    expect(body.charge.svc_id).not.toBe(IDS.parentCharge);
    expect((await app.rest('GET', `${PATH}?status=terminated`)).body.charge.svc_parent_id).toBeNull();
  });
  it('a charge with everything', async () => {
    const where = { externalId: 'sub_ada', status: 'active' as const };
    const { planId } = await app.db.prisma.subscription.findFirstOrThrow({ where });
    const { parentId } = await app.db.prisma.plan.findUniqueOrThrow({ where: { id: planId } });
    await app.db.prisma.subscription.updateMany({ where, data: { planId: parentId ?? '' } });
    const { body } = await app.rest('GET', PATH);
    await app.db.prisma.subscription.updateMany({ where, data: { planId } });
    expect(body.charge).toMatchObject({
      svc_id: IDS.parentCharge,
      billable_metric_code: 'api_calls',
      charge_model: 'standard',
      invoice_display_name: 'Calls',
      min_amount_cents: 5000000000,
      properties: { amount: '0.10', pricing_group_keys: ['cloud'], grouped_by: ['cloud'] },
      taxes: [{ code: 'vat20' }],
      applied_pricing_unit: { code: 'credits', conversion_rate: '1.5' },
      filters: [{ svc_id: IDS.filter, values: { region: ['eu'] } }],
    });
  });
  it('ranges keep bounds beyond 32 bits as numbers and prices as the strings they were', async () => {
    const { body } = await app.rest('GET', '/subscriptions/sub_ada/charges/ranges');
    expect(body.charge.properties.graduated_ranges).toEqual([
      { from_value: 0, to_value: 3000000000, per_unit_amount: '0.0000001', flat_amount: '0' },
      { from_value: 3000000001, to_value: null, per_unit_amount: '0.00000005', flat_amount: '0' },
    ]);
  });
  it.each(AWKWARD)('the external identifier %s', async (id) => {
    const segment = encodeURIComponent(id).replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length));
    const { status } = await app.rest('GET', `/subscriptions/${segment}/charges/api_calls`);
    // A client's URL parser takes `..` for the parent folder even when it is escaped: such an identifier cannot be sent.
    expect(status).toBe(id === '..' ? 404 : 200);
  });
});

itIsGuarded(
  () => app,
  'GET',
  () => PATH,
  'subscription:read',
);

describe('404', () => {
  it.each([
    ['an unknown subscription', '/subscriptions/nope/charges/api_calls'],
    ['an unknown charge', '/subscriptions/sub_ada/charges/nope'],
    ['a state that no subscription has', `${PATH}?status=canceled`],
    ['a bad escape', '/subscriptions/%ZZ/charges/api_calls'],
    ['an identifier cut at its slash', '/subscriptions/team/42/charges/api_calls'],
  ])('%s', async (_name, path) => {
    const { status, body } = await app.rest('GET', path);
    expect(status).toBe(404);
    expect(body).toEqual(NOT_FOUND);
  });
  it('an empty state, which is that of no subscription', async () => {
    for (const name of ['status', 'subscription_status']) {
      const { status, body } = await app.rest('GET', `${PATH}?${name}=`);
      expect([status, body]).toEqual([404, NOT_FOUND]);
    }
  });
  it("another organization's subscription", async () => {
    expect((await app.rest('GET', PATH, undefined, { key: app.other })).status).toBe(404);
  });
});

describe('422', () => {
  it.each(['bogus', '1'])('a status that is none: %s', async (value) => {
    const { status, body } = await app.rest('GET', `${PATH}?status=${value}`);
    expect(status).toBe(422);
    expect(body.error_details).toEqual({ status: ['value_is_invalid'] });
  });
});
