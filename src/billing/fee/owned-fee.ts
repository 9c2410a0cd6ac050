import { ALL_FILTER_VALUES } from '../catalogue/filter.ts';
import type { PlanChargeInput, PlanFilterInput, PlanFixedChargeInput } from '../catalogue/plan.ts';
import type { TaxInput } from '../catalogue/tax.ts';
import type { BillingEntityInput, CustomerInput } from '../customer/customer.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import { fromCents } from '../money/currency.ts';
import { type Decimal, dec, ONE, roundToInteger, ZERO } from '../money/decimal.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import type { DraftFee } from './draft-fee.ts';
import type { FeeItem, InvoiceFee } from './invoice-fee.ts';
import { targetWalletOf } from './target-wallet.ts';
import { chooseTaxes, type TaxProvider } from './tax-source.ts';

/** Whose fee it is and who taxes it. */
export interface FeeOwner {
  readonly subscription: SubscriptionInput;
  readonly customer: Pick<CustomerInput, 'taxes'>;
  readonly billingEntity: Pick<BillingEntityInput, 'taxes'>;
  readonly taxProvider?: TaxProvider | null;
}

/** What no fee has before its invoice is computed. */
export const NO_CREDITS = {
  planAmountCents: null,
  targetWalletCode: null,
  preciseCouponsAmountCents: ZERO,
  preciseCreditNotesAmountCents: ZERO,
  taxesAmountCents: 0n,
  taxesPreciseAmountCents: ZERO,
  taxesRate: ZERO,
  appliedTaxes: [],
} as const;

/** A usage fee with what it must remember of its charge, metric and filter. */
export function chargeInvoiceFee(fee: DraftFee, charge: PlanChargeInput, owner: FeeOwner): InvoiceFee {
  const filter = charge.filters.find((candidate) => candidate.id === fee.filterId) ?? null;
  const { metric } = charge;
  const item: FeeItem = {
    type: 'charge',
    itemType: 'BillableMetric',
    itemId: metric.id,
    code: metric.code,
    name: metric.name,
    description: metric.description ?? null,
    invoiceDisplayName: charge.invoiceDisplayName ?? metric.name,
    filterInvoiceDisplayName: filter && filterName(filter),
    filters: filter?.values ?? null,
  };
  const targetWalletCode = targetWalletOf(fee, charge);
  return { ...ownedFee(fee, item, owner, charge.taxes), metricId: metric.id, targetWalletCode };
}

/** A fee of a fixed charge with what it must remember of its add-on. */
export function fixedChargeInvoiceFee(fee: DraftFee, fixedCharge: PlanFixedChargeInput, owner: FeeOwner): InvoiceFee {
  const { addOn } = fixedCharge;
  const item: FeeItem = {
    ...named('fixed_charge', 'AddOn', addOn.id, addOn),
    invoiceDisplayName: fixedCharge.invoiceDisplayName ?? addOn.invoiceDisplayName ?? addOn.name,
  };
  return { ...ownedFee(fee, item, owner, fixedCharge.taxes), addOnId: addOn.id };
}

/** The subscription fee of an exact amount: 1 unit, rounded once; it keeps the plan amount of the moment. */
export function subscriptionInvoiceFee(preciseCents: Decimal, period: ChargePeriod, owner: FeeOwner): InvoiceFee {
  const { plan, name, id } = owner.subscription;
  const item: FeeItem = {
    ...named('subscription', 'Subscription', id, plan),
    invoiceDisplayName: name ?? plan.invoiceDisplayName ?? plan.name,
  };
  const fee = oneUnit('subscription', `${id}/subscription`, preciseCents, period, plan.currency, plan.payInAdvance);
  return { ...ownedFee(fee, item, owner, []), planAmountCents: plan.amountCents };
}

/** The fee that tops a period up to the minimum commitment. */
export function commitmentInvoiceFee(amountCents: bigint, period: ChargePeriod, owner: FeeOwner): InvoiceFee {
  const { plan, id } = owner.subscription;
  const item: FeeItem = {
    ...named('commitment', 'Subscription', id, plan),
    invoiceDisplayName: plan.commitment?.invoiceDisplayName ?? 'Minimum commitment',
  };
  const fee = oneUnit('commitment', `${id}/commitment`, dec(amountCents), period, plan.currency, false);
  return ownedFee(fee, item, owner, plan.commitment?.taxes ?? []);
}

function ownedFee(fee: DraftFee, item: FeeItem, owner: FeeOwner, own: readonly TaxInput[]): InvoiceFee {
  const { subscription } = owner;
  return {
    ...fee,
    ...NO_CREDITS,
    subscriptionId: subscription.id,
    planId: subscription.plan.id,
    parentPlanId: subscription.plan.parentId ?? null,
    metricId: null,
    addOnId: null,
    item,
    description: null,
    taxes: taxesOf(owner, own),
  };
}

/** An outside tax service replaces our taxes; where it fails, none are shown. Source: invoicing 11. */
function taxesOf(owner: FeeOwner, own: readonly TaxInput[]): readonly TaxInput[] {
  const { taxProvider, customer, billingEntity, subscription } = owner;
  if (taxProvider === 'error') return [];
  if (taxProvider) return [{ id: null, code: 'tax_provider', name: 'Tax', rate: taxProvider.rate }];
  return chooseTaxes({
    own,
    plan: subscription.plan.taxes,
    customer: customer.taxes,
    billingEntity: billingEntity.taxes,
  });
}

function oneUnit(
  type: DraftFee['type'],
  key: string,
  preciseAmountCents: Decimal,
  period: ChargePeriod,
  currency: string,
  payInAdvance: boolean,
): DraftFee {
  const amountCents = roundToInteger(preciseAmountCents);
  return {
    key,
    type,
    chargeId: null,
    fixedChargeId: null,
    filterId: null,
    groupedBy: {},
    units: ONE,
    amountCents,
    preciseAmountCents,
    unitAmountCents: amountCents,
    preciseUnitAmount: fromCents(amountCents, currency),
    eventsCount: null,
    totalAggregatedUnits: null,
    amountDetails: {},
    trueUpParentKey: null,
    period,
    payInAdvance,
    invoiceable: true,
    pricingUnit: null,
    presentationBreakdowns: [],
    eventTransactionId: null,
    edit: null,
  };
}

function named(
  type: FeeItem['type'],
  itemType: FeeItem['itemType'],
  itemId: string,
  of: { code: string; name: string; description?: string | null },
): Omit<FeeItem, 'invoiceDisplayName'> {
  const { code, name, description } = of;
  const noFilter = { filterInvoiceDisplayName: null, filters: null };
  return { type, itemType, itemId, code, name, description: description ?? null, ...noFilter };
}

/** The name a filter shows: its own, else its values; a key that takes any value shows the key. */
function filterName(filter: PlanFilterInput): string {
  if (filter.invoiceDisplayName) return filter.invoiceDisplayName;
  const entries = Object.entries(filter.values);
  return entries.flatMap(([key, values]) => (values.includes(ALL_FILTER_VALUES) ? [key] : values)).join(', ');
}
