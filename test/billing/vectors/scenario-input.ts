import type { PlanChargeInput, PlanFixedChargeInput, PlanInput } from '../../../src/billing/catalogue/plan.ts';
import type { TaxInput } from '../../../src/billing/catalogue/tax.ts';
import type { BillingEntityInput, CustomerInput } from '../../../src/billing/customer/customer.ts';
import type { SubscriptionInput } from '../../../src/billing/customer/subscription.ts';
import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import type { AppliedCouponInput, CreditNoteInput, WalletInput } from '../../../src/billing/invoice/credit-input.ts';
import { dec, ONE, ZERO } from '../../../src/billing/money/decimal.ts';
import { parseInstant } from '../../instant.ts';
import type {
  Amount,
  ChargeJson,
  CouponJson,
  CreditNoteJson,
  CustomerJson,
  EntityJson,
  FeeJson,
  FixedChargeJson,
  PlanJson,
  SetupJson,
  SubscriptionJson,
  TaxJson,
  WalletJson,
} from './scenario-type.ts';

export const cents = (amount: Amount | null | undefined): bigint => BigInt(String(amount ?? 0));
export const moment = (text: string): number => parseInstant(text);
const momentOrNull = (text: string | null | undefined) => (text ? moment(text) : null);

/** The taxes of the setup that a list of codes names. */
export function taxesBy(taxes: readonly TaxJson[] | undefined, codes: readonly string[] | undefined): TaxInput[] {
  return (codes ?? []).map((code) => {
    const tax = (taxes ?? []).find((candidate) => candidate.code === code);
    if (!tax) throw new Error(`no tax ${code} in the setup`);
    return { id: code, code, name: code, rate: dec(tax.rate) };
  });
}

export function entityInput(entity: EntityJson | undefined, taxes: SetupJson['taxes']): BillingEntityInput {
  return {
    id: entity?.code ?? 'be',
    code: entity?.code ?? 'be',
    name: 'Billing entity',
    timezone: entity?.timezone ?? null,
    finalizeZeroAmountInvoice: entity?.finalize_zero_amount_invoice ?? true,
    invoiceGracePeriod: entity?.invoice_grace_period,
    netPaymentTerm: entity?.net_payment_term,
    issuingDateAnchor: entity?.subscription_invoice_issuing_date_anchor,
    issuingDateAdjustment: entity?.subscription_invoice_issuing_date_adjustment,
    taxes: taxesBy(taxes, entity?.tax_codes),
    documentNumbering: entity?.document_numbering ?? 'per_customer',
    documentNumberPrefix: entity?.document_number_prefix ?? 'ENT',
  };
}

/** `timezone` of the setup is the one that applies: the customer's where the customer states none. */
export function customerInput(setup: SetupJson): CustomerInput {
  const customer: CustomerJson = setup.customer ?? {};
  return {
    id: 'customer',
    externalId: customer.external_id ?? 'customer',
    stored: customer.persisted ?? true,
    currency: customer.currency,
    timezone: customer.timezone ?? setup.timezone ?? null,
    finalizeZeroAmountInvoice: customer.finalize_zero_amount_invoice ?? 'inherit',
    invoiceGracePeriod: customer.invoice_grace_period,
    netPaymentTerm: customer.net_payment_term,
    issuingDateAnchor: customer.subscription_invoice_issuing_date_anchor,
    issuingDateAdjustment: customer.subscription_invoice_issuing_date_adjustment,
    taxes: taxesBy(setup.taxes, customer.tax_codes),
    sequentialId: 1,
  };
}

export function planInput(plan: PlanJson, taxes: SetupJson['taxes']): PlanInput {
  const { minimum_commitment: commitment } = plan;
  return {
    id: plan.code,
    code: plan.code,
    name: plan.name ?? plan.code,
    interval: plan.interval ?? 'monthly',
    amountCents: cents(plan.amount_cents),
    currency: plan.amount_currency ?? 'EUR',
    payInAdvance: plan.pay_in_advance ?? false,
    trialDays: dec(plan.trial_period ?? 0),
    billChargesMonthly: plan.bill_charges_monthly ?? false,
    billFixedChargesMonthly: plan.bill_fixed_charges_monthly ?? false,
    taxes: taxesBy(taxes, plan.tax_codes),
    charges: (plan.charges ?? []).map((charge) => chargeInput(charge, taxes)),
    fixedCharges: (plan.fixed_charges ?? []).map((charge) => fixedChargeInput(charge, taxes)),
    commitment: commitment
      ? { id: 'commitment', amountCents: cents(commitment.amount_cents), taxes: taxesBy(taxes, commitment.tax_codes) }
      : null,
    usageThresholds: (plan.usage_thresholds ?? []).map((threshold, index) => ({
      id: String(index),
      amountCents: cents(threshold.amount_cents),
      recurring: threshold.recurring,
    })),
  };
}

export function chargeInput(charge: ChargeJson, taxes: SetupJson['taxes']): PlanChargeInput {
  const filters = charge.filters ?? [];
  const keys = new Map<string, Set<string>>();
  for (const [key, values] of filters.flatMap((filter) => Object.entries(filter.values))) {
    keys.set(key, new Set([...(keys.get(key) ?? []), ...values]));
  }
  return {
    id: charge.code,
    code: charge.code,
    model: charge.charge_model ?? 'standard',
    properties: charge.properties,
    payInAdvance: charge.pay_in_advance ?? false,
    prorated: charge.prorated ?? false,
    invoiceable: charge.invoiceable ?? true,
    minAmountCents: cents(charge.min_amount_cents),
    taxes: taxesBy(taxes, charge.tax_codes),
    filters: filters.map((filter, index) => ({
      id: `${charge.code}-${index}`,
      values: filter.values,
      properties: filter.properties,
      invoiceDisplayName: filter.invoice_display_name,
    })),
    metric: {
      id: charge.metric,
      code: charge.metric,
      name: charge.metric,
      aggregation: charge.aggregation,
      fieldName: charge.field_name ?? null,
      recurring: charge.recurring ?? false,
      filters: [...keys].map(([key, values]) => ({ key, values: [...values] })),
    },
  };
}

export function fixedChargeInput(charge: FixedChargeJson, taxes: SetupJson['taxes']): PlanFixedChargeInput {
  const addOn = charge.add_on ?? `${charge.code}-add-on`;
  return {
    id: charge.code,
    code: charge.code,
    model: charge.charge_model ?? 'standard',
    properties: charge.properties,
    prorated: charge.prorated ?? false,
    payInAdvance: charge.pay_in_advance ?? false,
    units: dec(charge.units),
    addOn: { id: addOn, code: addOn, name: addOn },
    taxes: taxesBy(taxes, charge.tax_codes),
  };
}

export function subscriptionInput(json: SubscriptionJson, plan: PlanInput): SubscriptionInput {
  return {
    id: json.id,
    externalId: json.external_id ?? json.id,
    name: json.name ?? null,
    plan,
    stored: json.persisted ?? true,
    status: json.status ?? 'active',
    subscriptionAt: moment(json.subscription_at),
    startedAt: momentOrNull(json.started_at),
    createdAt: moment(json.created_at ?? json.subscription_at),
    endingAt: momentOrNull(json.ending_at),
    terminatedAt: momentOrNull(json.terminated_at),
    billingTime: json.billing_time ?? 'calendar',
    previousId: typeof json.previous === 'string' ? json.previous : null,
    nextId: typeof json.next === 'string' ? json.next : null,
    billingEntityCode: json.billing_entity ?? null,
    onTerminationCreditNote: json.on_termination_credit_note ?? null,
  };
}

export function couponInputs(coupons: readonly CouponJson[] | undefined): AppliedCouponInput[] {
  return (coupons ?? []).map((coupon, index) => ({
    id: `${coupon.code}-${index}`,
    couponId: coupon.code,
    code: coupon.code,
    name: coupon.name ?? coupon.code,
    type: coupon.coupon_type ?? 'fixed_amount',
    amountCents: coupon.amount_cents == null ? null : cents(coupon.amount_cents),
    currency: coupon.amount_currency ?? null,
    rate: coupon.percentage_rate == null ? null : dec(coupon.percentage_rate),
    frequency: coupon.frequency ?? 'once',
    periodsRemaining: coupon.frequency_duration_remaining ?? null,
    usedCents: cents(coupon.already_credited_cents),
    planIds: coupon.limited_plans ?? [],
    metricIds: coupon.limited_billable_metrics ?? [],
    status: 'active',
    createdAt: index,
  }));
}

export function creditNoteInputs(notes: readonly CreditNoteJson[] | undefined): CreditNoteInput[] {
  return (notes ?? []).map((note, index) => ({
    id: note.code,
    number: note.code,
    invoiceNumber: 'an-earlier-invoice',
    invoiceId: null,
    currency: note.currency,
    balanceCents: cents(note.balance_amount_cents),
    status: note.status,
    creditStatus: 'available',
    createdAt: index,
  }));
}

export function walletInputs(wallets: readonly WalletJson[] | undefined): WalletInput[] {
  return (wallets ?? []).map((wallet, index) => ({
    id: wallet.code,
    code: wallet.code,
    status: wallet.status ?? 'active',
    priority: wallet.priority ?? 50,
    rateAmount: dec(wallet.rate_amount ?? 1),
    currency: wallet.currency ?? 'EUR',
    balanceCents: cents(wallet.balance_cents),
    traceable: wallet.traceable ?? true,
    feeTypes: wallet.allowed_fee_types ?? [],
    metricIds: wallet.billable_metrics ?? [],
    createdAt: wallet.created_order ?? index,
    inbound: (wallet.inbound ?? []).map((credit, at) => ({
      id: `${wallet.code}-${at}`,
      kind: credit.kind,
      remainingCents: cents(credit.remaining_cents),
      priority: credit.priority ?? 50,
      createdAt: at,
    })),
  }));
}

/** A fee given as such; `taxes` are those that rank before the plan's, when the case names any. */
export function feeInput(fee: FeeJson, index: number, taxes: readonly TaxInput[]): InvoiceFee {
  const amount = cents(fee.amount_cents);
  return {
    key: String(index),
    type: fee.type,
    chargeId: fee.charge ?? null,
    fixedChargeId: null,
    filterId: fee.filter ?? null,
    groupedBy: fee.grouped_by ?? {},
    units: ONE,
    amountCents: amount,
    preciseAmountCents: dec(fee.precise_amount_cents ?? amount),
    unitAmountCents: amount,
    preciseUnitAmount: dec(amount).div(100),
    eventsCount: null,
    totalAggregatedUnits: null,
    amountDetails: {},
    trueUpParentKey: null,
    period: null,
    payInAdvance: false,
    invoiceable: true,
    pricingUnit: null,
    presentationBreakdowns: [],
    eventTransactionId: null,
    edit: null,
    subscriptionId: fee.subscription ?? null,
    planId: fee.plan ?? null,
    parentPlanId: null,
    metricId: fee.metric ?? null,
    addOnId: null,
    description: null,
    item: {
      type: fee.type,
      itemType: 'Subscription',
      itemId: null,
      code: '',
      name: '',
      description: null,
      invoiceDisplayName: '',
      filterInvoiceDisplayName: null,
      filters: null,
    },
    taxes,
    planAmountCents: null,
    targetWalletCode: fee.target_wallet ?? null,
    preciseCouponsAmountCents: dec(fee.precise_coupons_amount_cents ?? 0),
    preciseCreditNotesAmountCents: ZERO,
    taxesAmountCents: 0n,
    taxesPreciseAmountCents: dec(fee.taxes_precise_amount_cents ?? 0),
    taxesRate: ZERO,
    appliedTaxes: [],
  };
}
