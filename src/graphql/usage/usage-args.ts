import type { UsageSelection } from '../../billing/report/usage-selection.ts';
import { builder } from '../base/builder.ts';
import { pageArgs } from '../list/node.ts';
import type { UsageQuestion } from './usage-loader.ts';

const UsageGroupInput = builder.inputType('UsageGroupInput', {
  description: 'A property of events with the values that are meant.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'Name of the property.' }),
    values: t.stringList({ required: true, description: 'Its values, of which events have one.' }),
  }),
});

const UsageFilter = builder.inputType('UsageFilter', {
  description: 'Which usage is meant.',
  fields: (t) => ({
    svcChargeId: t.field({ type: 'UUID', description: 'Only usage of the charge with this identifier.' }),
    chargeCode: t.string({ description: 'Only usage of the charge with this code, where no identifier is given.' }),
    billableMetricCode: t.string({
      description: 'Only usage of charges on the metric with this code, where no charge is named.',
    }),
    groups: t.field({
      type: [UsageGroupInput],
      description:
        'Only events with these values. Usage is grouped by these properties too, and each group is priced by itself.',
    }),
    presentationKeys: t.stringList({
      description: 'Of the keys that units are presented by, only these; all of them without it.',
    }),
  }),
});

const filterArg = builder.args((t) => ({
  filter: t.field({ type: UsageFilter, description: 'Which usage is meant.' }),
}));

const shownArgs = builder.args((t) => ({
  applyTaxes: t.boolean({ defaultValue: true, description: 'Whether taxes are reckoned.' }),
  skipGrouping: t.boolean({
    defaultValue: false,
    description: 'Whether pricing groups are left aside: usage of all groups is priced together.',
  }),
}));

const wholeArg = builder.args((t) => ({
  fullUsage: t.boolean({
    defaultValue: false,
    description:
      'Whether usage since the start of the subscription is meant instead of that of the period: where charges or groups are named, and none of the charges is prorated.',
  }),
}));

/** Arguments of current usage. */
export const usageArgs = { ...filterArg, ...shownArgs, ...wholeArg };
/** Arguments of projected usage. */
export const projectedArgs = { ...filterArg, ...shownArgs };

/** What is given of it. */
export interface Given {
  readonly filter?: typeof UsageFilter.$inferInput | null | undefined;
  readonly applyTaxes?: boolean | null | undefined;
  readonly skipGrouping?: boolean | null | undefined;
  readonly fullUsage?: boolean | null | undefined;
}

const selectionOf = ({ filter, ...given }: Given): UsageSelection => ({
  chargeId: filter?.svcChargeId,
  chargeCode: filter?.chargeCode,
  metricCode: filter?.billableMetricCode,
  group: filter?.groups && Object.fromEntries(filter.groups.map(({ key, values }) => [key, values])),
  presentation: filter?.presentationKeys,
  skipsGrouping: given.skipGrouping,
  isWhole: given.fullUsage,
});

/** What is asked, as rules take it. */
export const questionOf = (given: Given, isProjected: boolean): UsageQuestion => ({
  ...{ isTaxed: given.applyTaxes ?? true, isProjected, selection: selectionOf(given) },
});

/** Arguments of billed usage. */
export const pastArgs = {
  ...pageArgs,
  ...builder.args((t) => ({
    billableMetricCode: t.string({
      description: 'Only usage of charges on the metric with this code, which must exist.',
    }),
  })),
};
