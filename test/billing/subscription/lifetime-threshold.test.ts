import { describe, expect, it } from 'vitest';
import { thresholdProgress } from '../../../src/billing/subscription/lifetime-threshold.ts';

const threshold = (id: string, amountCents: bigint, recurring = false) => ({ id, amountCents, recurring });
const progress = (
  thresholds: readonly ReturnType<typeof threshold>[],
  total: bigint,
  reached: Parameters<typeof thresholdProgress>[2] = [],
) =>
  thresholdProgress(thresholds, total, reached).map(({ amountCents, ratio }) => [
    Number(amountCents),
    ratio.toNumber(),
  ]);

describe('progress towards thresholds', () => {
  const [one, two] = [threshold('a', 100n), threshold('b', 200n)];
  const recurring = threshold('r', 50n, true);

  it.each([
    [[one], 23n, [[100, 0.23]]],
    [
      [one, two],
      120n,
      [
        [100, 1],
        [200, 0.2],
      ],
    ],
    [
      [two, one],
      223n,
      [
        [100, 1],
        [200, 1],
      ],
    ],
    [
      [one, two],
      23n,
      [
        [100, 0.23],
        [200, 0],
      ],
    ],
    [[one], 100n, [[100, 1]]],
    [[one], 0n, [[100, 0]]],
    [[], 500n, []],
    [
      [one, recurring],
      40n,
      [
        [100, 0.4],
        [150, 0],
      ],
    ],
    [
      [one, recurring],
      225n,
      [
        [100, 1],
        [150, 1],
        [200, 1],
        [250, 0.5],
      ],
    ],
    [
      [one, recurring],
      200n,
      [
        [100, 1],
        [150, 1],
        [200, 1],
        [250, 0],
      ],
    ],
    [
      [recurring],
      75n,
      [
        [50, 1],
        [100, 0.5],
      ],
    ],
  ])('case %#', (thresholds, total, expected) => {
    expect(progress(thresholds, total)).toEqual(expected);
  });

  it('is bounded, however often a recurring threshold was passed', () => {
    const all = progress([threshold('r', 1n, true)], 1_000_000_000n);
    expect(all).toHaveLength(101);
    expect(all.at(-1)).toEqual([1_000_000_001, 0]);
  });

  it('tells when each was reached: a recurring one each time', () => {
    const reached = [
      { thresholdId: 'a', usageCents: 120n, at: 1 },
      { thresholdId: 'r', usageCents: 160n, at: 2 },
      { thresholdId: 'r', usageCents: 210n, at: 3 },
    ];
    expect(thresholdProgress([one, recurring], 225n, reached).map(({ reachedAt }) => reachedAt)).toEqual([
      1,
      2,
      3,
      null,
    ]);
  });
});
