import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import type { Database } from '../../../src/store/database/database.ts';
import type { UsageReader } from '../../../src/store/usage/event-store.ts';
import type { AggregationCase } from '../../billing/vectors/aggregations.ts';
import { plainText } from '../../billing/vectors/compare.ts';
import { readCases, vectorsFolder } from '../../billing/vectors/run.ts';
import type { Evaluation, Json } from '../../billing/vectors/vector-type.ts';
import { openTestDatabase } from '../../support.ts';
import { billStored, storeCases } from './bill-stored.ts';
import { judgeAggregation, storedAggregation, UNSEEN, untellable } from './stored-aggregation.ts';
import type { StoredCase } from './stored-case.ts';
import { type FeeCase, judgeFees, storedFeeCase, USAGE_KINDS, untellableFees } from './stored-fee.ts';

const own = process.env.VECTORS_DIR === undefined;
const aggregations = (readCases(vectorsFolder(), 'aggregations') ?? []) as AggregationCase[];
const fees = ((readCases(vectorsFolder(), 'fees') ?? []) as FeeCase[]).filter(({ kind }) => USAGE_KINDS.includes(kind));

/** How many cases each reason leaves out; the rest is told. */
function tally<T>(cases: readonly T[], reasonOf: (known: T) => string | null): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const known of cases) {
    const reason = reasonOf(known) ?? 'told';
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

/** The names that claims have, in groups too. */
function namesOf(claims: unknown): string[] {
  if (Array.isArray(claims)) return claims.flatMap(namesOf);
  if (typeof claims !== 'object' || claims === null) return [];
  return Object.entries(claims).flatMap(([name, value]) => [name, ...namesOf(value)]);
}

/** Folds events one by one where a preview has the database add them up. */
const folding = (reader: UsageReader): UsageReader => ({ ...reader, mostAtOnce: 0 });

const spoilt = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...value, { units: '987654321' }];
  return typeof value === 'number' ? value + 1 : '987654321';
};

describe('usage cases as stored data', () => {
  let db: Database;
  beforeAll(async () => {
    db = await openTestDatabase();
  });
  afterAll(() => db.close());

  /** Stores all cases, bills each, and judges it as it is and with every claim spoilt. */
  async function judged<T extends Json & { readonly expected: Json }>(
    told: readonly T[],
    storedOf: (known: T) => StoredCase,
    judge: (known: T, billed: readonly InvoiceFee[]) => Evaluation,
  ): Promise<{ differing: string[]; unnoticed: string[] }> {
    const client = await storeCases(db, told.map(storedOf));
    const [differing, unnoticed]: [string[], string[]] = [[], []];
    for (const known of told) {
      const billed = await billStored(client, storedOf(known));
      const { agree, expected, actual } = judge(known, billed);
      if (!agree) differing.push(plainText({ id: known.id, title: known.title, expected, actual }));
      const folded = await billStored(client, storedOf(known), folding);
      if (plainText(folded) !== plainText(billed)) differing.push(plainText({ id: known.id, billed, folded }));
      for (const [name, value] of Object.entries(known.expected)) {
        const changed = { ...known, expected: { ...known.expected, [name]: spoilt(value) } };
        if (!UNSEEN.includes(name) && judge(changed, billed).agree) unnoticed.push(`${known.id} ${name}`);
      }
    }
    return { differing, unnoticed };
  }

  it('an invoice has the units, amounts and groups of the aggregations', { timeout: 180_000 }, async () => {
    const told = aggregations.filter((known) => untellable(known) === null);
    expect(await judged(told, storedAggregation, judgeAggregation)).toEqual({ differing: [], unnoticed: [] });
    expect(told.length).toBeGreaterThan(0);
  });

  it('an invoice has the fees of the fee cases', { timeout: 180_000 }, async () => {
    const told = fees.filter((known) => untellableFees(known) === null);
    expect(await judged(told, storedFeeCase, judgeFees)).toEqual({ differing: [], unnoticed: [] });
    expect(told.length).toBeGreaterThan(0);
  });
});

describe.runIf(own)('cases that stored data cannot tell', () => {
  it('are left out for these reasons', () => {
    expect({ aggregations: tally(aggregations, untellable), fees: tally(fees, untellableFees) }).toEqual({
      aggregations: {
        told: 159,
        'no fee shows what it claims': 11,
        'a running total is made up from the events, never stored': 8,
        'days alone are no usage': 8,
        'current usage is not billed': 4,
        'a transaction is stored once': 1,
      },
      fees: { told: 46, 'current usage is not billed': 3 },
    });
  });

  it('and these claims are shown by no fee', () => {
    const claims = aggregations
      .filter((known) => untellable(known) === null)
      .flatMap(({ expected }) => namesOf(expected));
    expect(
      tally(
        claims.filter((name) => UNSEEN.includes(name)),
        String,
      ),
    ).toEqual({
      ...{ running_total: 10, variation: 14, raw_last_value: 1 },
      ...{ recurring_updated_at: 4, units_before_ceil: 6, current_usage_units: 1 },
      ...{ new_current_aggregation: 2, new_max_aggregation: 2, units_applied: 2 },
      pay_in_advance_precise_total_amount_cents: 1,
    });
  });
});
