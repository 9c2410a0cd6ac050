import { type FeeAmounts, feeAmounts, type StoredFeeAmounts } from '../../billing/fee/amount.ts';
import { firstOf, SAME_ROW } from '../base/column.ts';
import { PresentedUnits, presentedUnits, shownBreakdowns, shownDetails } from '../base/fee-detail.ts';
import { derivesFrom } from '../base/guard.ts';
import { defineNode } from '../list/node.ts';
import { listing, lookupById } from '../list/root.ts';
import { AmountBreakdown, breakdownOf } from './amount-breakdown.ts';
import { Explanation, explanationOf } from './fee-explanation.ts';
import { feeFilter } from './fee-filter.ts';
import { FeeItem, ITEM } from './fee-item.ts';

const AMOUNTS = {
  amountCents: true,
  amountCurrency: true,
  taxesAmountCents: true,
  preciseAmountCents: true,
  taxesPreciseAmountCents: true,
  preciseCouponsAmountCents: true,
} as const;

const amounts = new WeakMap<object, FeeAmounts>();

/** The amounts that follow from a row's, reckoned once for all fields that show them. */
function amountsOf(fee: StoredFeeAmounts): FeeAmounts {
  const known = amounts.get(fee) ?? feeAmounts(fee);
  amounts.set(fee, known);
  return known;
}

/** What an explanation tells of. */
const EXPLAINED_BY = ['invoice', 'subscription', 'plan', 'billable_metric'] as const;

// The invoices, prices and usage of its customer are read, once for all fees of the customer.
const EXPLANATION_PRICE = 20;

defineNode('FeeAppliedTax', { resource: 'fee', omit: ['fee'] });
defineNode('PricingUnitUsage', { resource: 'fee', omit: ['fee', 'feeId'] });

defineNode('Fee', {
  sums: { currency: 'amountCurrency', columns: ['amountCents', 'preciseAmountCents', 'taxesAmountCents'] },
  filter: feeFilter,
  resource: 'fee',
  omit: [
    ...Object.keys(ITEM).filter((name) => name !== 'feeType' && name !== 'id'),
    'taxesPreciseAmountCents',
    'totalAggregatedUnits',
    'amountDetails',
    'presentationBreakdowns',
    'pricingUnitUsage',
  ],
  fields: (t) => ({
    item: t.field({
      type: FeeItem,
      description: 'What the fee is for, as it was named when the fee was issued.',
      extensions: SAME_ROW,
      select: ITEM,
      resolve: (fee) => fee,
    }),
    externalCustomerId: t.string({
      nullable: true,
      description: "The customer's identifier in the caller's application, where the fee names a customer.",
      extensions: firstOf(['customer.externalId']),
      select: { customer: { select: { externalId: true } } },
      resolve: (fee) => fee.customer?.externalId ?? null,
    }),
    externalSubscriptionId: t.string({
      nullable: true,
      description: "The subscription's identifier in the caller's application.",
      extensions: firstOf(['subscription.externalId']),
      select: { subscription: { select: { externalId: true } } },
      resolve: (fee) => fee.subscription?.externalId ?? null,
    }),
    totalAggregatedUnits: t.field({
      type: 'Decimal',
      description: 'Units of the whole aggregation; the units of the fee where nothing was aggregated.',
      extensions: firstOf(['totalAggregatedUnits', 'units']),
      select: { totalAggregatedUnits: true, units: true },
      resolve: (fee) => fee.totalAggregatedUnits ?? fee.units,
    }),
    amountDetails: t.field({
      type: 'JSON',
      description: 'How the amount came about; which members there are depends on the charge model.',
      select: { amountDetails: true },
      resolve: (fee) => shownDetails(fee.amountDetails),
    }),
    amountBreakdown: t.field({
      type: AmountBreakdown,
      nullable: true,
      description: 'How the amount came about; null where units times a price is all. `amountDetails` has it as JSON.',
      select: { amountDetails: true },
      resolve: (fee) => breakdownOf(shownDetails(fee.amountDetails)),
    }),
    presentationBreakdowns: t.field({
      type: 'JSON',
      description: 'Units by presentation values.',
      select: { presentationBreakdowns: true },
      resolve: (fee) => shownBreakdowns(fee.presentationBreakdowns),
    }),
    presentedUnits: t.field({
      type: [PresentedUnits],
      description: 'Units by presentation values; `presentationBreakdowns` has them as JSON.',
      select: { presentationBreakdowns: true },
      resolve: (fee) => presentedUnits(fee.presentationBreakdowns),
    }),
    svcTrueUpFeeId: t.field({
      type: 'UUID',
      nullable: true,
      description: 'The fee that completes this one to the spending minimum.',
      select: { trueUpFees: { select: { id: true }, where: { deletedAt: null }, orderBy: { id: 'asc' }, take: 1 } },
      resolve: (fee) => fee.trueUpFees[0]?.id ?? null,
    }),
    totalAmountCents: t.field({
      type: 'BigInt',
      description: 'Amount with taxes, in minor units.',
      select: AMOUNTS,
      resolve: (fee) => amountsOf(fee).totalAmountCents,
    }),
    totalAmountCurrency: t.string({
      description: 'Currency of the total.',
      extensions: firstOf(['amountCurrency']),
      select: { amountCurrency: true },
      resolve: (fee) => fee.amountCurrency,
    }),
    preciseAmount: t.field({
      type: 'Decimal',
      description: 'Amount without taxes before rounding, in currency units.',
      select: AMOUNTS,
      resolve: (fee) => amountsOf(fee).preciseAmount,
    }),
    preciseTotalAmount: t.field({
      type: 'Decimal',
      description: 'Amount with taxes before rounding, in currency units.',
      select: AMOUNTS,
      resolve: (fee) => amountsOf(fee).preciseTotalAmount,
    }),
    taxesPreciseAmount: t.field({
      type: 'Decimal',
      description: 'Taxes before rounding, in currency units.',
      select: AMOUNTS,
      resolve: (fee) => amountsOf(fee).taxesPreciseAmount,
    }),
    subTotalExcludingTaxesAmountCents: t.field({
      type: 'BigInt',
      description: 'Amount less the share of the coupons, in minor units.',
      select: AMOUNTS,
      resolve: (fee) => amountsOf(fee).subTotalExcludingTaxesAmountCents,
    }),
    subTotalExcludingTaxesPreciseAmountCents: t.field({
      type: 'Decimal',
      description: 'Amount before rounding less the share of the coupons, in minor units.',
      select: AMOUNTS,
      resolve: (fee) => amountsOf(fee).subTotalExcludingTaxesPreciseAmountCents,
    }),
    explanation: t.field({
      type: Explanation,
      nullable: true,
      description:
        'Why the fee comes to its amount, in steps that add up to it: the same rules compute it again from what is stored, and tell how. Null while its ' +
        'invoice is being made.',
      extensions: { ...derivesFrom(...EXPLAINED_BY).extensions, price: EXPLANATION_PRICE },
      select: { id: true, amountCurrency: true, pricingUnitUsage: { select: { shortName: true } } },
      resolve: ({ id, amountCurrency, pricingUnitUsage }, _args, context) =>
        explanationOf(context, { id, currency: amountCurrency, unit: pricingUnitUsage?.shortName || amountCurrency }),
    }),
    appliedTaxes: t.relation('appliedTaxes', { query: { orderBy: [{ taxCode: 'asc' }, { id: 'asc' }] } }),
    pricingUnitDetails: t.relation('pricingUnitUsage', { nullable: true }),
  }),
});

lookupById('fee', 'Fee', 'fee', 'A fee by the identifier that the service assigned, with or without an invoice.', {
  deletedAt: null,
});

listing('fees', 'Fee', { resource: 'fee', description: 'Fees.' });
