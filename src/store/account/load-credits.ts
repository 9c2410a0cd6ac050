import type { AppliedCouponInput, CreditNoteInput, WalletInput } from '../../billing/invoice/credit-input.ts';
import { groupedBy } from '../database/row-group.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import {
  APPLIED_COUPON,
  appliedCouponInput,
  CREDIT_NOTE,
  creditNoteInput,
  WALLET,
  walletInput,
} from './credit-input.ts';

/** What a customer can pay with. */
export interface StoredCredits {
  readonly coupons: readonly AppliedCouponInput[];
  readonly creditNotes: readonly CreditNoteInput[];
  readonly wallets: readonly WalletInput[];
}

const ACTIVE = { status: 'active' } as const;

/**
 * What customers can pay with at a moment: a wallet past its expiration pays nothing, whether or not something has ended it yet. `usedBy`:
 * invoices whose coupons and notes are wanted too, also where they are used up; a coupon that is ended is over. Three statements.
 */
export async function loadCredits(
  tx: TenantTransaction,
  customerIds: readonly string[],
  usedBy: readonly string[] = [],
): Promise<(customerId: string, now: Date) => StoredCredits> {
  const customerId = { in: [...customerIds] };
  const used = { credits: { some: { invoiceId: { in: [...usedBy] } } } };
  const coupons = await tx.appliedCoupon.findMany({
    where: { customerId, OR: [{ status: 'active' }, ...(usedBy.length > 0 ? [{ ...used, coupon: ACTIVE }] : [])] },
    include: APPLIED_COUPON,
    orderBy: OLDEST_FIRST,
  });
  const creditNotes = await tx.creditNote.findMany({
    where: {
      ...{ customerId, status: 'finalized' },
      OR: [{ balanceAmountCents: { gt: 0n } }, ...(usedBy.length > 0 ? [used] : [])],
    },
    include: CREDIT_NOTE,
    orderBy: OLDEST_FIRST,
  });
  const wallets = await tx.wallet.findMany({
    where: { customerId, status: 'active' },
    include: WALLET,
    orderBy: [{ priority: 'asc' }, ...OLDEST_FIRST],
  });
  const [couponsOf, notesOf, walletsOf] = [
    groupedBy(coupons, 'customerId'),
    groupedBy(creditNotes, 'customerId'),
    groupedBy(wallets, 'customerId'),
  ];
  return (id, now) => ({
    coupons: couponsOf(id).map(appliedCouponInput),
    creditNotes: notesOf(id).map(creditNoteInput),
    wallets: walletsOf(id)
      .filter(({ expirationAt }) => expirationAt === null || expirationAt > now)
      .map(walletInput),
  });
}
