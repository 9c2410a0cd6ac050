import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_FILTER_VALUES, canonicalFilter, filterMatcher } from '../../src/billing/catalogue/filter.ts';
import { cutFilters } from '../../src/billing/catalogue/filter-cut.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { NOW } from '../rest/fixture.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { createFullApp } from '../robust/full-app.ts';
import type { TestApp } from '../support.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
});
afterAll(() => app?.close());

const make = (code: string, more: object) =>
  app.rest('POST', '/billable_metrics', { billable_metric: { code, name: code, ...more } });
const put = (code: string, billable_metric: object) =>
  app.rest('PUT', `/billable_metrics/${code}`, { billable_metric });

describe('what goes together', () => {
  const sum = { aggregation_type: 'sum_agg', field_name: 'n' };
  it.each([
    [{ aggregation_type: 'sum_agg' }, { field_name: ['value_is_mandatory'] }],
    [{ aggregation_type: 'max_agg', field_name: ' ' }, { field_name: ['value_is_mandatory'] }],
    [{ aggregation_type: 'count_agg', recurring: true }, { recurring: ['not_compatible_with_aggregation_type'] }],
    [
      { aggregation_type: 'latest_agg', recurring: true },
      { field_name: ['value_is_mandatory'], recurring: ['not_compatible_with_aggregation_type'] },
    ],
    [{ aggregation_type: 'weighted_sum_agg', field_name: 'n' }, { weighted_interval: ['value_is_invalid'] }],
    [{ ...sum, weighted_interval: 'days' }, { weighted_interval: ['value_is_invalid'] }],
    [{ ...sum, rounding_function: 'half' }, { rounding_function: ['value_is_invalid'] }],
    [{ ...sum, rounding_precision: 31 }, { rounding_precision: ['value_is_out_of_range'] }],
    [{ ...sum, expression: 'event.' }, { expression: ['invalid_expression'] }],
    [{ aggregation_type: 'median_agg' }, { aggregation_type: ['value_is_invalid'] }],
    [{}, { aggregation_type: ['value_is_invalid'] }],
    [{ ...sum, filters: [{ key: 'a', values: [] }] }, { values: ['value_is_mandatory'] }],
    [{ ...sum, filters: [{ key: ' ', values: ['x'] }] }, { key: ['value_is_mandatory'] }],
    [{ ...sum, filters: [{ key: 'a' }] }, { values: ['value_is_mandatory'] }],
  ])('%j is refused', async (more, details) => {
    const { status, body } = await make('refused', more);
    expect([status, body.error_details]).toEqual([422, details]);
    expect((await app.rest('GET', '/billable_metrics/refused')).body).toEqual(NOT_FOUND);
  });

  it("aggregation by code of one's own is available to nobody", async () => {
    const refused = { status: 403, error: 'Forbidden', code: 'feature_unavailable' };
    expect((await make('refused', { aggregation_type: 'custom_agg', name: '' })).body).toEqual(refused);
    expect((await put('kept', { aggregation_type: 'custom_agg' })).body).toEqual(refused);
    expect((await put('unknown', { aggregation_type: 'custom_agg' })).body).toEqual(NOT_FOUND);
  });

  it('is told by GraphQL with its place', async () => {
    const { errors } = await app.graphql(
      'mutation ($input: CreateBillableMetricInput!) { createBillableMetric(input: $input) { code } }',
      {
        input: {
          ...{ code: 'g', name: 'G', aggregationType: 'sum_agg' },
          filters: [
            { key: 'a', values: ['x'] },
            { key: 'b', values: [] },
          ],
        },
      },
    );
    expect(errors?.[0]?.extensions?.errorDetails).toEqual({
      values: ['value_is_mandatory'],
      field_name: ['value_is_mandatory'],
    });
    expect(errors?.[0]?.extensions?.errors).toEqual([
      expect.objectContaining({ path: ['input', 'filters', 1, 'values'], code: 'value_is_mandatory' }),
      expect.objectContaining({ path: ['input', 'fieldName'], code: 'value_is_mandatory' }),
    ]);
  });

  it('keys and values of filters are each once, in their order; a later key counts', async () => {
    const { body } = await make('ordered', {
      ...sum,
      filters: [
        { key: 'z', values: ['b', 'a', 'b'] },
        { key: 'c', values: ['1'] },
        { key: 'z', values: ['d', 'c'] },
      ],
    });
    expect(body.billable_metric.filters).toEqual([
      { key: 'c', values: ['1'] },
      { key: 'z', values: ['c', 'd'] },
    ]);
    expect(body.billable_metric).toMatchObject({ expression: '', rounding_precision: null });
    expect((await put('ordered', { filters: null })).body.billable_metric.filters).toHaveLength(2);
    expect((await put('ordered', { expression: ' ' })).body.billable_metric.expression).toBe('');
  });
});

describe('a metric that charges price', () => {
  it('keeps what it measures: REST says nothing, GraphQL refuses another value', async () => {
    const before = (await app.rest('GET', '/billable_metrics/api_calls')).body.billable_metric;
    const { status, body } = await put('api_calls', {
      ...{ code: 'other', aggregation_type: 'sum_agg', field_name: 'n', recurring: true, expression: '1' },
      ...{ name: 'Calls', description: 'All of them' },
    });
    expect(status).toBe(200);
    expect(body.billable_metric).toEqual({ ...before, name: 'Calls', description: 'All of them' });
    const text = `mutation ($input: UpdateBillableMetricInput!) {
      updateBillableMetric(code: "api_calls", input: $input) { name } }`;
    const same = await app.graphql(text, { input: { code: 'api_calls', aggregationType: 'count_agg', name: 'Same' } });
    expect(same.data.updateBillableMetric).toEqual({ name: 'Same' });
    const { errors } = await app.graphql(text, { input: { code: 'other', name: 'Other' } });
    expect(errors?.[0]?.extensions?.errorDetails).toEqual({ code: ['value_cannot_be_changed'] });
  });

  it('takes values that go from the filters of its charges, and keeps the rows of keys that stay', async () => {
    const owner = { organizationId: app.organizationId };
    const metric = await app.db.prisma.billableMetric.findFirstOrThrow({
      where: { ...owner, code: 'api_calls', deletedAt: null },
      include: { filters: true },
    });
    const add = (values: object) =>
      app.rest('POST', '/plans/fuzzed/charges/calls/filters', { filter: { values, properties: { amount: '1' } } });
    await put('api_calls', {
      filters: [
        { key: 'region', values: ['eu', 'us', 'as'] },
        { key: 'tier', values: ['a', 'b'] },
      ],
    });
    for (const values of [
      { region: ['eu', 'us'] },
      { region: ['us', 'as'] },
      { region: ['as'] },
      { region: ['us'], tier: ['a'] },
      { region: ['us'], tier: ['b'] },
      { tier: [ALL_FILTER_VALUES] },
    ]) {
      expect((await add(values)).status).toBe(200);
    }
    const { data, errors } = await app.graphql(`mutation {
      updateBillableMetric(code: "api_calls", input: { filters: [{ key: "region", values: ["us", "eu"] }] }) {
        filters { key values } changes { charges { totalCount } plans { totalCount } } } }`);
    expect(errors).toBeUndefined();
    expect(data.updateBillableMetric.filters).toEqual([{ key: 'region', values: ['eu', 'us'] }]);
    expect(data.updateBillableMetric.changes.charges.totalCount).toBe(1);
    const { charge } = (await app.rest('PUT', '/plans/fuzzed/charges/calls', { charge: { invoice_display_name: 'C' } }))
      .body;
    // What became the same as an earlier one is gone with what has nothing left.
    expect(charge.filters.map(({ values }: { values: object }) => values)).toEqual([
      { region: ['eu', 'us'] },
      { region: ['us'] },
    ]);
    const kept = await app.db.prisma.billableMetricFilter.findFirstOrThrow({
      where: { billableMetricId: metric.id, key: 'region', deletedAt: null },
    });
    expect(kept.id).toBe(metric.filters[0]?.id);
    expect((await add({ region: ['as'] })).body.error_details).toEqual({ values: ['value_is_invalid'] });
  });

  it('takes its charges along when it is deleted; events and fees stay, and its code is free', async () => {
    const owner = { organizationId: app.organizationId };
    const fees = await app.db.prisma.fee.count({ where: owner });
    const { id } = await app.db.prisma.billableMetric.findFirstOrThrow({ where: { ...owner, code: 'api_calls' } });
    const event = { transaction_id: 'before', code: 'api_calls', external_subscription_id: 'sub_fuzzed' };
    expect((await app.rest('POST', '/events', { event })).status).toBe(200);
    expect((await app.rest('DELETE', '/billable_metrics/api_calls')).status).toBe(200);
    const live = { deletedAt: null };
    expect(await app.db.prisma.charge.count({ where: { billableMetricId: id, ...live } })).toBe(0);
    expect(await app.db.prisma.charge.count({ where: { billableMetricId: id } })).toBeGreaterThan(5);
    expect(await app.db.prisma.chargeFilter.count({ where: { charge: { billableMetricId: id }, ...live } })).toBe(0);
    expect(await app.db.prisma.billableMetricFilter.count({ where: { billableMetricId: id, ...live } })).toBe(0);
    expect(await app.db.prisma.fee.count({ where: owner })).toBe(fees);
    expect((await app.rest('GET', '/events/before')).status).toBe(200);
    expect((await app.rest('GET', '/subscriptions/sub_ada/charges/api_calls')).body).toEqual(NOT_FOUND);
    const again = await make('api_calls', { aggregation_type: 'count_agg' });
    expect(again.status).toBe(200);
    expect(again.body.billable_metric.svc_id).not.toBe(id);
  });
});

describe('a metric that comes after its events', () => {
  it('finds them, and what it measures of them once it measures something else', async () => {
    const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
    const sent = [3, 4].map((n, at) => ({
      ...{ transaction_id: `early-${at}`, code: 'minutes', external_subscription_id: 'sub_late' },
      properties: { n, m: 10 * n },
    }));
    expect((await app.rest('POST', '/events/batch', { events: sent })).status).toBe(200);
    expect((await make('minutes', { aggregation_type: 'sum_agg', field_name: 'm' })).status).toBe(200);
    expect((await put('minutes', { field_name: 'n' })).body.billable_metric.field_name).toBe('n');
    const price = { charge_model: 'standard', properties: { amount: '2' } };
    const document = {
      organization: { name },
      plans: [
        {
          ...{ code: 'late', interval: 'monthly', amount_cents: 0, amount_currency: 'EUR' },
          charges: [{ code: 'minutes', billable_metric_code: 'minutes', ...price }],
        },
      ],
      subscriptions: [
        {
          ...{ external_id: 'sub_late', external_customer_id: 'cust_ada', plan_code: 'late', status: 'active' },
          ...{ subscription_at: '2026-06-01T00:00:00Z', started_at: '2026-06-01T00:00:00Z' },
        },
      ],
    };
    await importDocument(app.db, document, { organization: name, now: NOW });
    const usage = '/customers/cust_ada/current_usage?external_subscription_id=sub_late';
    const { status, body } = await app.rest('GET', usage);
    expect(status).toBe(200);
    expect(body.customer_usage.charges_usage[0]).toMatchObject({ units: '7.0', amount_cents: 1400 });
  });
});

describe('the cut of filters', () => {
  const values = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 });
  const declared = fc
    .dictionary(fc.constantFrom('k', 'l', 'm'), values, { noNullPrototype: true })
    .map((keys) => Object.entries(keys).map(([key, list]) => ({ key, values: list })));
  const filters = fc.uniqueArray(
    fc.dictionary(fc.constantFrom('k', 'l', 'm'), values, { minKeys: 1, noNullPrototype: true }),
    { selector: canonicalFilter, maxLength: 6 },
  );

  it('leaves filters that are declared, each once, and nothing that was as it had to be', () => {
    const check = (list: { [key: string]: string[] }[], keys: { key: string; values: string[] }[]) => {
      const given = list.map((one, place) => ({ id: String(place), values: one }));
      const { changed, removed } = cutFilters(given, keys);
      const after = given
        .filter(({ id }) => !removed.includes(id))
        .map((one) => changed.find(({ id }) => id === one.id) ?? one);
      const known = new Map(keys.map(({ key, values: all }) => [key, all]));
      for (const one of after) {
        expect(Object.keys(one.values).length).toBeGreaterThan(0);
        for (const [key, all] of Object.entries(one.values)) {
          expect(all.length).toBeGreaterThan(0);
          for (const value of all) expect(known.get(key)).toContain(value);
        }
      }
      expect(new Set(after.map((one) => canonicalFilter(one.values))).size).toBe(after.length);
      const fits = given.filter(({ values: own }) =>
        Object.entries(own).every(([key, all]) => all.every((value) => known.get(key)?.includes(value))),
      );
      for (const { id } of fits) expect(changed.map((one) => one.id)).not.toContain(id);
      // Cut again, nothing changes.
      expect(cutFilters(after, keys)).toEqual({ changed: [], removed: [] });
      expect(filterMatcher(after, keys)).toBeDefined();
    };
    fc.assert(fc.property(filters, declared, check), { numRuns: 300 });
  });
});
