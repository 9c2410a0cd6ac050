import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseInstant } from '../instant.ts';
import { correctSplit, evaluate, termsOf } from './vectors/periods.ts';

type KnownCase = Parameters<typeof correctSplit>[0] & {
  id: string;
  kind: string;
  known_flaw?: boolean;
  quirk?: object;
};
const cases: KnownCase[] = JSON.parse(readFileSync(new URL('../vectors/periods.json', import.meta.url), 'utf8'));

describe('periods.json', () => {
  it.each(['boundaries', 'billing_days', 'day_count'])('agrees on every case of kind %s', (kind) => {
    const ofKind = cases.filter((known) => known.kind === kind);
    expect(ofKind.length).toBeGreaterThan(0);
    for (const known of ofKind) {
      const { expected, actual, agree } = evaluate(known);
      expect.soft({ id: known.id, agree }, JSON.stringify({ expected, actual })).toEqual({ id: known.id, agree: true });
    }
  });

  it('deviates by rule only where a case is marked as a flaw or a quirk', () => {
    const deviating = cases.filter((known) => evaluate(known).deviation).map((known) => known.id);
    expect(deviating).toEqual(cases.filter((known) => known.known_flaw || known.quirk).map((known) => known.id));
  });

  it('derives the suggested values of a flaw, and the right next period of a quirk, without being told', () => {
    for (const known of cases.filter((other) => other.known_flaw)) {
      const { suggested, ...untold } = known;
      const at = parseInstant(known.input.billing_at);
      expect.soft(correctSplit(untold, termsOf(known.input), at, 'billing'), known.id).toEqual(suggested);
      expect.soft(evaluate({ ...untold, known_flaw: undefined }).agree, known.id).toBe(true);
    }
    for (const { quirk, ...untold } of cases.filter((other) => other.quirk)) {
      expect.soft(evaluate(untold), untold.id).toMatchObject({ agree: true, deviation: {} });
    }
  });

  it('notices a wrong value', () => {
    const [known] = cases;
    expect(evaluate({ ...known, expected: { ...known?.expected, charges_duration_in_days: 27 } }).agree).toBe(false);
    expect(() => evaluate({ kind: 'other' })).toThrow(/unknown kind/);
  });
});
