import DataLoader from 'dataloader';
import { afterStep } from '../../billing/fee/step.ts';
import { ZERO } from '../../billing/money/decimal.ts';
import type { ExplainedUsage, FeeExplanation } from '../../billing/verify/explain.ts';
import { basisText, stepText, type Told } from '../../billing/verify/step-text.ts';
import { explainFees } from '../../engine/explain/explain-fees.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import { actorOf, type Context } from '../context.ts';
import { type Shown, Step, valuesOf } from './fee-step.ts';

const Basis = builder.enumType('FeeExplanationBasis', {
  description: 'What the explanation of a fee rests on.',
  values: valuesOf({
    computed:
      'The fee was computed again from usage and prices, by the rules that billed it, and came out as it is stored.',
    stored:
      'What it was made from is not there any more, or comes to other figures by now: the steps are what the fee says of itself.',
  }),
});

const Usage = builder.objectRef<ExplainedUsage>('FeeUsage').implement({
  description:
    'The events that a fee bills: what `events` and the list of events of REST are narrowed by to show them.',
  fields: (t) => ({
    externalSubscriptionId: t.exposeString('externalSubscriptionId', {
      description: 'External identifier of their subscription.',
    }),
    code: t.exposeString('code', { description: 'Code of their metric.' }),
    aggregationType: t.field({
      type: enumRef('AggregationType'),
      description: 'How they come to units.',
      resolve: ({ aggregation }) => `${aggregation}_agg` as const,
    }),
    fromDatetime: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The first moment that counts; null where all count since ever.',
      resolve: ({ from }) => (from === null ? null : new Date(from)),
    }),
    toDatetime: t.field({
      type: 'DateTime',
      description: 'The last moment that counts.',
      resolve: ({ to }) => new Date(to),
    }),
    transactionId: t.exposeString('transactionId', {
      nullable: true,
      description: 'The one event that is billed, of a fee of one; null of the others.',
    }),
  }),
});

/** An explanation, with what its prices are in. */
type Explained = FeeExplanation & Told;

function shownSteps(explained: Explained): Shown[] {
  let total = ZERO;
  return explained.steps.map((step) => {
    total = afterStep(total, step);
    return { ...step, total, text: stepText(step, explained) };
  });
}

/** Why a fee comes to its amount. */
export const Explanation = builder.objectRef<Explained>('FeeExplanation').implement({
  description: 'Why a fee comes to its amount: steps that add up to it.',
  fields: (t) => ({
    basis: t.expose('basis', { type: Basis, description: 'What it rests on.' }),
    text: t.string({ description: 'What it rests on, in words.', resolve: basisText }),
    usage: t.field({
      type: Usage,
      nullable: true,
      description: 'The events that are billed; null of what bills none.',
      resolve: ({ usage }) => usage,
    }),
    steps: t.field({
      type: [Step],
      description:
        'In their order. Done one after another from 0, those that are `exact` come to `preciseAmountCents` of the fee, with those that are `rounded` ' +
        'to its `amountCents`, and with the others to what is left of it after credits, with its taxes.',
      resolve: shownSteps,
    }),
  }),
});

const loaders = new WeakMap<Context, DataLoader<string, FeeExplanation | null>>();

/** Why a fee comes to its amount, read together for all fees that an operation shows. */
export async function explanationOf(
  context: Context,
  { id, currency, unit }: { readonly id: string; readonly currency: string; readonly unit: string },
): Promise<Explained | null> {
  const load = async (ids: readonly string[]) => {
    const found = await explainFees(context.db, actorOf(context), ids);
    return ids.map((one) => found.get(one) ?? null);
  };
  const loader = loaders.get(context) ?? new DataLoader(load);
  loaders.set(context, loader);
  const found = await loader.load(id);
  return found && { ...found, currency, unit };
}
