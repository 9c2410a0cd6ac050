import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../src/store/access/api-key.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { createTestApp, openDemoDatabase, type TestApp } from '../../support.ts';

let db: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  const demo = await openDemoDatabase();
  db = demo.db;
  app = await createTestApp({ db });
  key = (await createKey(db.prisma, { organizationId: demo.organizations[0] ?? '', kind: 'secret' })).key;
}, 120_000);
afterAll(async () => {
  await app?.close();
  await db?.close();
});

const RANGE = 'fromValue toValue units perUnitTotalAmount flatUnitAmount totalWithFlatAmount';
const BREAKDOWN = `amountBreakdown {
  __typename
  ... on GraduatedBreakdown { graduated: ranges { ${RANGE} perUnitAmount } }
  ... on GraduatedPercentageBreakdown { percentages: ranges { ${RANGE} rate } }
  ... on VolumeBreakdown { perUnitAmount perUnitTotalAmount flatUnitAmount }
  ... on PackageBreakdown { freeUnits paidUnits perPackageSize perPackageUnitAmount }
  ... on PercentageBreakdown { units freeUnits paidUnits freeEvents paidEvents rate perUnitTotalAmount
    fixedFeeUnitAmount fixedFeeTotalAmount minMaxAdjustmentTotalAmount }
  ... on PlanBreakdown { planAmountCents }
}`;
const FEES = `query ($after: String) { fees(first: 100, after: $after) {
  pageInfo { hasNextPage endCursor }
  nodes { amountDetails presentationBreakdowns ${BREAKDOWN} presentedUnits { presentationBy { key value } units }
    item { filters groupedBy filterValues { key values } groupValues { key value } } }
} }`;

const NESTED: Readonly<Record<string, string>> = {
  graduated: 'graduated_ranges',
  percentages: 'graduated_percentage_ranges',
};
const snake = (name: string) => NESTED[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A typed value with the names of the JSON, its numbers as numbers where both are none of text. */
function untyped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(untyped);
  if (typeof value !== 'object' || value === null) return value === null ? null : Number(value);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '__typename')
      .map(([name, one]) => [snake(name), untyped(one)]),
  );
}

describe('what JSON tells of a fee is typed as well', () => {
  it('for each fee of the demo', async () => {
    const kinds = new Set<string>();
    let groups = 0;
    for (let after: string | null = null, more = true; more; ) {
      const { data, errors } = await app.graphql(FEES, { after }, key);
      expect(errors).toBeUndefined();
      for (const { amountDetails, amountBreakdown, item, presentedUnits, presentationBreakdowns } of data.fees.nodes) {
        if (amountBreakdown === null)
          expect(Object.keys(amountDetails).filter((name) => amountDetails[name] !== null)).toEqual([]);
        else {
          kinds.add(amountBreakdown.__typename);
          const { plan_amount_cents, ...other } = amountDetails;
          const told = amountBreakdown.__typename === 'PlanBreakdown' ? { plan_amount_cents } : other;
          expect(untyped(amountBreakdown)).toEqual(untyped(told));
        }
        const asObject = (pairs: { key: string; value: unknown }[]) =>
          Object.fromEntries(pairs.map((pair) => [pair.key, pair.value]));
        groups += item.groupValues.length;
        expect(asObject(item.groupValues)).toEqual(item.groupedBy);
        expect(
          item.filterValues &&
            Object.fromEntries(
              item.filterValues.map((one: { key: string; values: string[] }) => [one.key, one.values]),
            ),
        ).toEqual(item.filters);
        expect(
          presentedUnits.map((one: { presentationBy: []; units: string }) => ({
            presentation_by: asObject(one.presentationBy),
            units: one.units,
          })),
        ).toEqual(presentationBreakdowns);
      }
      ({ hasNextPage: more, endCursor: after } = data.fees.pageInfo);
    }
    expect([...kinds].sort()).toEqual([
      ...['GraduatedBreakdown', 'GraduatedPercentageBreakdown', 'PackageBreakdown'],
      ...['PercentageBreakdown', 'PlanBreakdown', 'VolumeBreakdown'],
    ]);
    expect(groups).toBeGreaterThan(0);
  });
});
