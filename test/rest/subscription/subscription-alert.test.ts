import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { everything } from '../../graphql/write/snapshot.ts';
import { createTestApp, type TestApp } from '../../support.ts';
import { exportedTwice } from '../../transfer.ts';
import { NOT_FOUND } from '../guarded.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const START = '2026-01-01T00:00:00Z';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => NOW });
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
  const on = (external_id: string, status: string) => ({
    ...{ external_id, status, external_customer_id: 'cust', plan_code: 'plan', subscription_at: START },
    started_at: status === 'pending' ? null : START,
  });
  const plan = (code: string, amount_cents: number) => ({
    ...{ code, amount_cents, interval: 'monthly', amount_currency: 'EUR' },
  });
  const document = {
    organization: { name },
    billable_metrics: [{ code: 'calls', name: 'Calls', aggregation_type: 'count_agg' }],
    customers: [{ external_id: 'cust', currency: 'EUR' }],
    plans: [plan('plan', 100), plan('dearer', 900)],
    subscriptions: [on('sub', 'active'), on('later', 'pending'), on('ended', 'terminated')],
  };
  await importDocument(app.db, document, { organization: name, now: NOW });
});
afterAll(() => app?.close());
beforeEach(() => app.db.prisma.alert.deleteMany());

const PATH = '/subscriptions/sub/alerts';
const SPENT = {
  ...{ alert_type: 'current_usage_amount', code: 'spent', name: 'Spent' },
  thresholds: [
    { code: 'warn', value: 1500 },
    { value: '30.5', recurring: true },
  ],
};
const CALLS = {
  ...{ alert_type: 'billable_metric_current_usage_units', code: 'calls', billable_metric_code: 'calls' },
  thresholds: [{ value: '90' }],
};
const post = (alert: object, path = PATH) => app.rest('POST', path, { alert });
const batch = (...alerts: unknown[]) => app.rest('POST', PATH, { alerts });
const put = (alert: object, code = 'spent') => app.rest('PUT', `${PATH}/${code}`, { alert });
const codesNow = async () => (await app.rest('GET', PATH)).body.alerts.map((one: { code: string }) => one.code);
const refused = (error_details: object) => ({
  ...{ status: 422, error: 'Unprocessable entity', code: 'validation_errors', error_details },
});

it('an alert is kept, read, listed, changed and deleted', async () => {
  const made = await post(SPENT);
  expect(made.status).toBe(200);
  expect(made.body.alert).toMatchObject({
    ...{ ...SPENT, external_subscription_id: 'sub', billable_metric: null, direction: 'increasing' },
    ...{ previous_value: 0, last_processed_at: null, svc_organization_id: app.organizationId },
    thresholds: [
      { code: 'warn', value: '1500.0', recurring: false },
      { code: null, value: '30.5', recurring: true },
    ],
  });
  expect((await app.rest('GET', `${PATH}/spent`)).body).toEqual(made.body);
  expect((await app.rest('GET', PATH)).body).toMatchObject({
    alerts: [made.body.alert],
    meta: { total_count: 1, current_page: 1 },
  });
  const changed = await put({ code: 'much', name: null, thresholds: [{ value: 5, code: 'five' }] });
  const after = { code: 'much', name: null, thresholds: [{ code: 'five', value: '5.0', recurring: false }] };
  expect(changed.body.alert).toEqual({ ...made.body.alert, ...after });
  expect((await app.rest('DELETE', `${PATH}/much`)).body).toEqual(changed.body);
  expect(await codesNow()).toEqual([]);
  expect((await post({ ...SPENT, code: 'much' })).status).toBe(200);
});

it('several are made at once, in their order, or none', async () => {
  const { status, body } = await batch(SPENT, CALLS);
  expect([status, body.alerts.map((one: { code: string }) => one.code)]).toEqual([200, ['spent', 'calls']]);
  expect(body.alerts[1].billable_metric).toMatchObject({ code: 'calls' });
  const before = await everything(app.db);
  const wrong = { ...CALLS, thresholds: [] };
  expect((await batch({ ...SPENT, code: 'x', alert_type: 'lifetime_usage_amount' }, wrong)).body).toEqual(
    refused({
      1: {
        params: wrong,
        errors: { thresholds: ['value_is_mandatory'], code: ['value_already_exist'], base: ['alert_already_exists'] },
      },
    }),
  );
  expect((await batch({ ...SPENT, alert_type: 'perhaps' })).body.error_details[0].errors).toEqual({
    alert_type: ['invalid_type'],
  });
  const twice = { ...SPENT, code: 'y', alert_type: 'lifetime_usage_amount' };
  expect((await batch(twice, twice)).body.error_details).toEqual({
    1: { params: twice, errors: { code: ['value_already_exist'], base: ['alert_already_exists'] } },
  });
  expect(await everything(app.db)).toEqual(before);
});

it('without several, one is meant', async () => {
  expect((await app.rest('POST', PATH, { alerts: [], alert: SPENT })).body.alert.code).toBe('spent');
  expect((await app.rest('POST', PATH, { alerts: [] })).status).toBe(400);
  expect((await app.rest('POST', PATH, { alert: {} })).status).toBe(400);
});

it('all are deleted with an answer that is empty', async () => {
  await batch(SPENT, CALLS);
  const { status, text } = await app.rest('DELETE', PATH);
  expect([status, text]).toEqual([200, '']);
  expect(await codesNow()).toEqual([]);
});

it('they belong to the external identifier: they stay with another plan', async () => {
  await post(SPENT);
  const subscription = { external_customer_id: 'cust', external_id: 'sub', plan_code: 'dearer' };
  const next = await app.rest('POST', '/subscriptions', { subscription });
  expect(next.body.subscription?.plan_code, next.text).toBe('dearer');
  expect(await codesNow()).toEqual(['spent']);
});

it('one that waits or has ended has alerts where its state is said', async () => {
  for (const [id, state] of [
    ['later', 'pending'],
    ['ended', 'terminated'],
  ]) {
    expect((await post(SPENT, `/subscriptions/${id}/alerts`)).body).toEqual(NOT_FOUND);
    expect((await post(SPENT, `/subscriptions/${id}/alerts?subscription_status=${state}`)).status).toBe(200);
    expect((await app.rest('GET', `/subscriptions/${id}/alerts/spent`)).body).toEqual(NOT_FOUND);
    expect((await app.rest('GET', `/subscriptions/${id}/alerts/spent?subscription_status=${state}`)).status).toBe(200);
  }
});

it('a metric that is deleted takes its alerts along', async () => {
  const metric = { code: 'gone', name: 'Gone', aggregation_type: 'count_agg' };
  await app.rest('POST', '/billable_metrics', { billable_metric: metric });
  await post({ ...CALLS, billable_metric_code: 'gone' });
  await post(SPENT);
  await app.rest('DELETE', '/billable_metrics/gone');
  expect(await codesNow()).toEqual(['spent']);
});

it('what is sent as it is changes nothing, and an empty list leaves the thresholds', async () => {
  await post(SPENT);
  const before = await everything(app.db);
  expect((await put({ ...SPENT, alert_type: 'lifetime_usage_amount' })).status).toBe(200);
  expect((await put({ thresholds: [] })).status).toBe(200);
  expect(await everything(app.db)).toEqual(before);
});

it('an alert has another metric, and keeps one', async () => {
  await app.rest('POST', '/billable_metrics', {
    billable_metric: { code: 'more', name: 'More', aggregation_type: 'count_agg' },
  });
  await post(CALLS);
  const { body } = await put({ billable_metric_code: 'more' }, 'calls');
  expect(body.alert.billable_metric.code).toBe('more');
  expect((await put({ billable_metric_code: null }, 'calls')).body).toEqual(
    refused({ billable_metric: ['value_is_mandatory'] }),
  );
});

describe('404, whatever else is wrong', () => {
  it.each([
    ['an unknown subscription', () => post({ code: '' }, '/subscriptions/nope/alerts')],
    ['an unknown alert', () => put({ thresholds: 'x' }, 'nope')],
    ['an unknown alert that is read', () => app.rest('GET', `${PATH}/nope`)],
    ['an unknown alert that is deleted', () => app.rest('DELETE', `${PATH}/nope`)],
    ['all of an unknown subscription', () => app.rest('DELETE', '/subscriptions/nope/alerts')],
    ['the list of an unknown subscription', () => app.rest('GET', '/subscriptions/nope/alerts')],
    ['an unknown metric', () => post({ ...CALLS, billable_metric_code: 'nope' })],
  ])('%s', async (_name, call) => expect((await call()).body).toEqual(NOT_FOUND));
});

describe('422, and nothing is written', () => {
  const many = Array.from({ length: 21 }, (_, index) => ({ value: index + 1 }));
  it.each([
    ['a type that is none', { alert_type: 'wallet_balance_amount' }, { alert_type: ['invalid_type'] }],
    ['no type', { alert_type: null }, { alert_type: ['value_is_mandatory'] }],
    ['no code', { code: ' ' }, { code: ['value_is_mandatory'] }],
    ['no thresholds', { thresholds: [] }, { thresholds: ['value_is_mandatory'] }],
    ['too many', { thresholds: many }, { thresholds: ['too_many_thresholds'] }],
    ['one twice', { thresholds: [{ value: 5 }, { value: '5.0' }] }, { thresholds: ['duplicate_threshold_values'] }],
    [
      'two that recur',
      {
        thresholds: [
          { value: 5, recurring: true },
          { value: 6, recurring: true },
        ],
      },
      { thresholds: ['multiple_recurring_thresholds'] },
    ],
    ['no value', { thresholds: [{ code: 'a' }] }, { 'thresholds:value': ['value_is_mandatory'] }],
    ['a value that is none', { thresholds: [{ value: 'x' }] }, { 'thresholds:value': ['value_is_invalid'] }],
    [
      'a step down',
      { thresholds: [{ value: -5, recurring: true }] },
      { 'thresholds:value': ['recurring_value_is_negative'] },
    ],
    ['a metric of none', { billable_metric_code: 'calls' }, { billable_metric: ['value_must_be_blank'] }],
    ['no metric', { ...CALLS, billable_metric_code: '' }, { billable_metric: ['value_is_mandatory'] }],
    [
      'all of it at once',
      { alert_type: 'x', code: '', thresholds: [{ value: 5 }, { value: 5 }] },
      { alert_type: ['invalid_type'], code: ['value_is_mandatory'], thresholds: ['duplicate_threshold_values'] },
    ],
  ])('%s', async (_name, members, details) => {
    const before = await everything(app.db);
    expect((await post({ ...SPENT, ...members })).body).toEqual(refused(details));
    expect(await everything(app.db)).toEqual(before);
  });

  it('a code and a type that are there', async () => {
    await post(SPENT);
    expect((await post(SPENT)).body).toEqual(
      refused({ code: ['value_already_exist'], base: ['alert_already_exists'] }),
    );
    await post({ ...SPENT, code: 'b', alert_type: 'lifetime_usage_amount' });
    expect((await put({ code: 'b' })).body).toEqual(refused({ code: ['value_already_exist'] }));
  });
});

it('two at one moment: one is made, the other refused', async () => {
  const answers = await Promise.all([post(SPENT), post(SPENT), post({ ...SPENT, code: 'other' })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
});

it('an export brings them back', async () => {
  await batch(SPENT, CALLS);
  await app.rest('DELETE', `${PATH}/calls`);
  const { alerts } = JSON.parse(await exportedTwice(app));
  expect(alerts.map((one: { code: string; deleted_at: string | null }) => [one.code, one.deleted_at !== null])).toEqual(
    [
      ['spent', false],
      ['calls', true],
    ],
  );
});
