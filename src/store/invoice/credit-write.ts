import type { AppliedCouponInput, CreditNoteInput } from '../../billing/invoice/credit-input.ts';
import type { CreditLine } from '../../billing/invoice/draft-invoice.ts';
import { fromCents } from '../../billing/money/currency.ts';
import type { Change } from '../../billing/subscription/change.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';

const SOURCES = {
  coupon: 'appliedCouponId',
  credit_note: 'creditNoteId',
  invoice: 'progressiveBillingInvoiceId',
} as const;

const itemOf = ({ itemId, sourceId, code, name }: CreditLine) => ({
  ...{ itemId: itemId ?? sourceId ?? '', itemCode: code, itemName: name },
});

/** An invoice with its lines of credit, when and by whom it is stored. */
interface Credited {
  readonly actor: Actor;
  readonly invoice: { readonly id: string; readonly credits: readonly CreditLine[] };
}

/** Stores the lines of credit of invoices, in one statement. They are what later invoices know of the coupons and progressive invoices it used. */
export async function addCredits(tx: TenantTransaction, credited: readonly Credited[]): Promise<void> {
  const data = credited.flatMap(({ actor: { organizationId, now }, invoice: { id: invoiceId, credits } }) =>
    credits.map((line) => ({
      ...{ id: newId(now), organizationId, invoiceId, [SOURCES[line.type]]: line.sourceId, itemType: line.type },
      ...{ ...itemOf(line), amountCents: line.amountCents, amountCurrency: line.currency },
      ...{ beforeTaxes: line.beforeTaxes, createdAt: now },
    })),
  );
  if (data.length > 0) await tx.credit.createMany({ data });
}

/** Stores an applied coupon as it stands after an invoice. */
export async function saveCoupon(
  tx: TenantTransaction,
  { now }: Actor,
  { id, status, periodsRemaining }: AppliedCouponInput,
): Promise<void> {
  const terminatedAt = status === 'terminated' ? now : null;
  const data = { status, terminatedAt, frequencyDurationRemaining: periodsRemaining };
  await tx.appliedCoupon.update({ where: { id }, data, select: { id: true } });
}

/** Stores what an invoice left of a credit note. */
export async function saveNoteBalance(
  tx: TenantTransaction,
  { id, balanceCents, creditStatus }: CreditNoteInput,
): Promise<void> {
  await tx.creditNote.update({
    where: { id },
    data: { balanceAmountCents: balanceCents, creditStatus },
    select: { id: true },
  });
}

/** Books what a wallet paid of an invoice: its balance, a transaction, and what is left of its top-ups. */
export async function bookWallet(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  { invoiceId, currency, use, wallet }: Change<'wallet_used'>,
): Promise<string> {
  const { walletId, amountCents, creditAmount } = use;
  const transactionId = newId(now);
  const credits = creditAmount.toFixed();
  const data = {
    ...{ balanceCents: { decrement: amountCents }, creditsBalance: { decrement: credits } },
    ...{ ongoingBalanceCents: { decrement: amountCents }, creditsOngoingBalance: { decrement: credits } },
    ...{ consumedCredits: { increment: credits }, lastConsumedCreditAt: now },
  };
  await tx.wallet.update({ where: { id: walletId }, data, select: { id: true } });
  await tx.walletTransaction.createMany({
    data: {
      ...{ id: transactionId, organizationId, walletId, invoiceId, creditAmount: credits },
      amount: fromCents(amountCents, currency).toFixed(),
      transactionType: 'outbound',
      status: 'settled',
      transactionStatus: 'invoiced',
      ...{ settledAt: now, createdAt: now },
    },
  });
  for (const { id, remainingCents } of wallet.inbound) {
    await tx.walletTransaction.update({
      where: { id },
      data: { remainingAmountCents: remainingCents },
      select: { id: true },
    });
  }
  return transactionId;
}

/** Books what comes back to a wallet from an invoice that is voided: its balance, and credits that are granted. */
export async function creditWallet(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  { invoiceId: voidedInvoiceId, currency, use, inboundId: id }: Change<'wallet_given_back'>,
): Promise<void> {
  const { walletId, amountCents, creditAmount } = use;
  const credits = creditAmount.toFixed();
  const data = {
    ...{ balanceCents: { increment: amountCents }, creditsBalance: { increment: credits } },
    ...{ ongoingBalanceCents: { increment: amountCents }, creditsOngoingBalance: { increment: credits } },
    consumedCredits: { decrement: credits },
  };
  await tx.wallet.update({ where: { id: walletId }, data, select: { id: true } });
  await tx.walletTransaction.createMany({
    data: {
      ...{ id, organizationId, walletId, voidedInvoiceId, creditAmount: credits, remainingAmountCents: amountCents },
      amount: fromCents(amountCents, currency).toFixed(),
      transactionType: 'inbound',
      status: 'settled',
      transactionStatus: 'granted',
      ...{ settledAt: now, createdAt: now },
    },
  });
}
