import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/store/database/database.ts';
import { plainText } from '../billing/vectors/compare.ts';
import type { LifecycleCase } from '../billing/vectors/lifecycle-type.ts';
import { readCases, vectorsFolder } from '../billing/vectors/run.ts';
import { openTestDatabase } from '../support.ts';
import { reportOnLives } from './lifecycle/lifecycle-rest.ts';

// All lives are driven by `npm run test:vectors`; here some of each kind, on the database of the run.

const cases = (readCases(vectorsFolder(), 'lifecycle') ?? []) as LifecycleCase[];
const areas = [...new Set(cases.map(({ area }) => area))];
// The embedded database drives all of them there, and takes several times as long.
const chosen = areas.filter((_, index) => process.env.DATABASE_URL || index % 3 === 0);
const some = chosen.flatMap((area) => cases.filter((one) => one.area === area).slice(0, 1));

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

it('lives go through REST as the vectors say', { timeout: 300_000 }, async () => {
  const report = await reportOnLives(some, db);
  expect(report.differing.map(({ id, expected, actual }) => plainText({ id, expected, actual }))).toEqual([]);
  expect(report.agreeing).toBeGreaterThan(5);
});

it('another figure of a claim is noticed', { timeout: 120_000 }, async () => {
  const claims = JSON.stringify(cases.find(({ id }) => id === 'LC-252'));
  const wrong = JSON.parse(claims.replaceAll('4516129', '4516128').replaceAll('LC-252', 'LC-252 wrong'));
  const report = await reportOnLives([wrong], db);
  expect(report.differing.map(({ id }) => id)).toEqual(['LC-252 wrong']);
});
