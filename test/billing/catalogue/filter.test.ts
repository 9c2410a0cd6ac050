import { describe, expect, it } from 'vitest';
import { filterMatcher, type MatchableFilter } from '../../../src/billing/catalogue/filter.ts';

const DECLARED = [{ key: 'cloud', values: ['aws', 'a', 'b', 'c'] }];
/** A filter that an event of aws matches, as every other of these; none is narrower than another. */
const filter = (id: string, createdAt?: number): MatchableFilter => ({
  id,
  values: { cloud: ['aws', id] },
  createdAt,
});
const chosen = (...filters: MatchableFilter[]) => filterMatcher(filters, DECLARED)({ cloud: 'aws' })?.id;

describe('of filters that match equally (pricing 6)', () => {
  it('the oldest is chosen, whatever their order', () => {
    expect(chosen(filter('b', 5), filter('a', 9), filter('c', 7))).toBe('b');
    expect(chosen(filter('a', 9), filter('c', 7), filter('b', 5))).toBe('b');
  });

  it('those of one moment go by id', () => {
    expect(chosen(filter('b', 5), filter('a', 5))).toBe('a');
    expect(chosen(filter('a', 5), filter('b', 5))).toBe('a');
    expect(chosen(filter('c', 5), filter('b', 5), filter('a', 5))).toBe('a');
    expect(chosen(filter('b', 5), filter('c', 5), filter('a', 5))).toBe('a');
  });

  it('the order of the list stands where one has no moment', () => {
    expect(chosen(filter('b', 5), filter('a', 1), filter('c'))).toBe('b');
    expect(chosen(filter('c'), filter('a', 1), filter('b', 5))).toBe('c');
    expect(chosen(filter('b'), filter('a'))).toBe('b');
  });
});
