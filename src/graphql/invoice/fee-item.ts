import { builder } from '../base/builder.ts';
import { firstOf } from '../base/column.ts';
import { replacedBy } from '../base/deprecation.ts';
import { enumRef } from '../base/enum.ts';
import { KeyValue, KeyValues, keysWithValues, keyValues } from '../base/key-value.ts';
import { FeeItemType } from '../base/open-enum.ts';

/** Columns of a fee that tell what it is for. */
export const ITEM = {
  id: true,
  feeType: true,
  itemCode: true,
  itemName: true,
  itemDescription: true,
  itemInvoiceDisplayName: true,
  itemType: true,
  itemId: true,
  filterInvoiceDisplayName: true,
  filters: true,
  groupedBy: true,
} as const;

interface Item {
  readonly id: string;
  readonly feeType: string;
  readonly itemCode: string;
  readonly itemName: string;
  readonly itemDescription: string | null;
  readonly itemInvoiceDisplayName: string | null;
  readonly itemType: string;
  readonly itemId: string | null;
  readonly filterInvoiceDisplayName: string | null;
  readonly filters: unknown;
  readonly groupedBy: unknown;
}

/** What a fee is for. */
export const FeeItem = builder.objectRef<Item>('FeeItem').implement({
  description: 'What a fee is for, as it was named when the fee was issued.',
  fields: (t) => ({
    feeType: t.expose('feeType', { type: enumRef('FeeType'), description: 'What the fee is for.' }),
    type: t.expose('feeType', {
      type: enumRef('FeeType'),
      description: 'What the fee is for.',
      deprecationReason: replacedBy('feeType'),
    }),
    code: t.exposeString('itemCode', { description: 'Code of what was sold.' }),
    name: t.exposeString('itemName', { description: 'Name of what was sold.' }),
    description: t.exposeString('itemDescription', { nullable: true, description: 'Description of what was sold.' }),
    invoiceDisplayName: t.string({
      description: 'Name printed on documents.',
      extensions: firstOf(['itemInvoiceDisplayName', 'itemName']),
      resolve: (item) => item.itemInvoiceDisplayName ?? item.itemName,
    }),
    filterInvoiceDisplayName: t.exposeString('filterInvoiceDisplayName', {
      nullable: true,
      description: 'Name of the filter, printed on documents; null without a filter.',
    }),
    itemType: t.expose('itemType', {
      type: FeeItemType,
      description: 'Kind of what was sold: BillableMetric, AddOn, Subscription or WalletTransaction.',
    }),
    svcItemId: t.field({
      type: 'UUID',
      description: 'Identifier of what was sold; the fee itself, where nothing else is known.',
      extensions: firstOf(['itemId', 'id']),
      resolve: (item) => item.itemId ?? item.id,
    }),
    filters: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Filter values at the time; null without a filter.',
      extensions: firstOf(['filters']),
      resolve: (item) => item.filters,
    }),
    groupedBy: t.field({
      type: 'JSON',
      description: 'Values of the pricing group.',
      extensions: firstOf(['groupedBy']),
      resolve: (item) => item.groupedBy ?? {},
    }),
    filterValues: t.field({
      type: [KeyValues],
      nullable: true,
      description: 'Filter values at the time; null without a filter. `filters` has them as JSON.',
      resolve: ({ filters }) => (filters === null ? null : keysWithValues(filters)),
    }),
    groupValues: t.field({
      type: [KeyValue],
      description: 'Values of the pricing group; `groupedBy` has them as JSON.',
      resolve: ({ groupedBy }) => keyValues(groupedBy),
    }),
  }),
});
