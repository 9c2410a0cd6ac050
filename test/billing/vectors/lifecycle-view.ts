import { usageOfEvents } from '../../../src/billing/aggregate/usage-source.ts';
import type {
  PlanChargeInput,
  PlanFilterInput,
  PlanFixedChargeInput,
  PlanInput,
} from '../../../src/billing/catalogue/plan.ts';
import type { UnitEvent } from '../../../src/billing/customer/subscription.ts';
import type { DraftFee } from '../../../src/billing/fee/draft-fee.ts';
import { chargeFees } from '../../../src/billing/fee/fee.ts';
import type { AppliedTax, InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import { chargeInvoiceFee } from '../../../src/billing/fee/owned-fee.ts';
import type { AppliedCouponInput, CreditNoteInput } from '../../../src/billing/invoice/credit-input.ts';
import { computeInvoice } from '../../../src/billing/invoice/invoice.ts';
import { ZERO } from '../../../src/billing/money/decimal.ts';
import { billedSubscription } from '../../../src/billing/subscription/billed-subscription.ts';
import type { LooseFee, MadeCreditNote, MadeInvoice } from '../../../src/billing/subscription/change.ts';
import { feeOwner } from '../../../src/billing/subscription/subscription-fees.ts';
import { runningPeriod } from '../../../src/billing/subscription/usage-fees.ts';
import { accountOf, subscriptionOf } from '../../../src/billing/timeline/account.ts';
import { lifetimeUsageOf } from '../../../src/billing/timeline/threshold.ts';
import type { TimelineState } from '../../../src/billing/timeline/timeline-type.ts';
import { formatInstant } from '../../instant.ts';
import type { View } from './lifecycle-type.ts';
import { plain } from './scenario-compare.ts';
import { totalsView } from './scenario-compute.ts';
import type { Json } from './vector-type.ts';

const text = (at: number | null | undefined) => (at == null ? null : formatInstant(at));

/** An invoice of the timeline as the API shows it; filters of its fees are those of the plans. */
export function invoiceView(
  { customer: { id: customer }, fees: loose, plans }: TimelineState,
  invoice: MadeInvoice,
): View {
  // A fee that was gathered keeps its name, in the order of the invoice.
  const gathered = loose.filter(({ invoiceId }) => invoiceId === invoice.id).map(({ id }) => id);
  const charges = invoice.fees.filter(({ type }) => type === 'charge');
  return plain({
    ...totalsView(invoice),
    id: `${customer}:${invoice.id}`,
    number: invoice.number,
    sequential_id: invoice.sequentialId,
    status: invoice.status,
    invoice_type: invoice.type,
    payment_status: invoice.paymentStatus,
    currency: invoice.currency,
    issuing_date: invoice.issuingDate,
    payment_due_date: invoice.paymentDueDate,
    expected_finalization_date: invoice.expectedFinalizationDate,
    net_payment_term: invoice.netPaymentTerm,
    self_billed: invoice.selfBilled,
    voided: invoice.status === 'voided',
    external_customer_id: customer,
    total_paid_amount_cents: invoice.totalPaidAmountCents,
    total_due_amount_cents: invoice.totalAmountCents - invoice.totalPaidAmountCents - (invoice.offsetCents ?? 0n),
    fee_count: invoice.fees.length,
    charge_fee_count: charges.length,
    fees: invoice.fees.map((fee, index) =>
      feeView(`${customer}:${gathered[index] ?? `${invoice.id}/${fee.key}`}`, fee, `${customer}:${invoice.id}`, plans),
    ),
    applied_taxes: invoice.appliedTaxes.map(taxView),
    billing_periods: invoice.billingPeriods.map((period) => ({
      subscription: period.subscriptionId,
      invoicing_reason: period.reason,
      subscription_from_datetime: text(period.from),
      subscription_to_datetime: text(period.to),
      charges_from_datetime: text(period.chargesFrom),
      charges_to_datetime: text(period.chargesTo),
      fixed_charges_from_datetime: text(period.fixedChargesFrom),
      fixed_charges_to_datetime: text(period.fixedChargesTo),
    })),
  }) as View;
}

/** A fee on no invoice; once it is gathered it is one of its invoice. */
export function looseFeeView({ customer: { id: customer }, plans }: TimelineState, loose: LooseFee): View {
  const invoice = loose.invoiceId && `${customer}:${loose.invoiceId}`;
  const view = feeView(`${customer}:${loose.id}`, loose.fee, invoice, plans);
  return plain({ ...view, payment_status: loose.paidAt === null ? 'pending' : 'succeeded' }) as View;
}

function feeView(id: string, fee: InvoiceFee, invoice: string | null, plans: readonly PlanInput[]): View {
  return {
    id,
    invoice,
    subscription: fee.subscriptionId,
    item: {
      ...{ type: fee.type, code: fee.item.code, name: fee.item.name, description: fee.item.description },
      ...{ invoice_display_name: fee.item.invoiceDisplayName, item_type: fee.item.itemType },
      ...{ filter_invoice_display_name: fee.item.filterInvoiceDisplayName, filters: fee.item.filters },
      grouped_by: fee.groupedBy,
    },
    charge_filter: filterOfFee(fee, plans),
    grouped_by: fee.groupedBy,
    units: fee.units,
    total_aggregated_units: fee.totalAggregatedUnits,
    events_count: fee.eventsCount,
    amount_cents: fee.amountCents,
    precise_amount: fee.preciseAmountCents.div(100),
    unit_amount_cents: fee.unitAmountCents,
    precise_unit_amount: fee.preciseUnitAmount,
    precise_coupons_amount_cents: fee.preciseCouponsAmountCents,
    sub_total_excluding_taxes_precise_amount_cents: fee.preciseAmountCents.minus(fee.preciseCouponsAmountCents),
    taxes_amount_cents: fee.taxesAmountCents,
    taxes_precise_amount: fee.taxesPreciseAmountCents.div(100),
    taxes_rate: fee.taxesRate,
    total_amount_cents: fee.amountCents + fee.taxesAmountCents,
    pay_in_advance: fee.payInAdvance,
    invoiceable: fee.invoiceable,
    amount_details: fee.amountDetails,
    pricing_unit_details: fee.pricingUnit && {
      ...{ pricing_unit_code: fee.pricingUnit.code, conversion_rate: fee.pricingUnit.conversionRate },
      ...{ amount_cents: fee.pricingUnit.amountCents, unit_amount_cents: fee.pricingUnit.unitAmountCents },
      ...{ precise_amount_cents: fee.pricingUnit.preciseAmountCents },
      precise_unit_amount: fee.pricingUnit.preciseUnitAmount,
    },
    event_transaction_id: fee.eventTransactionId,
    applied_taxes: fee.appliedTaxes.map(taxView),
    from_date: text(fee.period?.from),
    to_date: text(fee.period?.to),
  };
}

/** The filter that a fee was priced by; null where it was none. */
function filterOfFee({ chargeId, filterId }: InvoiceFee, plans: readonly PlanInput[]) {
  const charge = plans.flatMap(({ charges }) => charges).find(({ id }) => id === chargeId);
  const filter = filterId === null ? undefined : charge?.filters.find(({ id }) => id === filterId);
  return filter ? { svc_charge_filter_id: filter.id, ...filterView(filter) } : null;
}

const filterView = ({ invoiceDisplayName, values, properties }: PlanFilterInput) => ({
  ...{ invoice_display_name: invoiceDisplayName ?? null, values, value_keys: Object.keys(values), properties },
});

/** A charge of a plan as the API shows it. */
export function chargeView(charge: PlanChargeInput): Json {
  return plain({
    ...{ svc_id: charge.id, code: charge.code, charge_model: charge.model, properties: charge.properties },
    ...{ invoice_display_name: charge.invoiceDisplayName ?? null, min_amount_cents: charge.minAmountCents ?? 0n },
    ...{ pay_in_advance: charge.payInAdvance ?? false, prorated: charge.prorated ?? false },
    ...{ billable_metric_code: charge.metric.code, filters: charge.filters.map(filterView) },
  }) as Json;
}

/** A fixed charge with the units that a subscription has of it at a moment; without a history those of its plan. */
export function fixedChargeView(charge: PlanFixedChargeInput, history: readonly UnitEvent[], at: number): Json {
  const begun = history.filter(({ timestamp }) => timestamp <= at).sort((a, b) => a.timestamp - b.timestamp);
  const units = begun.at(-1)?.units ?? charge.units;
  return plain({
    ...{ svc_id: charge.id, code: charge.code, charge_model: charge.model, properties: charge.properties, units },
    ...{ pay_in_advance: charge.payInAdvance, prorated: charge.prorated, add_on_code: charge.addOn.code },
  }) as Json;
}

/** An applied coupon with what is left of it, which only one for once of an amount has. */
export function couponView(customer: string, coupon: AppliedCouponInput): View {
  const isAmount = coupon.frequency === 'once' && coupon.type === 'fixed_amount';
  return plain({
    ...{ id: coupon.id, coupon_code: coupon.code, external_customer_id: customer, status: coupon.status },
    ...{ frequency: coupon.frequency, frequency_duration_remaining: coupon.periodsRemaining },
    ...{ amount_cents: coupon.amountCents, amount_currency: coupon.currency, percentage_rate: coupon.rate },
    amount_cents_remaining: isAmount ? (coupon.amountCents ?? 0n) - coupon.usedCents : null,
  }) as View;
}

function taxView(line: AppliedTax) {
  return {
    tax_code: line.code,
    tax_rate: line.rate,
    amount_cents: line.amountCents,
    fees_amount_cents: line.feesAmountCents,
  };
}

/** A credit note with what is left of it now. */
export function creditNoteView(customer: string, note: MadeCreditNote, notes: readonly CreditNoteInput[]): View {
  const left = notes.find(({ id }) => id === note.id);
  return plain({
    id: `${customer}:${note.id}`,
    number: note.number,
    invoice: `${customer}:${note.invoiceId}`,
    issuing_date: note.issuingDate,
    status: left?.status ?? note.status,
    credit_status: left?.creditStatus ?? note.creditStatus,
    currency: note.currency,
    taxes_rate: note.taxesRate,
    sub_total_excluding_taxes_amount_cents: note.subTotalExcludingTaxesAmountCents,
    taxes_amount_cents: note.taxesAmountCents,
    total_amount_cents: note.totalAmountCents,
    credit_amount_cents: note.creditAmountCents,
    refund_amount_cents: note.refundAmountCents,
    offset_amount_cents: note.offsetAmountCents,
    balance_amount_cents: left?.balanceCents ?? note.balanceCents,
    coupons_adjustment_amount_cents: note.couponsAdjustmentCents.round(),
    items: note.items.map((one) => ({
      amount_cents: one.preciseAmountCents.round(),
      precise_amount_cents: one.preciseAmountCents,
    })),
    applied_taxes: note.taxesAmountCents > 0n ? [{ amount_cents: note.taxesAmountCents }] : [],
  }) as View;
}

export function subscriptionView(state: TimelineState, id: string): View {
  const subscription = subscriptionOf(state, id);
  return {
    id,
    external_id: subscription.externalId,
    external_customer_id: state.customer.id,
    name: subscription.name ?? null,
    status: subscription.status,
    plan_code: subscription.plan.code,
    billing_time: subscription.billingTime,
    on_termination_credit_note: subscription.onTerminationCreditNote ?? null,
    on_termination_invoice: subscription.onTerminationInvoice ?? 'generate',
    subscription_at: text(subscription.subscriptionAt),
    started_at: text(subscription.startedAt),
    ending_at: text(subscription.endingAt),
    terminated_at: text(subscription.terminatedAt),
  };
}

/** Lifetime usage of a subscription at a moment. */
export function lifetimeUsageView(state: TimelineState, id: string, at: number): Json {
  const { usage } = lifetimeUsageOf(state, id, at);
  return plain({
    invoiced_usage_amount_cents: usage.invoicedCents,
    current_usage_amount_cents: usage.currentCents,
    total_amount_cents: usage.invoicedCents + usage.currentCents,
  }) as Json;
}

/** Usage of the running period as the API shows it: every charge, without minimums. */
export function currentUsageView(state: TimelineState, id: string, at: number, query: Json): Json {
  const account = accountOf(state);
  const billed = billedSubscription(account, subscriptionOf(state, id), at, 'progressive_billing');
  const period = runningPeriod(billed);
  if (period === null) throw new Error(`no usage period of ${id} is open`);
  const { plan } = billed.subscription;
  const charges = plan.charges.filter((charge) => isAsked(charge, query)).map((charge) => regrouped(charge, query));
  const used = charges.map((charge) => {
    const all = state.events.filter(
      (event) =>
        event.externalSubscriptionId === billed.subscription.externalId && event.metricCode === charge.metric.code,
    );
    const asked = all.filter((event) => isInGroup(event.properties, query));
    const fees = chargeFees({
      charge,
      currency: plan.currency,
      period,
      usage: usageOfEvents(asked),
      levelFrom: billed.levelFrom,
      context: 'current_usage',
    });
    return { charge, fees: fees.map((fee) => chargeInvoiceFee(fee, charge, feeOwner(billed, account))) };
  });
  const total = computeInvoice({ currency: plan.currency, fees: used.flatMap(({ fees }) => fees), kind: 'plain' });
  return plain({
    from_datetime: text(period.from),
    to_datetime: text(period.to),
    currency: plan.currency,
    amount_cents: total.feesAmountCents,
    taxes_amount_cents: total.taxesAmountCents,
    total_amount_cents: total.totalAmountCents,
    charge_count: charges.length,
    charges_usage: used.map(({ charge, fees }) => chargeUsageView(charge, fees, plan.currency)),
  }) as Json;
}

function isAsked(charge: PlanChargeInput, query: Json): boolean {
  const code = query.filter_by_charge_code ?? query.charge_code ?? charge.code;
  const metric = query.filter_by_billable_metric_code ?? query.billable_metric_code ?? charge.metric.code;
  return charge.code === code && charge.metric.code === metric;
}

function groupAsked(query: Json): [string, string[]][] {
  const group = (query.filter_by_group ?? query.group ?? {}) as Record<string, string | string[]>;
  return Object.entries(group).map(([key, values]) => [key, [values].flat()]);
}

function isInGroup(properties: Readonly<Record<string, unknown>>, query: Json): boolean {
  return groupAsked(query).every(([key, values]) => values.includes(String(properties[key])));
}

/** Grouping by what is asked for says nothing any more; `skip_grouping` leaves no group at all. */
function regrouped(charge: PlanChargeInput, query: Json): PlanChargeInput {
  const asked = groupAsked(query).map(([key]) => key);
  const keys = (charge.properties.pricing_group_keys ?? []).filter(
    (key) => query.skip_grouping !== true && !asked.includes(key),
  );
  return { ...charge, properties: { ...charge.properties, pricing_group_keys: keys } };
}

function chargeUsageView(charge: PlanChargeInput, fees: readonly InvoiceFee[], currency: string) {
  const grouped = (charge.properties.pricing_group_keys ?? []).length > 0;
  const filters = charge.filters.length === 0 ? [] : filterViews(charge, fees);
  const groups = grouped ? fees.map((fee) => ({ grouped_by: fee.groupedBy, ...sums([fee]) })) : [];
  return {
    ...sums(fees),
    amount_currency: currency,
    pricing_unit_details: fees[0]?.pricingUnit ?? null,
    charge: { code: charge.code, charge_model: charge.model },
    billable_metric: { code: charge.metric.code, aggregation_type: `${charge.metric.aggregation}_agg` },
    filters_count: filters.length,
    filters,
    grouped_count: groups.length,
    grouped_usage: groups,
  };
}

function filterViews(charge: PlanChargeInput, fees: readonly InvoiceFee[]) {
  return [...charge.filters, null].map((filter) => ({
    values: filter?.values ?? null,
    invoice_display_name: filter?.invoiceDisplayName ?? null,
    ...sums(fees.filter((fee) => fee.filterId === (filter?.id ?? null))),
  }));
}

function sums(fees: readonly DraftFee[]) {
  return {
    units: fees.reduce((total, fee) => total.plus(fee.units), ZERO),
    total_aggregated_units: fees.reduce((total, fee) => total.plus(fee.totalAggregatedUnits ?? ZERO), ZERO),
    events_count: fees.reduce((total, fee) => total.plus(fee.eventsCount ?? ZERO), ZERO),
    amount_cents: fees.reduce((total, fee) => total + fee.amountCents, 0n),
  };
}
