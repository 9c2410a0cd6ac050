import { expect, test } from 'vitest';
import { writtenFilter } from '../../../src/billing/catalogue/filter-write.ts';
import { writtenProperties } from '../../../src/billing/catalogue/property-write.ts';
import type { BillingError } from '../../../src/billing/errors.ts';
import type { PeriodTerms } from '../../../src/billing/period/terms.ts';
import { unitsEffectiveAt } from '../../../src/billing/subscription/units-change.ts';

const target = { model: 'standard', owner: 'charge', aggregation: 'count' } as const;

test('the members of the model, in the digits of the caller', () => {
  expect(writtenProperties({ amount: '0.10', rate: '5' }, target)).toEqual({
    properties: { amount: '0.10' },
    errors: [],
  });
});

test.each([
  ['1e3', '1000'],
  ['+5', '5'],
  [' 0.50 ', '0.5'],
  ['1E-9', '0.000000001'],
])('an amount of %j is stored as %s', (amount, plain) => {
  expect(writtenProperties({ amount }, target).properties).toEqual({ amount: plain });
});

test('ranges have their members alone, and an open end', () => {
  const range = { from_value: 0, per_unit_amount: '1.0', flat_amount: '2e0', extra: 1 };
  const { properties, errors } = writtenProperties({ volume_ranges: [range] }, { ...target, model: 'volume' });
  expect([errors, properties]).toEqual([
    [],
    { volume_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '1.0', flat_amount: '2' }] },
  ]);
});

test.each<[string, unknown, string]>([
  ['a list', [], 'value_is_invalid'],
  ['null', null, 'value_is_invalid'],
  ['a bigint', { amount: 1n }, 'value_is_out_of_range'],
  ['an integer past 2^53', { amount: '1', package_size: 2 ** 60 }, 'value_is_out_of_range'],
  ['a bigint in a range', { volume_ranges: [{ from_value: 9007199254740993n }] }, 'value_is_out_of_range'],
])('%s is refused', (_name, sent, code) => {
  expect(writtenProperties(sent, target).errors).toEqual([code]);
});

test('a fixed charge needs properties', () => {
  const fixed = { model: 'standard', owner: 'fixed_charge', aggregation: null } as const;
  expect(writtenProperties({}, fixed).errors).toEqual(['value_is_mandatory']);
});

test('values that no index could hold are refused, those of a long list are not', () => {
  const named = (count: number) => Array.from({ length: count }, (_, at) => `value-${at}`);
  const write = (count: number) =>
    writtenFilter(
      { values: { key: named(count) }, properties: { amount: '1' } },
      { model: 'standard', metric: { aggregation: 'count', filters: [{ key: 'key', values: named(500) }] } },
    );
  expect(write(200).values.key).toHaveLength(200);
  let refused: unknown;
  try {
    write(300);
  } catch (error) {
    refused = (error as BillingError).details;
  }
  expect(refused).toEqual({ values: ['value_is_too_long'] });
});

test('units change with the next period of fixed charges, or at once', () => {
  const at = (text: string) => Date.parse(text);
  const terms: PeriodTerms = {
    ...{ interval: 'yearly', billingTime: 'calendar', payInAdvance: false, amountCents: 0n, zone: 'Europe/Paris' },
    ...{ billChargesMonthly: false, billFixedChargesMonthly: false, terminatedAt: null, successor: 'none' },
    ...{ subscriptionAt: at('2026-01-01T00:00:00Z'), startedAt: at('2026-01-01T00:00:00Z'), lastInvoice: null },
  };
  const now = at('2026-06-15T12:00:00Z');
  expect(unitsEffectiveAt(terms, now, true)).toBe(now);
  expect(unitsEffectiveAt(terms, now, false)).toBe(at('2026-12-31T23:00:00Z'));
  const monthly = { ...terms, billFixedChargesMonthly: true };
  expect(unitsEffectiveAt(monthly, now, false)).toBe(at('2026-06-30T22:00:00Z'));
  // Usage by the month leaves fixed charges to the year.
  expect(unitsEffectiveAt({ ...terms, billChargesMonthly: true }, now, false)).toBe(at('2026-12-31T23:00:00Z'));
});
