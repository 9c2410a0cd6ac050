import type { Decimal } from '../money/decimal.ts';
import type { GroupedBy } from './grouped-by.ts';
import type { UsageEvent } from './usage.ts';
import { decimalOf, textOf } from './value.ts';

/** What changes of a level add up to, for one combination of the properties that tell levels apart. */
export interface Level {
  readonly properties: GroupedBy;
  /** Null: something happened, but nothing had a number. */
  readonly value: Decimal | null;
}

/**
 * Adds levels of the same properties together, in the order in which they first occur.
 * 5 and 3 of disk a, and 2 of disk b, are 8 of a and 2 of b.
 */
export function addLevels(levels: Iterable<Level>, by: readonly string[]): Level[] {
  const sums = new Map<string, Level>();
  for (const { properties, value } of levels) {
    const key = JSON.stringify(by.map((name) => properties[name] ?? null));
    const before = sums.get(key)?.value ?? null;
    const sum = before === null || value === null ? (before ?? value) : before.plus(value);
    sums.set(key, { properties, value: sum });
  }
  return [...sums.values()];
}

/** The levels that events make up, whose property `field` is a change. */
export function levelsOf(events: Iterable<UsageEvent>, field: string, by: readonly string[]): Level[] {
  return addLevels(changesIn(events, field, by), by);
}

function* changesIn(events: Iterable<UsageEvent>, field: string, by: readonly string[]): Generator<Level> {
  for (const { properties } of events) {
    yield {
      properties: Object.fromEntries(by.map((name) => [name, textOf(properties[name])])),
      value: decimalOf(properties[field]),
    };
  }
}
