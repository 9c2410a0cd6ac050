import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AggregationType } from '../../../src/store/generated/prisma/enums.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const NOW = new Date('2026-05-20T12:00:00Z');

const METRICS = [
  { code: 'sum', aggregation_type: 'sum_agg', field_name: 'n' },
  { code: 'seats', aggregation_type: 'unique_count_agg', field_name: 'n', recurring: true },
  { code: 'count', aggregation_type: 'count_agg' },
  { code: 'long', aggregation_type: 'max_agg', field_name: 'n'.repeat(64) },
];
const LONG = 'x'.repeat(101);
// The list is last: the contract of pushed events has none.
const PROPERTIES: readonly object[] = [
  { n: 5 },
  { n: '1.50' },
  { n: 'many', operation_type: 'remove' },
  {},
  { n: LONG },
  { n: ['a'] },
];
const CODES = [...METRICS.map(({ code }) => code), 'unknown'];

const NOT_MEASURED = ['count', 'long', 'unknown'].map((code): [string, [string, null[], null[]]] => [
  code,
  ['', Array(6).fill(null), Array(6).fill(null)],
]);

/** What is measured of every code's events, in the order of the properties. */
const EXPECTED: Record<string, [by: string, values: (string | null)[], texts: (string | null)[]]> = {
  sum: ['=n', ['5', '1.50', null, null, null, null], Array(6).fill(null)],
  seats: ['#n', Array(6).fill(null), ['+=5', '+=1.50', '-=many', '+', null, null]],
  ...Object.fromEntries(NOT_MEASURED),
};

const sent = (prefix: string, list = PROPERTIES) =>
  CODES.flatMap((code) =>
    list.map((properties, at) => ({
      ...{ transaction_id: `${prefix}-${code}-${at}`, external_subscription_id: prefix, code, properties },
    })),
  );

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ now: () => NOW });
  await importDocument(
    test.db,
    { billable_metrics: METRICS, events: sent('imported') },
    { organization: 'measured', now: NOW },
  );
});
afterAll(() => test?.close());

/** What is measured of the events of a subscription, of each code one a list of properties. */
async function measured(subscription: string, length: number) {
  const rows = await test.db.prisma.$queryRaw<
    { code: string; by: string; value: string | null; text: string | null }[]
  >`
    SELECT code, measured_by AS by, measured_value::text AS value, measured_text AS text FROM events
    WHERE external_subscription_id = ${subscription} ORDER BY transaction_id`;
  return Object.fromEntries(
    CODES.map((code) => {
      const own = rows.filter((row) => row.code === code);
      expect(own).toHaveLength(length);
      return [code, [own[0]?.by, own.map(({ value }) => value), own.map(({ text }) => text)]];
    }),
  );
}

it('what a metric measures stands beside the properties of imported events', async () => {
  expect(await measured('imported', PROPERTIES.length)).toEqual(EXPECTED);
});

it('and of those that are pushed; of whose metric does not exist yet nothing does', async () => {
  await test.db.prisma.billableMetric.createMany({
    data: METRICS.map(({ code, aggregation_type, field_name }) => ({
      ...{ organizationId: test.organizationId, code, name: code, fieldName: field_name ?? null },
      aggregationType: aggregation_type as AggregationType,
    })),
  });
  const { status } = await test.rest('POST', '/events/batch', { events: sent('pushed', PROPERTIES.slice(0, -1)) });
  expect(status).toBe(200);
  const without = Object.entries(EXPECTED).map(([code, [by, values, texts]]) => [
    code,
    [by, values.slice(0, -1), texts.slice(0, -1)],
  ]);
  expect(await measured('pushed', PROPERTIES.length - 1)).toEqual(Object.fromEntries(without));
});
