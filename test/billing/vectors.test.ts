import { describe, expect, it } from 'vitest';
import { plainText } from './vectors/compare.ts';
import { evaluate as evaluateFee } from './vectors/fees.ts';
import { FILES, readCases, reportOn, vectorsFolder } from './vectors/run.ts';

/** Of our own folder every file is there; another one (VECTORS_DIR) may have only some. */
const present = FILES.filter((file) => readCases(vectorsFolder(), file) !== null);

describe('numeric cases', () => {
  it.each(present)('%s: every case agrees or deviates on purpose', async (file) => {
    const cases = readCases(vectorsFolder(), file) ?? [];
    const report = await reportOn(file, cases);
    const differing = report.differing.map(({ id, expected, actual }) => plainText({ id, expected, actual }));
    expect(differing).toEqual([]);
    expect(report.agreeing + report.agreeingInPart + report.deviating.length + report.skipped).toBe(cases.length);
    expect(cases.length).toBeGreaterThan(0);
  });

  it('finds every file of the project; of another folder that is named at least one', () => {
    if (process.env.VECTORS_DIR === undefined) expect(present).toEqual(FILES);
    else expect(present).not.toEqual([]);
  });
});

const declared = [
  { key: 'region', values: ['eu', 'us', 'ap'] },
  { key: 'cloud', values: ['aws', 'gcp'] },
];
const setsCase = (filters: object[], current: string, matching: object, ignored: object[]) => ({
  kind: 'filter_sets',
  input: { declared, filters, current },
  expected: { matching, ignored },
});

describe('rules of deviation', () => {
  it('bills an event of two overlapping filters once, in the oldest', () => {
    const filters = [
      { name: 'a', values: { region: ['eu', 'us'] } },
      { name: 'b', values: { region: ['us', 'ap'] } },
    ];
    const seenFromSecond = setsCase(filters, 'b', { region: ['us', 'ap'] }, [{ region: ['eu'] }]);
    expect(evaluateFee(seenFromSecond)).toMatchObject({ agree: true, deviation: { reason: expect.any(String) } });
  });

  it('bills an event of two unrelated filters once', () => {
    const filters = [
      { name: 'a', values: { region: ['eu'] } },
      { name: 'b', values: { cloud: ['aws'] } },
    ];
    expect(evaluateFee(setsCase(filters, 'b', { cloud: ['aws'] }, []))).toMatchObject({ agree: true, deviation: {} });
  });

  it('explains nothing else: a narrower filter that keeps no events differs', () => {
    const filters = [
      { name: 'wide', values: { region: ['eu', 'us'] } },
      { name: 'narrow', values: { region: ['us'] } },
    ];
    const wrong = setsCase(filters, 'narrow', { region: ['us'] }, [{ region: ['us'] }]);
    expect(evaluateFee(wrong)).toMatchObject({ agree: false });
  });

  it('takes a crash inside a case for a difference', async () => {
    const report = await reportOn('fees', [{ id: 'x', kind: 'no such kind', input: {}, expected: {} }]);
    expect(report.differing.map(({ id }) => id)).toEqual(['x']);
  });
});
