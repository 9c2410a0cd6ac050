import type { BillingEntityInput, CustomerInput } from '../../src/billing/customer/customer.ts';
import type { AppliedCouponInput, WalletInput } from '../../src/billing/invoice/credit-input.ts';
import { dec } from '../../src/billing/money/decimal.ts';
import type { AppliedCouponRow, CustomerRow, EntityRow, Section, WalletRow } from './document.ts';
import { byCode, taxInputs } from './input.ts';

export function entityInput(section: Section, row: EntityRow): BillingEntityInput {
  return {
    id: row.svc_id,
    code: row.code,
    name: row.name,
    timezone: row.timezone,
    finalizeZeroAmountInvoice: true,
    invoiceGracePeriod: row.invoice_grace_period ?? null,
    netPaymentTerm: row.net_payment_term ?? null,
    taxes: taxInputs(section, row.tax_codes),
    documentNumbering: row.document_numbering ?? 'per_customer',
    documentNumberPrefix: row.document_number_prefix,
  };
}

export function customerInput(section: Section, row: CustomerRow): CustomerInput {
  return {
    id: row.svc_id,
    externalId: row.external_id,
    stored: true,
    currency: row.currency,
    timezone: row.timezone ?? null,
    finalizeZeroAmountInvoice: row.finalize_zero_amount_invoice ?? 'inherit',
    invoiceGracePeriod: row.billing_configuration?.invoice_grace_period ?? null,
    netPaymentTerm: row.net_payment_term ?? null,
    taxes: taxInputs(section, row.tax_codes),
    partner: row.account_type === 'partner',
    sequentialId: row.sequential_id,
  };
}

/** A coupon on the day it was applied: nothing of it is used. */
export function couponInput(section: Section, row: AppliedCouponRow): AppliedCouponInput {
  const coupon = byCode(section.coupons, row.coupon_code);
  const metrics = coupon.billable_metric_codes ?? [];
  return {
    id: row.svc_id,
    couponId: coupon.svc_id,
    code: coupon.code,
    name: coupon.name,
    type: coupon.coupon_type,
    amountCents: coupon.amount_cents === undefined ? null : BigInt(coupon.amount_cents),
    currency: coupon.amount_currency ?? null,
    rate: coupon.percentage_rate === undefined ? null : dec(coupon.percentage_rate),
    frequency: coupon.frequency,
    periodsRemaining: coupon.frequency_duration ?? null,
    usedCents: 0n,
    planIds: (coupon.plan_codes ?? []).map((code) => byCode(section.plans, code).svc_id),
    metricIds: metrics.map((code) => byCode(section.billable_metrics, code).svc_id),
    status: 'active',
    createdAt: Date.parse(row.created_at),
  };
}

/** A wallet on the day it was made: empty. */
export function walletInput(section: Section, row: WalletRow): WalletInput {
  const metrics = row.applies_to?.billable_metric_codes ?? [];
  return {
    id: row.svc_id,
    code: row.code,
    status: 'active',
    priority: row.priority,
    rateAmount: dec(row.rate_amount),
    currency: row.currency,
    balanceCents: 0n,
    traceable: true,
    feeTypes: row.applies_to?.fee_types ?? [],
    metricIds: metrics.map((code) => byCode(section.billable_metrics, code).svc_id),
    createdAt: Date.parse(row.created_at),
    inbound: [],
  };
}
