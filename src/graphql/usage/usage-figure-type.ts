import { builder, type Types } from '../base/builder.ts';
import { PresentedUnits, presentedUnits, shownBreakdowns } from '../base/fee-detail.ts';
import { KeyValue, KeyValues, keysWithValues, keyValues } from '../base/key-value.ts';
import type { FiguresView, FilterView, GroupView } from './usage-view.ts';

type Fields<Row extends object> = PothosSchemaTypes.ObjectFieldBuilder<Types, Row>;

const presented = (breakdowns: FiguresView['figures']['breakdowns'] | undefined) =>
  (breakdowns ?? []).map(({ presentationBy, units }) => ({ presentation_by: presentationBy, units }));

const PricingUnit = builder
  .objectRef<NonNullable<FiguresView['figures']['pricingUnit']>>('UsagePricingUnit')
  .implement({
    description: 'Usage in the unit that its charge is priced in.',
    extensions: { price: -1 },
    fields: (t) => ({
      amountCents: t.field({
        type: 'BigInt',
        description: 'The amount in hundredths of the pricing unit.',
        resolve: ({ amountCents }) => amountCents,
      }),
      shortName: t.exposeString('shortName', { description: 'Short name of the pricing unit.' }),
      conversionRate: t.field({
        type: 'Decimal',
        description: 'What one pricing unit is worth in the currency.',
        resolve: ({ conversionRate }) => conversionRate,
      }),
    }),
  });

export const figureFields = <Row extends FiguresView>(t: Fields<Row>) => ({
  units: t.field({ type: 'Decimal', description: 'Units used so far.', resolve: ({ figures }) => figures.units }),
  totalAggregatedUnits: t.field({
    type: 'Decimal',
    description: 'Units of the whole aggregation: of a weighted sum the level, else what is priced.',
    resolve: ({ figures }) => figures.totalAggregatedUnits,
  }),
  eventsCount: t.int({ description: 'Number of events.', resolve: ({ figures }) => figures.eventsCount }),
  amountCents: t.field({
    type: 'BigInt',
    description: 'Amount without taxes in minor units.',
    resolve: ({ figures }) => figures.amountCents,
  }),
  projectedUnits: t.field({
    type: 'Decimal',
    nullable: true,
    description: 'Units at the end of the period if usage goes on like this; null where it is not projected.',
    resolve: ({ projected }) => projected?.units ?? null,
  }),
  projectedAmountCents: t.field({
    type: 'BigInt',
    nullable: true,
    description: 'Amount of the projected units in minor units; null where usage is not projected.',
    resolve: ({ projected }) => projected?.amountCents ?? null,
  }),
  pricingUnitDetails: t.field({
    type: PricingUnit,
    nullable: true,
    description: 'The same in the unit that the charge is priced in; null for the currency itself.',
    resolve: ({ figures }) => figures.pricingUnit,
  }),
  presentationBreakdowns: t.field({
    type: 'JSON',
    description: 'Units by presentation values.',
    resolve: ({ figures }) => shownBreakdowns(presented(figures.breakdowns)),
  }),
  presentedUnits: t.field({
    type: [PresentedUnits],
    description: 'Units by presentation values; `presentationBreakdowns` has them as JSON.',
    resolve: ({ figures }) => presentedUnits(presented(figures.breakdowns)),
  }),
  projectedPresentationBreakdowns: t.field({
    type: 'JSON',
    description: 'Projected units by presentation values.',
    resolve: ({ projected }) => shownBreakdowns(presented(projected?.breakdowns)),
  }),
  projectedPresentedUnits: t.field({
    type: [PresentedUnits],
    description: 'Projected units by presentation values; `projectedPresentationBreakdowns` has them as JSON.',
    resolve: ({ projected }) => presentedUnits(presented(projected?.breakdowns)),
  }),
});

export const FilterUsage = builder.objectRef<FilterView>('FilterUsage').implement({
  description: 'Usage of a charge that one of its filters matches, or that none of them does.',
  extensions: { resource: 'customer_usage' },
  fields: (t) => ({
    invoiceDisplayName: t.string({
      nullable: true,
      description: 'Name of the filter, printed on documents.',
      resolve: ({ filter }) => filter?.invoiceDisplayName ?? null,
    }),
    values: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Values that the filter takes by properties of events; null for what no filter matches.',
      resolve: ({ filter }) => filter?.values ?? null,
    }),
    filterValues: t.field({
      type: [KeyValues],
      description: 'Values that the filter takes by properties of events; `values` has them as JSON.',
      resolve: ({ filter }) => keysWithValues(filter?.values),
    }),
    ...figureFields(t),
  }),
});

export const GroupUsage = builder.objectRef<GroupView>('GroupUsage').implement({
  description: 'Usage of a charge that is priced together: of the same values of its pricing group keys.',
  extensions: { resource: 'customer_usage' },
  fields: (t) => ({
    groupedBy: t.field({
      type: 'JSON',
      description: 'Values of the pricing group keys; null where events have none.',
      resolve: ({ groupedBy }) => groupedBy,
    }),
    groupValues: t.field({
      type: [KeyValue],
      description: 'Values of the pricing group keys; `groupedBy` has them as JSON.',
      resolve: ({ groupedBy }) => keyValues(groupedBy),
    }),
    filters: t.field({
      type: [FilterUsage],
      description: 'The same by filter; empty where the charge has none.',
      resolve: ({ filters }) => [...filters],
    }),
    ...figureFields(t),
  }),
});
