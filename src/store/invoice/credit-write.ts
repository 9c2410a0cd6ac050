import type { CreditLine } from '../../billing/invoice/draft-invoice.ts';
import type { InvoiceResult } from '../../billing/invoice/issued-invoice.ts';
import { fromCents } from '../../billing/money/currency.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import type { WalletTransactionCreateManyInput } from '../generated/prisma/models.ts';

/** What a final invoice used, as it was before and is after it. */
export interface Used {
  readonly invoiceId: string;
  readonly invoice: InvoiceResult;
}

const SOURCES = {
  coupon: 'appliedCouponId',
  credit_note: 'creditNoteId',
  invoice: 'progressiveBillingInvoiceId',
} as const;

const itemOf = ({ itemId, sourceId, code, name }: CreditLine) => ({
  ...{ itemId: itemId ?? sourceId ?? '', itemCode: code, itemName: name },
});

async function addCredits(tx: TenantTransaction, { organizationId, now }: Actor, { invoiceId, invoice }: Used) {
  const data = invoice.credits.map((line) => ({
    ...{ id: newId(now), organizationId, invoiceId, [SOURCES[line.type]]: line.sourceId, itemType: line.type },
    ...{ ...itemOf(line), amountCents: line.amountCents, amountCurrency: line.currency },
    ...{ beforeTaxes: line.beforeTaxes, createdAt: now },
  }));
  if (data.length > 0) await tx.credit.createMany({ data });
}

async function moveCoupons(tx: TenantTransaction, { now }: Actor, { invoice }: Used) {
  const used = new Set(invoice.credits.map(({ sourceId }) => sourceId));
  for (const { id, status, periodsRemaining } of invoice.coupons.filter((coupon) => used.has(coupon.id))) {
    const terminatedAt = status === 'terminated' ? now : null;
    const data = { status, terminatedAt, frequencyDurationRemaining: periodsRemaining };
    await tx.appliedCoupon.update({ where: { id }, data, select: { id: true } });
  }
}

async function moveNotes(tx: TenantTransaction, { invoice }: Used) {
  const used = new Set(invoice.credits.map(({ sourceId }) => sourceId));
  for (const { id, balanceCents, creditStatus } of invoice.creditNotes.filter((note) => used.has(note.id))) {
    const data = { balanceAmountCents: balanceCents, creditStatus };
    await tx.creditNote.update({ where: { id }, data, select: { id: true } });
  }
}

async function moveWallets(tx: TenantTransaction, { organizationId, now }: Actor, { invoiceId, invoice }: Used) {
  for (const { walletId, amountCents, creditAmount } of invoice.walletUses) {
    const credits = creditAmount.toFixed();
    const data = {
      ...{ balanceCents: { decrement: amountCents }, creditsBalance: { decrement: credits } },
      ...{ ongoingBalanceCents: { decrement: amountCents }, creditsOngoingBalance: { decrement: credits } },
      ...{ consumedCredits: { increment: credits }, lastConsumedCreditAt: now },
    };
    await tx.wallet.update({ where: { id: walletId }, data, select: { id: true } });
    const transaction: WalletTransactionCreateManyInput = {
      amount: fromCents(amountCents, invoice.currency).toFixed(),
      ...{ id: newId(now), organizationId, walletId, invoiceId, creditAmount: credits },
      transactionType: 'outbound',
      status: 'settled',
      transactionStatus: 'invoiced',
      ...{ settledAt: now, createdAt: now },
    };
    await tx.walletTransaction.createMany({ data: transaction });
  }
  const inbound = invoice.wallets
    .filter(({ id }) => invoice.walletUses.some(({ walletId }) => walletId === id))
    .flatMap((wallet) => wallet.inbound);
  for (const { id, remainingCents } of inbound) {
    await tx.walletTransaction.update({
      where: { id },
      data: { remainingAmountCents: remainingCents },
      select: { id: true },
    });
  }
}

/** Books what an invoice used: its credits, and coupons, credit notes and wallets as they stand after it. */
export async function bookCredits(tx: TenantTransaction, actor: Actor, used: Used): Promise<void> {
  await addCredits(tx, actor, used);
  await moveCoupons(tx, actor, used);
  await moveNotes(tx, used);
  await moveWallets(tx, actor, used);
}
