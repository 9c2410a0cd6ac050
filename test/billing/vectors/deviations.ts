import { Decimal } from '../../../src/billing/money/decimal.ts';
import { differences } from './compare.ts';
import { INVOICE_DEVIATIONS } from './invoice-deviations.ts';
import { agrees } from './scenario-compare.ts';
import type { Difference, Evaluation, Json, Rounding } from './vector-type.ts';

/** What a rule is asked: one difference of one case, and what the evaluator knows beyond the two values. */
interface Question {
  readonly vectorCase: Json;
  readonly difference: Difference;
  readonly facts: Json;
}

interface Rule {
  readonly file: string;
  readonly name: string;
  readonly reason: string;
  readonly applies: (question: Question) => boolean;
}

const STEP = new Decimal('0.00001');

/** Reference = ours + 0.00001, and ours is exact: nothing was rounded to get it. */
function isCeiledNoise({ difference, vectorCase, facts }: Question): boolean {
  const field = difference.path.at(-1);
  if (vectorCase.prorated !== true || (field !== 'units' && field !== 'pay_in_advance_units')) return false;
  const ours = new Decimal(String(difference.actual));
  return (
    new Decimal(String(difference.expected)).minus(ours).eq(STEP) &&
    Array.isArray(facts.exactUnits) &&
    facts.exactUnits.includes(ours.toFixed())
  );
}

/** The one table of values that differ from the cases on purpose. Rules, so that further cases of a kind are covered. */
export const DEVIATIONS: readonly Rule[] = [
  {
    file: 'aggregations',
    name: 'proration is exact',
    reason:
      'the case multiplies a ratio of twenty digits, so an exact result like 7 is rounded up to 7.00001; ours multiplies first and divides once',
    applies: isCeiledNoise,
  },
  {
    file: 'charge-models',
    name: 'a volume without a range has a price',
    reason:
      'the case fails where no range fits; ours prices negative units as none and takes the next range up below the first range and in a hole',
    applies: ({ vectorCase, difference }) =>
      vectorCase.model === 'volume' && vectorCase.advisory === true && difference.path[0] === 'error',
  },
  {
    file: 'charge-models',
    name: 'decimal bounds have a price',
    reason:
      'the case fails on a decimal bound of a graduated percentage; ours begins the range where the one before ends',
    applies: ({ vectorCase, difference }) =>
      vectorCase.model === 'graduated_percentage' && vectorCase.advisory === true && difference.path[0] === 'error',
  },
  {
    file: 'fees',
    name: 'every event is in one bucket',
    reason:
      'the case bills an event in two buckets where filters overlap without one being narrower; ours bills it once, with most keys, then the oldest filter',
    applies: ({ vectorCase, facts }) => vectorCase.kind === 'filter_sets' && facts.billedTwice === true,
  },
  {
    file: 'fees',
    name: 'in advance and in arrears choose the same filter',
    reason:
      'the case takes the first listed of two filters with the same keys; ours takes the narrower one, as in arrears, so both bill alike',
    applies: ({ vectorCase, facts }) => vectorCase.kind === 'filter_match' && facts.narrowerWins === true,
  },
  {
    file: 'lifecycle',
    name: 'a period without usage has bounds',
    reason:
      'the case has no bounds of usage in the periods of a last invoice; the contract has no null there, and shows its moment',
    applies: ({ difference }) => agrees(withoutNone(difference.expected), difference.actual),
  },
  ...INVOICE_DEVIATIONS,
];

/** What is expected without the bounds of usage that are none. */
function withoutNone(expected: unknown): unknown {
  if (Array.isArray(expected)) return expected.map(withoutNone);
  if (typeof expected !== 'object' || expected === null) return expected;
  const members = Object.entries(expected).filter(
    ([name, value]) => value !== null || !/^charges_(from|to)_/.test(name),
  );
  return Object.fromEntries(members.map(([name, value]) => [name, withoutNone(value)]));
}

/** Judges a case: it agrees, or every difference is explained by a rule of the table, or it differs. */
export function judge(
  file: string,
  vectorCase: Json,
  actual: unknown,
  found: readonly Difference[],
  facts: Json = {},
): Evaluation {
  const expected = vectorCase.expected;
  if (found.length === 0) return { expected, actual, agree: true };
  const rules = found.map((difference) =>
    DEVIATIONS.find((rule) => rule.file === file && rule.applies({ vectorCase, difference, facts })),
  );
  const reasons = [...new Set(rules.map((rule) => rule?.reason))];
  if (reasons.some((reason) => reason === undefined)) return { expected, actual, agree: false };
  return { expected, actual, agree: true, deviation: { reason: reasons.join('; ') } };
}

/** The plain judgement of a case whose expected members are compared one by one. */
export function judgePlain(file: string, vectorCase: Json, actual: Json, facts: Json = {}): Evaluation {
  const rounding = (vectorCase.compare_after_rounding ?? {}) as Rounding;
  return judge(file, vectorCase, actual, differences(vectorCase.expected, actual, rounding), facts);
}
