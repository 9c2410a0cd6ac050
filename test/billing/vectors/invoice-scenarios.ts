import { agrees, plain } from './scenario-compare.ts';
import { COMPUTE } from './scenario-compute.ts';
import { evaluateTimeline } from './scenario-timeline.ts';
import type { ScenarioJson } from './scenario-type.ts';

export const file = 'invoice-scenarios';

interface Evaluation {
  expected: unknown;
  actual: unknown;
  agree: boolean;
  deviation?: { reason: string };
  skip?: boolean;
}

/** Runs one case of the file on the rules. */
export function evaluate(vectorCase: unknown): Evaluation {
  const scenario = vectorCase as ScenarioJson;
  if (scenario.action.type === 'timeline') return { expected: scenario.expected, ...evaluateTimeline(scenario) };
  const compute = COMPUTE[scenario.action.what ?? ''];
  if (!compute) return { expected: scenario.expected, actual: undefined, agree: false };
  const actual = plain(compute(scenario));
  return { expected: scenario.expected, actual, agree: agrees(scenario.expected, actual) };
}
