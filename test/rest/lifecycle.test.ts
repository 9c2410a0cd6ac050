import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/store/database/database.ts';
import { plainText } from '../billing/vectors/compare.ts';
import { evaluate } from '../billing/vectors/lifecycle.ts';
import type { LifecycleCase } from '../billing/vectors/lifecycle-type.ts';
import { readCases, vectorsFolder } from '../billing/vectors/run.ts';
import { openTestDatabase } from '../support.ts';
import { reportOnLives } from './lifecycle/lifecycle-rest.ts';
import { OWN_LIVES } from './lifecycle/own-life.ts';

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

describe.each(OWN_LIVES)('of the life "$life.id"', ({ life, wrong, unread }) => {
  it('every claim is read that can be', async () => {
    const report = await reportOnLives([life], db);
    expect(report.differing.map(({ expected, actual }) => plainText({ expected, actual }))).toEqual([]);
    expect(Object.keys(report.unread).sort()).toEqual([...unread].sort());
    expect(report.skippedBy).toEqual({});
    expect([report.agreeing, report.agreeingInPart]).toEqual(unread.length > 0 ? [0, 1] : [1, 0]);
  });

  it('another value of each is told', { timeout: 120_000 }, async () => {
    const others = wrong.slice(0, process.env.DATABASE_URL ? undefined : 1).map(([right, other], index) => {
      const text = JSON.stringify(life);
      expect(text).toContain(right);
      return { ...JSON.parse(text.replace(right, () => other)), id: `${life.id} ${index}` };
    });
    const report = await reportOnLives(others, db);
    // By a claim that differs, not by a life that breaks off.
    const told = report.differing.filter(({ expected }) => !plainText(expected).includes('"done"'));
    expect(told.map(({ id }) => id)).toEqual(others.map(({ id }) => id));
  });
});

it.each(OWN_LIVES.filter(({ life: { id } }) => id === 'filters' || id === 'drafts'))(
  'the rules read the life "$life.id", and tell another value',
  async ({ life, wrong }) => {
    const { agree, skipped, unread } = await evaluate(life);
    expect([agree, skipped]).toEqual([true, undefined]);
    const read = wrong.filter(([right]) => !unread?.some((claim) => right.includes(claim.replace('counts of ', ''))));
    expect(read.length).toBeGreaterThan(2);
    for (const [right, other] of read) {
      const changed = JSON.parse(JSON.stringify(life).replace(right, () => other));
      expect([right, (await evaluate(changed)).agree]).toEqual([right, false]);
    }
  },
);
