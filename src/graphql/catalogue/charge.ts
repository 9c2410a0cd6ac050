import { notFound } from '../../billing/errors.ts';
import { BY_CODE, FILTER_ORDER } from '../../store/database/row-order.ts';
import { isUuid } from '../../store/database/uuid.ts';
import { builder } from '../base/builder.ts';
import { firstOf } from '../base/column.ts';
import { chosen, connection, defineNode } from '../list/node.ts';
import { chargeFilter } from './catalogue-filter.ts';
import { shownProperties } from './price-properties.ts';
import { Pricing, pricingOf } from './pricing.ts';

interface AppliedPricingUnit {
  readonly conversionRate: { toFixed(): string } | null;
  readonly pricingUnit: { readonly code: string } | null;
}

const AppliedPricingUnitType = builder.objectRef<AppliedPricingUnit>('AppliedPricingUnit').implement({
  description: 'The unit that a charge is priced in, with what one unit is worth.',
  fields: (t) => ({
    code: t.string({ description: 'Code of the pricing unit.', resolve: (unit) => unit.pricingUnit?.code ?? '' }),
    conversionRate: t.field({
      type: 'Decimal',
      description: "What one pricing unit is worth in the plan's currency.",
      resolve: (unit) => unit.conversionRate ?? '0',
    }),
  }),
});

export const Charge = defineNode('Charge', {
  filter: chargeFilter,
  resource: 'plan',
  omit: ['properties', 'conversionRate'],
  fields: (t) => ({
    billableMetricCode: t.string({
      description: 'Code of the metric that is priced.',
      extensions: firstOf(['billableMetric.code']),
      select: { billableMetric: { select: { code: true } } },
      resolve: (charge) => charge.billableMetric.code,
    }),
    properties: t.field({
      type: 'JSON',
      description: 'Prices; which members there are depends on the charge model. `pricing` has them typed.',
      select: { properties: true },
      resolve: (charge) => shownProperties(charge.properties),
    }),
    pricing: t.field({
      type: Pricing,
      description: 'Prices, by the charge model.',
      select: { properties: true, chargeModel: true },
      resolve: (charge) => pricingOf(charge.chargeModel, charge.properties),
    }),
    appliedPricingUnit: t.field({
      type: AppliedPricingUnitType,
      nullable: true,
      description: 'The unit that the charge is priced in; null for the currency of the plan.',
      select: { conversionRate: true, pricingUnit: { select: { code: true } } },
      resolve: (charge) => (charge.pricingUnit ? charge : null),
    }),
    taxes: t.relation('taxes', { query: { orderBy: BY_CODE } }),
    filters: t.relation('filters', { query: { where: { deletedAt: null }, orderBy: FILTER_ORDER } }),
    filtersConnection: connection(t, 'Charge', 'filters', {
      model: 'ChargeFilter',
      resource: 'plan',
      foreignKey: 'chargeId',
    }),
    filter: chosen(t, 'filters', {
      type: 'ChargeFilter',
      description: 'The filter with this identifier.',
      args: builder.args((a) => ({
        svcId: a.field({ type: 'UUID', required: true, description: 'Identifier assigned by the service.' }),
      })),
      query: ({ svcId }) => ({
        where: { id: { in: isUuid(svcId) ? [svcId] : [] }, deletedAt: null },
      }),
      onMissing: () => notFound('charge_filter'),
    }),
  }),
});
