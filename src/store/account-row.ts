import type { AppliedCouponInput, CreditNoteInput, WalletInput } from '../billing/credit-input.ts';
import { dec } from '../billing/decimal.ts';
import type { BillingEntityInput, CustomerInput, TaxInput } from '../billing/invoice-input.ts';
import { defaultNumberPrefix } from '../billing/numbering.ts';
import type {
  AppliedCouponGetPayload,
  AppliedCouponInclude,
  BillingEntityGetPayload,
  CreditNoteGetPayload,
  CreditNoteInclude,
  CustomerGetPayload,
  TaxGetPayload,
  WalletGetPayload,
  WalletInclude,
} from './generated/prisma/models.ts';

export const LIVE_TAXES = { where: { deletedAt: null }, orderBy: { code: 'asc' } } as const;

export const COUPON_ROWS = {
  coupon: { include: { plans: { select: { id: true } }, billableMetrics: { select: { id: true } } } },
  credits: { where: { invoice: { status: { not: 'voided' } } }, select: { amountCents: true } },
} satisfies AppliedCouponInclude;
export const NOTE_ROWS = { invoice: { select: { number: true } } } satisfies CreditNoteInclude;
export const WALLET_ROWS = {
  billableMetrics: { select: { id: true } },
  transactions: { where: { transactionType: 'inbound', status: 'settled' } },
} satisfies WalletInclude;

const decimal = (value: { toFixed(): string }) => dec(value.toFixed());

export function taxInput({ id, code, name, description, rate }: TaxGetPayload<object>): TaxInput {
  return { id, code, name, description, rate: decimal(rate) };
}

export type EntityRow = BillingEntityGetPayload<{ include: { taxes: true } }>;
export type CustomerRow = CustomerGetPayload<{ include: { taxes: true } }>;

export function entityInput(row: EntityRow): BillingEntityInput {
  return {
    ...{ id: row.id, code: row.code, name: row.name, timezone: row.timezone, taxes: row.taxes.map(taxInput) },
    ...{ invoiceGracePeriod: row.invoiceGracePeriod, netPaymentTerm: row.netPaymentTerm },
    issuingDateAnchor: row.subscriptionInvoiceIssuingDateAnchor,
    issuingDateAdjustment: row.subscriptionInvoiceIssuingDateAdjustment,
    finalizeZeroAmountInvoice: row.finalizeZeroAmountInvoice,
    documentNumbering: row.documentNumbering,
    documentNumberPrefix: row.documentNumberPrefix ?? defaultNumberPrefix(row),
  };
}

export function customerInput(row: CustomerRow): CustomerInput {
  return {
    ...{ id: row.id, externalId: row.externalId, stored: true, currency: row.currency, timezone: row.timezone },
    ...{ invoiceGracePeriod: row.invoiceGracePeriod, netPaymentTerm: row.netPaymentTerm },
    issuingDateAnchor: row.subscriptionInvoiceIssuingDateAnchor,
    issuingDateAdjustment: row.subscriptionInvoiceIssuingDateAdjustment,
    finalizeZeroAmountInvoice: row.finalizeZeroAmountInvoice,
    taxes: row.taxes.map(taxInput),
    partner: row.accountType === 'partner',
    sequentialId: row.sequentialId,
  };
}

export function couponInput(row: AppliedCouponGetPayload<{ include: typeof COUPON_ROWS }>): AppliedCouponInput {
  const { coupon } = row;
  return {
    ...{ id: row.id, couponId: row.couponId, code: coupon.code, name: coupon.name, type: coupon.couponType },
    ...{ amountCents: row.amountCents, currency: row.amountCurrency, frequency: row.frequency, status: row.status },
    rate: row.percentageRate && decimal(row.percentageRate),
    periodsRemaining: row.frequencyDurationRemaining,
    usedCents: row.credits.reduce((total, credit) => total + credit.amountCents, 0n),
    planIds: coupon.limitedPlans ? coupon.plans.map(({ id }) => id) : [],
    metricIds: coupon.limitedBillableMetrics ? coupon.billableMetrics.map(({ id }) => id) : [],
    createdAt: row.createdAt.getTime(),
  };
}

export function noteInput(row: CreditNoteGetPayload<{ include: typeof NOTE_ROWS }>): CreditNoteInput {
  return {
    ...{ id: row.id, number: row.number, invoiceNumber: row.invoice.number, invoiceId: row.invoiceId },
    ...{ currency: row.currency, balanceCents: row.balanceAmountCents, status: row.status },
    creditStatus: row.creditStatus ?? 'consumed',
    createdAt: row.createdAt.getTime(),
  };
}

export function walletInput(row: WalletGetPayload<{ include: typeof WALLET_ROWS }>): WalletInput {
  const inbound = row.transactions.filter(({ remainingAmountCents }) => remainingAmountCents !== null);
  return {
    ...{ id: row.id, code: row.code, name: row.name, status: row.status, priority: row.priority },
    ...{ rateAmount: decimal(row.rateAmount), currency: row.currency, balanceCents: row.balanceCents },
    traceable: row.transactions.length > 0 && inbound.length === row.transactions.length,
    feeTypes: row.allowedFeeTypes,
    metricIds: row.billableMetrics.map(({ id }) => id),
    createdAt: row.createdAt.getTime(),
    inbound: inbound.map((one) => ({
      ...{ id: one.id, priority: one.priority, remainingCents: one.remainingAmountCents ?? 0n },
      kind: one.transactionStatus === 'granted' ? ('granted' as const) : ('purchased' as const),
      createdAt: one.createdAt.getTime(),
    })),
  };
}
