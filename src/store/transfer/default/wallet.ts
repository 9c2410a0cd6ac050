import { BillingError } from '../../../billing/errors.ts';
import { fromCents, toCents } from '../../../billing/money/currency.ts';
import { dec, decimalText } from '../../../billing/money/decimal.ts';
import { checkMetadataPatch } from '../../../billing/resource/metadata.ts';
import type { Draft, Row } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';

/** Credits from cents, or cents from credits, whichever is missing; both 0 when neither is there. */
function balance(row: Row, credits: string, cents: string): void {
  const rate = dec(String(row.rate_amount ?? '1'));
  const currency = String(row.currency);
  if (row[cents] === undefined) row[cents] = toCents(dec(String(row[credits] ?? '0')).times(rate), currency).toString();
  if (row[credits] === undefined) {
    const amount = fromCents(BigInt(String(row[cents])), currency);
    row[credits] = decimalText(rate.isZero() ? dec(0) : amount.div(rate).toDecimalPlaces(30));
  }
}

/** Currency, state and balances of new wallets. */
export async function fillWallets(drafts: Draft[], importer: Importing): Promise<void> {
  for (const { row, found } of drafts) {
    row.currency ??= found.customer_id?.currency ?? (await importer.defaultCurrency());
    row.status ??= row.terminated_at == null ? 'active' : 'terminated';
    if (row.terminated_at === undefined && row.status === 'terminated') row.terminated_at = importer.now;
    balance(row, 'credits_balance', 'balance_cents');
    if (row.ongoing_balance_cents === undefined && row.credits_ongoing_balance === undefined) {
      const used = BigInt(String(row.ongoing_usage_balance_cents ?? 0));
      row.ongoing_balance_cents = (BigInt(String(row.balance_cents)) - used).toString();
    }
    balance(row, 'credits_ongoing_balance', 'ongoing_balance_cents');
  }
}

/** Amount and credits of new transactions from one another, by the wallet's rate. */
export function fillTransactions(drafts: Draft[], importer: Importing): void {
  for (const { row, parent } of drafts) {
    const rate = dec(String(parent?.row.rate_amount ?? '1'));
    const amount = row.amount === undefined ? undefined : dec(String(row.amount));
    row.credit_amount ??= decimalText(amount && !rate.isZero() ? amount.div(rate).toDecimalPlaces(30) : dec(0));
    row.amount ??= decimalText(dec(String(row.credit_amount)).times(rate).toDecimalPlaces(30));
    row.transaction_status ??= row.transaction_type === 'outbound' ? 'invoiced' : 'purchased';
    const settled = (row.status ?? 'settled') === 'settled';
    if (row.settled_at === undefined && settled) row.settled_at = row.created_at ?? importer.now;
  }
}

/** Metadata obey the limits that a merge obeys. */
export async function checkMetadata(drafts: Draft[], importer: Importing): Promise<void> {
  for (const { row, place } of drafts) {
    try {
      checkMetadataPatch(row.metadata);
    } catch (error) {
      if (!(error instanceof BillingError) || !error.details) throw error;
      for (const [member, codes] of Object.entries(error.details)) importer.faults.add(`${place}.${member}`, ...codes);
    }
  }
}
