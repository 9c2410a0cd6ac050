import { judge } from './deviations.ts';
import { agrees, plain } from './scenario-compare.ts';
import { COMPUTE } from './scenario-compute.ts';
import { fixedChargeDeltaOf, fixedChargeFeeOf, trueUpOf } from './scenario-fixed-charge.ts';
import { evaluateContext, evaluatePreview, previewCreditsOf, terminationNoteOf } from './scenario-preview.ts';
import { evaluateTimeline } from './scenario-timeline.ts';
import type { ScenarioJson } from './scenario-type.ts';
import type { Evaluation, Json } from './vector-type.ts';

export const file = 'invoice-scenarios';

const COMPUTED = {
  ...COMPUTE,
  preview_credits: previewCreditsOf,
  termination_credit_note: terminationNoteOf,
  fixed_charge_fee: fixedChargeFeeOf,
  fixed_charge_delta: fixedChargeDeltaOf,
  true_up: trueUpOf,
};

/** What a request is shaped like, and what of its customer is shown, is the doors': such cases are sent to REST only. */
function isOfTheDoors({ expected }: ScenarioJson): boolean {
  return (expected.error as Json | undefined)?.status === 400 || Object.keys(expected).join() === 'customer';
}

/** Runs one case of the file on the rules. */
export function evaluate(vectorCase: unknown): Evaluation {
  const scenario = vectorCase as ScenarioJson;
  if (isOfTheDoors(scenario)) return { expected: scenario.expected, actual: null, agree: true, skip: true };
  const { actual, agree } = judged(scenario);
  const difference = { path: [], expected: scenario.expected, actual };
  return judge(file, vectorCase as Json, actual, agree ? [] : [difference]);
}

function judged(scenario: ScenarioJson): { actual: unknown; agree: boolean } {
  const { type, what } = scenario.action;
  if (type === 'timeline') return evaluateTimeline(scenario);
  if (type === 'preview') return evaluatePreview(scenario);
  if (type === 'preview_context') return evaluateContext(scenario);
  const compute = Object.entries(COMPUTED).find(([name]) => name === what)?.[1];
  if (!compute) throw new Error(`no computation ${what}`);
  const actual = plain(compute(scenario));
  return { actual, agree: agrees(scenario.expected, actual) };
}
