import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { billEvents } from '../../../src/engine/subscription/bill-events.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { everything } from '../../graphql/write/snapshot.ts';
import { createTestApp, type TestApp } from '../../support.ts';
import { exportedTwice } from '../../transfer.ts';

const NOW = new Date('2026-06-15T12:00:00Z');

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => NOW });
  await app.rest('POST', '/billable_metrics', {
    billable_metric: { code: 'calls', name: 'Calls', aggregation_type: 'count_agg' },
  });
  const charges = [
    { billable_metric_code: 'calls', code: 'calls', charge_model: 'standard', properties: { amount: '10' } },
  ];
  const plan = (code: string, amount_cents: number, usage_thresholds: object[]) =>
    app.rest('POST', '/plans', {
      plan: {
        ...{ code, name: code, interval: 'monthly', amount_cents, amount_currency: 'EUR', pay_in_advance: false },
        ...{ charges, usage_thresholds },
      },
    });
  await plan('plan', 0, [{ amount_cents: 5000 }]);
  await plan('dearer', 100, []);
  await plan('cheaper', 50, []);
});
afterAll(() => app?.close());

const post = (external_id: string, members: object = {}) =>
  app.rest('POST', '/subscriptions', {
    subscription: { external_customer_id: `of-${external_id}`, external_id, plan_code: 'plan', ...members },
  });
const put = (path: string, subscription: object) => app.rest('PUT', `/subscriptions/${path}`, { subscription });
const OWN = [
  { amount_cents: 2000, threshold_display_name: 'Own' },
  { amount_cents: 1000, recurring: true },
];
const shown = (answer: { body: { subscription?: { applicable_usage_thresholds?: { amount_cents: number }[] } } }) =>
  answer.body.subscription?.applicable_usage_thresholds?.map(({ amount_cents }) => amount_cents);
const read = (id: string, query = '') => app.rest('GET', `/subscriptions/${id}${query}`);

let sent = 0;
/** Uses so many calls of 10.00, and bills what that asks for; says the totals of progressive invoices so far. */
async function use(id: string, calls: number): Promise<number[]> {
  const events = Array.from({ length: calls }, () => ({
    ...{ transaction_id: `t-${sent++}`, code: 'calls', external_subscription_id: id },
  }));
  if (calls > 0) expect((await app.rest('POST', '/events/batch', { events })).status).toBe(200);
  const { organizationId } = app;
  const db = forOrganization(app.db.prisma, organizationId);
  await billEvents(db, { organizationId, now: NOW, job: 'bill/1' }, { thresholds: true });
  const rows = await app.db.prisma.invoice.findMany({
    where: { invoiceType: 'progressive_billing', customer: { externalId: `of-${id}` } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ feesAmountCents }) => Number(feesAmountCents));
}

describe('thresholds of one subscription', () => {
  it('are there from its start, in place of those of its plan, and make its invoices', async () => {
    const made = await post('own', { usage_thresholds: OWN });
    expect(shown(made)).toEqual([1000, 2000]);
    expect(made.body.subscription.progressive_billing_disabled).toBe(false);
    expect(shown(await post('plain'))).toEqual([5000]);
    expect(await use('own', 2)).toEqual([2000]);
    expect(await use('plain', 2)).toEqual([]);
    expect(await use('plain', 3)).toEqual([5000]);
    const { lifetime_usage } = (await app.rest('GET', '/subscriptions/own/lifetime_usage')).body;
    expect(lifetime_usage.usage_thresholds).toMatchObject([
      { amount_cents: 2000, completion_ratio: 1 },
      { amount_cents: 3000, completion_ratio: 0 },
    ]);
  });

  it('are replaced as a whole and looked at at once; without any those of the plan count again', async () => {
    await post('changed');
    expect(await use('changed', 3)).toEqual([]);
    await put('changed', { usage_thresholds: [{ amount_cents: 3000 }] });
    expect(shown(await read('changed'))).toEqual([3000]);
    expect(await use('changed', 0)).toEqual([3000]);
    await put('changed', { usage_thresholds: [] });
    expect(shown(await read('changed'))).toEqual([5000]);
    const before = await everything(app.db);
    await put('changed', { usage_thresholds: [] });
    expect(await everything(app.db)).toEqual(before);
  });

  it('are set by the same plan sent again, which changes nothing else', async () => {
    await post('again');
    expect(shown(await post('again', { usage_thresholds: OWN, name: 'Ignored' }))).toEqual([1000, 2000]);
    expect((await read('again')).body.subscription.name).toBeNull();
  });

  it('take the place of those of an override of the plan', async () => {
    await post('override', { plan_overrides: { usage_thresholds: [{ amount_cents: 700 }] } });
    expect(shown(await read('override'))).toEqual([700]);
    await put('override', { usage_thresholds: [] });
    expect(shown(await read('override'))).toEqual([5000]);
  });

  it('are of who follows where they are sent with another plan, and do not follow else', async () => {
    await post('follows', { plan_code: 'dearer', usage_thresholds: OWN });
    await post('follows', { plan_code: 'cheaper', usage_thresholds: [{ amount_cents: 900 }] });
    expect(shown(await read('follows'))).toEqual([1000, 2000]);
    expect(shown(await read('follows', '?status=pending'))).toEqual([900]);
    await post('upgraded', { usage_thresholds: OWN });
    expect(shown(await post('upgraded', { plan_code: 'dearer' }))).toEqual([]);
  });
});

it('switched off, no threshold applies until they are on again', async () => {
  const made = await post('off', { usage_thresholds: OWN, progressive_billing_disabled: true });
  expect([made.body.subscription.progressive_billing_disabled, shown(made)]).toEqual([true, []]);
  expect(await use('off', 2)).toEqual([]);
  const on = await put('off', { progressive_billing_disabled: false });
  expect(on.body.subscription.progressive_billing_disabled).toBe(false);
  expect(await use('off', 0)).toEqual([2000]);
});

describe('422, and nothing is written', () => {
  it.each([
    ['twice one', [{ amount_cents: 5 }, { amount_cents: 5 }], { usage_thresholds: ['duplicated_values'] }],
    ['of nothing', [{ amount_cents: 0 }], { amount_cents: ['value_is_out_of_range'] }],
  ])('%s', async (_name, usage_thresholds, details) => {
    await post('kept');
    const before = await everything(app.db);
    expect((await post('wrong', { usage_thresholds })).body.error_details).toEqual(details);
    expect((await put('kept', { usage_thresholds })).body.error_details).toEqual(details);
    expect(await everything(app.db)).toEqual(before);
  });

  it('both kinds at once', async () => {
    const both = { usage_thresholds: OWN, plan_overrides: { usage_thresholds: OWN } };
    const code = ['incompatible_params'];
    const details = { 'plan_overrides.usage_thresholds': code, usage_thresholds: code };
    expect((await post('both', both)).body.error_details).toEqual(details);
    expect((await put('kept', both)).body.error_details).toEqual(details);
  });
});

it('an export brings them back, with the invoices that they made', async () => {
  const { subscriptions } = JSON.parse(await exportedTwice(app));
  const own = subscriptions.find((one: { external_id: string }) => one.external_id === 'own');
  expect(own.usage_thresholds.map((one: { amount_cents: number }) => one.amount_cents).sort()).toEqual([1000, 2000]);
});
