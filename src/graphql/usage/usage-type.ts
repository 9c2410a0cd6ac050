import { builder } from '../base/builder.ts';
import { currencyFields } from '../base/currency.ts';
import { enumRef } from '../base/enum.ts';
import { opaqueId } from '../base/opaque-id.ts';
import { FilterUsage, figureFields, GroupUsage } from './usage-figure-type.ts';
import type { ChargeUsageView, NamedCharge, UsageView } from './usage-view.ts';

const UsedCharge = builder.objectRef<NamedCharge>('UsedCharge').implement({
  description: 'The charge that usage is priced by, as it is named where usage is shown.',
  extensions: { resource: 'plan', price: -1 },
  fields: (t) => ({
    id: t.id({
      description: 'Opaque identifier; nothing is read by it.',
      resolve: ({ id }) => opaqueId('UsedCharge', id),
    }),
    svcId: t.field({ type: 'UUID', description: 'Identifier assigned by the service.', resolve: ({ id }) => id }),
    code: t.exposeString('code', { description: 'Code of the charge.' }),
    chargeModel: t.field({
      type: enumRef('ChargeModel'),
      description: 'How usage is priced.',
      resolve: ({ model }) => model,
    }),
    invoiceDisplayName: t.string({
      nullable: true,
      description: 'Name printed on documents; null means that of the metric.',
      resolve: ({ invoiceDisplayName }) => invoiceDisplayName ?? null,
    }),
  }),
});

const UsedMetric = builder.objectRef<NamedCharge['metric']>('UsedMetric').implement({
  description: 'The metric that usage is measured by, as it is named where usage is shown.',
  extensions: { resource: 'billable_metric', price: -1 },
  fields: (t) => ({
    id: t.id({
      description: 'Opaque identifier; nothing is read by it.',
      resolve: ({ id }) => opaqueId('UsedMetric', id),
    }),
    svcId: t.field({ type: 'UUID', description: 'Identifier assigned by the service.', resolve: ({ id }) => id }),
    code: t.exposeString('code', { description: 'Code of the metric.' }),
    name: t.exposeString('name', { description: 'Name of the metric.' }),
    aggregationType: t.field({
      type: enumRef('AggregationType'),
      description: 'How events are aggregated.',
      resolve: ({ aggregation }) => `${aggregation}_agg` as const,
    }),
  }),
});

const ChargeUsage = builder.objectRef<ChargeUsageView>('ChargeUsage').implement({
  description: 'Usage that one charge prices.',
  extensions: { resource: 'customer_usage' },
  fields: (t) => ({
    charge: t.field({ type: UsedCharge, description: 'The charge.', resolve: ({ charge }) => charge }),
    billableMetric: t.field({ type: UsedMetric, description: 'Its metric.', resolve: ({ charge }) => charge.metric }),
    amountCurrency: t.string({ description: 'Currency of the amounts.', resolve: ({ currency }) => currency }),
    currencyDetails: currencyFields(t, '').currencyDetails,
    filters: t.field({
      type: [FilterUsage],
      description: 'By filter, and what none of them matches; empty where the charge has no filters.',
      resolve: ({ filters }) => [...filters],
    }),
    groupedUsage: t.field({
      type: [GroupUsage],
      description: 'By pricing group; empty where the charge has none.',
      resolve: ({ groups }) => [...groups],
    }),
    ...figureFields(t),
  }),
});

export const CustomerUsage = builder.objectRef<UsageView>('CustomerUsage').implement({
  description:
    'What was used of the charges of a subscription over a period. Amounts are those that an invoice at this moment would have; minimums, coupons and what is no usage are left aside.',
  extensions: { resource: 'customer_usage' },
  fields: (t) => ({
    fromDatetime: t.expose('fromDatetime', { type: 'DateTime', description: 'Start of the period.' }),
    toDatetime: t.expose('toDatetime', { type: 'DateTime', description: 'End of the period, inclusive.' }),
    issuingDate: t.expose('issuingDate', {
      type: 'Date',
      description: 'Issuing date of the invoice; without one the last date of the period.',
    }),
    svcInvoiceId: t.field({
      type: 'UUID',
      nullable: true,
      description: 'The invoice that billed it; null for usage that is current.',
      resolve: ({ svcInvoiceId }) => svcInvoiceId,
    }),
    ...currencyFields(t, 'Currency of the amounts.'),
    amountCents: t.field({
      type: 'BigInt',
      description: 'Amount without taxes in minor units.',
      resolve: ({ amountCents }) => amountCents,
    }),
    taxesAmountCents: t.field({
      type: 'BigInt',
      description: 'Taxes in minor units.',
      resolve: ({ taxesAmountCents }) => taxesAmountCents,
    }),
    totalAmountCents: t.field({
      type: 'BigInt',
      description: 'Amount with taxes in minor units.',
      resolve: ({ amountCents, taxesAmountCents }) => amountCents + taxesAmountCents,
    }),
    projectedAmountCents: t.field({
      type: 'BigInt',
      nullable: true,
      description:
        'Amount without taxes at the end of the period if usage goes on like this; null where it is not projected.',
      resolve: ({ projectedAmountCents }) => projectedAmountCents,
    }),
    chargesUsage: t.field({
      type: [ChargeUsage],
      description: 'By charge, in the order of the names of their metrics; those without usage too.',
      resolve: ({ chargesUsage }) => [...chargesUsage],
    }),
  }),
});
