import type { AppliedCouponInput, CreditNoteInput, WalletInput } from '../../billing/invoice/credit-input.ts';
import { UNDONE_STATES } from '../../billing/invoice/hidden.ts';
import { dec } from '../../billing/money/decimal.ts';
import type {
  AppliedCouponGetPayload,
  AppliedCouponInclude,
  CouponGetPayload,
  CreditNoteGetPayload,
  WalletGetPayload,
} from '../generated/prisma/models.ts';
import { inRange } from './in-range.ts';

const IDS = { select: { id: true } } as const;

export const COUPON = { plans: IDS, billableMetrics: IDS } as const;
export const APPLIED_COUPON = {
  coupon: { include: COUPON },
  credits: { where: { invoice: { status: { notIn: [...UNDONE_STATES] } } }, select: { amountCents: true } },
} satisfies AppliedCouponInclude;
export const CREDIT_NOTE = { invoice: { select: { number: true } } } as const;
export const WALLET = {
  billableMetrics: IDS,
  transactions: { where: { transactionType: 'inbound', status: 'settled', remainingAmountCents: { gt: 0n } } },
} as const;

type CouponRow = CouponGetPayload<{ include: typeof COUPON }>;
type AppliedCouponRow = AppliedCouponGetPayload<{ include: typeof APPLIED_COUPON }>;
type CreditNoteRow = CreditNoteGetPayload<{ include: typeof CREDIT_NOTE }>;
type WalletRow = WalletGetPayload<{ include: typeof WALLET }>;

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

/** A coupon as if it were applied now. */
export function couponInput(coupon: CouponRow): AppliedCouponInput {
  const { id, code, name, amountCents, percentageRate, frequency } = inRange('coupon', coupon);
  const { frequencyDuration } = coupon;
  return {
    ...{ id, code, name, amountCents, frequency },
    couponId: id,
    type: coupon.couponType,
    currency: coupon.amountCurrency,
    rate: percentageRate && dec(percentageRate),
    periodsRemaining: frequency === 'recurring' ? frequencyDuration : null,
    usedCents: 0n,
    planIds: ids(coupon.plans),
    metricIds: ids(coupon.billableMetrics),
    status: 'active',
    createdAt: coupon.createdAt.getTime(),
  };
}

/** A coupon of a customer, with the amount or rate it was applied with. */
export function appliedCouponInput(row: AppliedCouponRow): AppliedCouponInput {
  const { id, amountCents, amountCurrency, percentageRate, frequency } = inRange('applied_coupon', row);
  const { status, createdAt, credits } = row;
  return {
    ...couponInput(row.coupon),
    ...{ id, frequency, status },
    amountCents,
    currency: amountCurrency,
    rate: percentageRate && dec(percentageRate),
    periodsRemaining: row.frequencyDurationRemaining,
    usedCents: credits.reduce((sum, credit) => sum + credit.amountCents, 0n),
    createdAt: createdAt.getTime(),
  };
}

export function creditNoteInput(row: CreditNoteRow): CreditNoteInput {
  const { id, number, invoiceId, currency, status } = row;
  return {
    ...{ id, number, invoiceId, currency, status },
    invoiceNumber: row.invoice.number,
    balanceCents: row.balanceAmountCents,
    creditStatus: row.creditStatus ?? 'available',
    createdAt: row.createdAt.getTime(),
  };
}

/**
 * A wallet with the credits that are left; one that is overdrawn pays nothing, which is no reason to refuse. It is traceable when what is left of its top-ups makes up its balance.
 */
export function walletInput(row: WalletRow): WalletInput {
  const { id, code, name, status, priority, currency, balanceCents } = inRange('wallet', row, [
    'rateAmount',
    'priority',
  ]);
  const inbound = row.transactions.map((transaction) => ({
    id: transaction.id,
    kind: transaction.transactionStatus === 'granted' ? ('granted' as const) : ('purchased' as const),
    remainingCents: transaction.remainingAmountCents ?? 0n,
    priority: inRange('wallet_transaction', transaction, ['priority']).priority,
    createdAt: transaction.createdAt.getTime(),
  }));
  return {
    ...{ id, code, name, status, priority, currency, balanceCents, inbound },
    rateAmount: dec(row.rateAmount),
    traceable: inbound.reduce((sum, { remainingCents }) => sum + remainingCents, 0n) === balanceCents,
    feeTypes: row.allowedFeeTypes,
    metricIds: ids(row.billableMetrics),
    createdAt: row.createdAt.getTime(),
  };
}
