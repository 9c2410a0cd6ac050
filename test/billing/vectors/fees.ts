import { differences, setDifferences } from './compare.ts';
import { judge, judgePlain } from './deviations.ts';
import { filterMatchView, filterSetsView } from './fee-filter.ts';
import { FEE_KINDS } from './fee-kind.ts';
import type { Difference, Evaluation, Json, Rounding } from './vector-type.ts';

export const file = 'fees';

interface FeeCase extends Json {
  readonly kind: string;
  readonly input: Json;
  readonly expected: Json;
}

/** Fees are a set, of which a case may list only some; the number of them and their total are listed apart. */
function judgeFees(known: FeeCase, actual: Json): Evaluation {
  const rounding = (known.compare_after_rounding ?? {}) as Rounding;
  const { fees: wanted, ...rest } = known.expected;
  const ours = actual.fees as readonly unknown[];
  const found: Difference[] = [...differences(rest, actual, rounding)];
  if (Array.isArray(wanted)) found.push(...setDifferences(wanted, ours, rounding, ['fees']));
  return judge(file, known, actual, found);
}

export function evaluate(vectorCase: unknown): Evaluation {
  const known = vectorCase as FeeCase;
  if (known.kind === 'filter_sets') {
    const { view, facts, found } = filterSetsView(known.input, known.expected);
    return judge(file, known, view, found, facts);
  }
  if (known.kind === 'filter_match') {
    const { view, facts } = filterMatchView(known.input);
    return judgePlain(file, known, view, facts);
  }
  const view = FEE_KINDS[known.kind];
  if (view === undefined) throw new Error(`no evaluator for the kind ${known.kind}`);
  const actual = view(known.input);
  return known.kind === 'charge_fees' ? judgeFees(known, actual) : judgePlain(file, known, actual);
}
