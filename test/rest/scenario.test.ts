import { describe, expect, it } from 'vitest';
import { plainText } from '../billing/vectors/compare.ts';
import { readCases, vectorsFolder } from '../billing/vectors/run.ts';
import type { ScenarioJson } from '../billing/vectors/scenario-type.ts';
import { reportOnRest } from './scenario-rest.ts';

const cases = (readCases(vectorsFolder(), 'invoice-scenarios') ?? []) as ScenarioJson[];
const previews = cases.filter(({ action }) => action.type.startsWith('preview'));

describe('previews of the invoice scenarios through REST', () => {
  it('answer what the scenarios expect', { timeout: 300_000 }, async () => {
    const report = await reportOnRest(cases);
    expect(report.differing.map(({ id, expected, actual }) => plainText({ id, expected, actual }))).toEqual([]);
    expect(report.agreeing + report.deviating.length + report.skipped).toBe(previews.length);
  });

  it('notice another total, fee, date, error and subscription', { timeout: 60_000 }, async () => {
    const plain = cases.filter(({ id }) => ['PV-012', 'PV-025', 'PV-005', 'PS-006', 'PS-052'].includes(id));
    const changed = plain.flatMap(({ id, expected, ...rest }) =>
      Object.keys(expected)
        .filter((name) => name !== 'mode' && name !== 'invoice_type')
        .map((name) => ({ ...rest, id: `${id} ${name}`, expected: { ...expected, [name]: wrong(expected[name]) } })),
    );
    const report = await reportOnRest(changed.map((one) => ({ ...one, setup: { ...one.setup, case: one.id } })));
    expect(report.differing.map(({ id }) => id)).toEqual(changed.map(({ id }) => id));
  });
});

function wrong(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `not ${value}`;
  if (Array.isArray(value)) return value.map(wrong);
  if (typeof value !== 'object' || value === null) return 'something else';
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, wrong(member)]));
}
