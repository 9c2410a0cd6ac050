import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { minorUnits } from '../money/currency.ts';
import { type Decimal, dec, ONE, roundToInteger, sum, ZERO } from '../money/decimal.ts';
import { leastCents } from '../money/share.ts';
import type { WalletInbound, WalletInput } from './credit-input.ts';
import { owed } from './credit-note-use.ts';
import type { DraftInvoice, WalletUse } from './draft-invoice.ts';
import { netOf } from './tax.ts';

/** Fees that a wallet treats alike. */
interface Bucket {
  readonly feeType: string;
  readonly metricId: string | null;
  readonly targetWalletCode: string | null;
  left: Decimal;
}

/**
 * Pays the invoice from the customer's wallets: by priority, then age; each takes from the largest group of fees it may pay
 * first, and what it gave is rounded once and booked. A wallet limited to charges pays charges with their taxes only.
 * Source: invoicing 13.
 */
export function applyWallets(invoice: DraftInvoice): DraftInvoice {
  const buckets = bucketsOf(invoice);
  let next = invoice;
  for (const wallet of inOrder(invoice)) {
    const taken = roundToInteger(takeFrom(buckets, wallet, dec(next.totalAmountCents)));
    // Two wallets that each round half a cent up must not pay more than is due, nor more than they hold.
    const amount = leastCents(leastCents(taken, next.totalAmountCents), wallet.balanceCents);
    if (amount > 0n) next = book(next, wallet, amount);
  }
  return splitByOrigin(next);
}

function inOrder(invoice: DraftInvoice): WalletInput[] {
  return invoice.wallets
    .filter((wallet) => wallet.status === 'active' && wallet.currency === invoice.currency)
    .sort((a, b) => a.priority - b.priority || a.createdAt - b.createdAt);
}

function bucketsOf(invoice: DraftInvoice): Bucket[] {
  const buckets = new Map<string, Bucket>();
  for (const fee of invoice.fees) {
    const cap = owed(fee);
    if (netOf(fee).isZero() || cap.lte(ZERO)) continue;
    const key = JSON.stringify([fee.type, fee.metricId, fee.targetWalletCode]);
    const bucket = buckets.get(key) ?? newBucket(fee);
    bucket.left = bucket.left.plus(cap);
    buckets.set(key, bucket);
  }
  const sorted = [...buckets.values()].sort((a, b) => b.left.comparedTo(a.left));
  const short = dec(invoice.totalAmountCents).minus(sum(sorted.map((bucket) => bucket.left)));
  const largest = sorted[0];
  // The invoice's tax is rounded on its own: up to a cent a group is missing from the caps and belongs to the largest.
  if (largest && short.isPositive() && short.lte(ONE.times(sorted.length))) largest.left = largest.left.plus(short);
  return sorted;
}

function newBucket(fee: InvoiceFee): Bucket {
  return { feeType: fee.type, metricId: fee.metricId, targetWalletCode: fee.targetWalletCode, left: ZERO };
}

function takeFrom(buckets: readonly Bucket[], wallet: WalletInput, due: Decimal): Decimal {
  let taken = ZERO;
  for (const bucket of buckets) {
    if (!mayPay(wallet, bucket)) continue;
    const room = dec(wallet.balanceCents).minus(taken);
    const part = lowest(bucket.left, room, due.minus(taken));
    if (part.lte(ZERO)) continue;
    bucket.left = bucket.left.minus(part);
    taken = taken.plus(part);
  }
  return taken;
}

function mayPay(wallet: WalletInput, bucket: Bucket): boolean {
  if (bucket.targetWalletCode !== null) return bucket.targetWalletCode === wallet.code;
  if (wallet.feeTypes.length === 0 && wallet.metricIds.length === 0) return true;
  if (wallet.feeTypes.includes(bucket.feeType)) return true;
  return bucket.feeType === 'charge' && wallet.metricIds.some((id) => id === bucket.metricId);
}

function book(invoice: DraftInvoice, wallet: WalletInput, amountCents: bigint): DraftInvoice {
  const perCredit = wallet.rateAmount.times(minorUnits(wallet.currency));
  const creditAmount = perCredit.isZero() ? ZERO : dec(amountCents).div(perCredit);
  const paid = { ...wallet, balanceCents: wallet.balanceCents - amountCents };
  return {
    ...invoice,
    wallets: invoice.wallets.map((other) => (other.id === wallet.id ? paid : other)),
    walletUses: [...invoice.walletUses, { walletId: wallet.id, amountCents, creditAmount }],
    prepaidCreditAmountCents: invoice.prepaidCreditAmountCents + amountCents,
    totalAmountCents: invoice.totalAmountCents - amountCents,
  };
}

/** How much was granted and how much bought: known only when every wallet of the customer traces its credits. */
function splitByOrigin(invoice: DraftInvoice): DraftInvoice {
  if (invoice.wallets.some((wallet) => wallet.status === 'active' && !wallet.traceable)) return invoice;
  let granted = 0n;
  let purchased = 0n;
  const wallets = invoice.wallets.map((wallet) => {
    const use = invoice.walletUses.find((candidate: WalletUse) => candidate.walletId === wallet.id);
    if (!use) return wallet;
    const consumed = consume(wallet.inbound, use.amountCents);
    granted += consumed.granted;
    purchased += consumed.purchased;
    return { ...wallet, inbound: consumed.inbound };
  });
  return {
    ...invoice,
    wallets,
    prepaidGrantedCreditAmountCents: granted > 0n ? granted : null,
    prepaidPurchasedCreditAmountCents: purchased > 0n ? purchased : null,
  };
}

/** Takes an amount out of what came in: by priority, granted before purchased, oldest first. */
function consume(inbound: readonly WalletInbound[], amountCents: bigint) {
  const taken = { granted: 0n, purchased: 0n };
  const after = new Map<string, WalletInbound>();
  let left = amountCents;
  for (const credit of [...inbound].sort(inboundOrder)) {
    const part = leastCents(credit.remainingCents, left);
    left -= part;
    taken[credit.kind] += part;
    after.set(credit.id, { ...credit, remainingCents: credit.remainingCents - part });
  }
  return { ...taken, inbound: inbound.map((credit) => after.get(credit.id) ?? credit) };
}

function inboundOrder(a: WalletInbound, b: WalletInbound): number {
  const rank = (credit: WalletInbound) => (credit.kind === 'granted' ? 0 : 1);
  return a.priority - b.priority || rank(a) - rank(b) || a.createdAt - b.createdAt;
}

function lowest(...values: readonly Decimal[]): Decimal {
  return values.reduce((least, value) => (value.lt(least) ? value : least));
}
