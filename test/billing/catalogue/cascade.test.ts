import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CascadedCharge,
  cascadedCharge,
  cascadedFixedCharge,
  filterForChild,
  sameProperties,
} from '../../../src/billing/catalogue/cascade.ts';
import { canonicalFilter } from '../../../src/billing/catalogue/filter.ts';
import { syncFilters } from '../../../src/billing/catalogue/filter-sync.ts';
import type { FilterState } from '../../../src/billing/catalogue/filter-write.ts';
import { dec } from '../../../src/billing/money/decimal.ts';

const charge = (amount: string, more: object = {}, code = 'a'): CascadedCharge => ({
  code,
  model: 'standard',
  properties: { amount, ...more },
});

const filter = (values: Record<string, string[]>, amount = '1'): FilterState => ({
  values,
  canonical: canonicalFilter(values),
  properties: { amount },
  invoiceDisplayName: null,
});

test('properties are the same by the number of their digits, whatever their order', () => {
  expect(sameProperties({ amount: '10' }, { amount: '10.00' })).toBe(true);
  expect(sameProperties({ amount: '10' }, { amount: '10.01' })).toBe(false);
  expect(sameProperties({ rate: '1', fixed_amount: null }, { fixed_amount: undefined, rate: '1.0' })).toBe(true);
  expect(sameProperties({ amount: '1', grouped_by: ['a'] }, { amount: '1', pricing_group_keys: ['a'] })).toBe(true);
  expect(
    sameProperties({ amount: '1', pricing_group_keys: ['a', 'b'] }, { amount: '1', pricing_group_keys: ['b', 'a'] }),
  ).toBe(false);
  const long = (last: string) => ({ amount: `0.${'1'.repeat(58)}${last}` });
  expect(sameProperties(long('1'), long('2'))).toBe(false);
});

test.each<[unknown, unknown, boolean]>([
  ['10', 'ten', false],
  [{ a: 1, b: null }, { a: 1 }, true],
  [{ a: null }, { a: {} }, false],
  [{}, '', false],
  [[], {}, false],
  [['1.0', { b: '2' }], ['1', { b: '2.00' }], true],
])('properties of a custom price, %j and %j, are the same: %s', (one, other, same) => {
  const custom = (value: unknown) => ({ custom_properties: value });
  expect(sameProperties(custom(one), custom(other))).toBe(same);
  expect(sameProperties(custom(other), custom(one))).toBe(same);
});

test('parent 5 to 7: a child at 5.0 becomes 7, one at 4 stays, one under another model is left alone', () => {
  const [before, after] = [charge('5'), charge('7', {}, 'b')];
  expect(cascadedCharge(charge('5.0'), before, after)).toEqual(charge('7', {}, 'b'));
  expect(cascadedCharge(charge('4'), before, after)).toEqual(charge('4', {}, 'b'));
  expect(cascadedCharge(charge('5', {}, 'own'), before, after)).toEqual(charge('7', {}, 'own'));
  const volume = { ...charge('5'), model: 'volume' as const };
  expect(cascadedCharge(volume, before, after)).toBe(volume);
});

test('group keys of a child with its own prices follow unless they are its own too', () => {
  const [before, after] = [charge('5', { pricing_group_keys: ['a'] }), charge('7', { pricing_group_keys: ['b'] })];
  const keysOf = (keys: string[] | undefined) =>
    cascadedCharge(charge('4', keys && { pricing_group_keys: keys }), before, after).properties.pricing_group_keys;
  expect(keysOf(['a'])).toEqual(['b']);
  expect(keysOf(['own'])).toEqual(['own']);
  expect(keysOf(undefined)).toBe(undefined);
  expect(cascadedCharge(charge('4', { pricing_group_keys: ['a'] }), before, charge('7')).properties).toEqual({
    amount: '4',
  });
});

test('done twice is done once', () => {
  const amount = fc.constantFrom('1', '1.0', '2', '3');
  const keys = fc.constantFrom({}, { pricing_group_keys: ['a'] }, { pricing_group_keys: ['b'] });
  const any = fc
    .record({ amount, keys, code: fc.constantFrom('a', 'b') })
    .map(({ amount: text, keys: more, code }) => charge(text, more, code));
  fc.assert(
    fc.property(any, any, any, (child, before, after) => {
      const once = cascadedCharge(child, before, after);
      expect(cascadedCharge(once, after, after)).toEqual(once);
    }),
  );
});

test('units and prices of a fixed charge go together', () => {
  const of = (units: string, amount: string) => ({ ...charge(amount), units: dec(units) });
  const [before, after] = [of('3', '10'), of('4', '11')];
  expect(cascadedFixedCharge(of('3.0', '10.0'), before, after)).toEqual(after);
  expect(cascadedFixedCharge(of('7', '10'), before, after)).toEqual(of('7', '10'));
  expect(cascadedFixedCharge(of('3', '9'), before, after)).toEqual(of('3', '9'));
});

test('a filter for a child has the values its metric knows', () => {
  const declared = [{ key: 'region', values: ['eu'] }];
  expect(filterForChild(filter({ region: ['eu', 'us'] }), declared)?.values).toEqual({ region: ['eu'] });
  expect(filterForChild(filter({ region: ['us'] }), declared)).toBe(null);
  expect(filterForChild(filter({ region: ['__ALL_FILTER_VALUES__'] }), declared)?.values).toEqual({
    region: ['__ALL_FILTER_VALUES__'],
  });
  expect(filterForChild(filter({ planet: ['__ALL_FILTER_VALUES__'] }), declared)).toBe(null);
});

test('filters are matched by their values: kept, created, removed', () => {
  const stored = [filter({ r: ['eu'] }), filter({ r: ['us', 'uk'], t: ['x'] })].map((one, at) => ({
    ...one,
    id: String(at),
  }));
  const { kept, created, removed } = syncFilters(stored, [
    filter({ t: ['x'], r: ['uk', 'us'] }, '2'),
    filter({ r: ['eu', 'uk'] }),
  ]);
  expect(kept.map(({ stored: old, wanted }) => [old.id, wanted.properties.amount])).toEqual([['1', '2']]);
  expect(created.map(({ values }) => values)).toEqual([{ r: ['eu', 'uk'] }]);
  expect(removed.map(({ id }) => id)).toEqual(['0']);
});
