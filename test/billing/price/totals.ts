import type { ChargeProperties } from '../../../src/billing/catalogue/charge-type.ts';
import type { Decimal } from '../../../src/billing/money/decimal.ts';
import { shareFold } from '../../../src/billing/price/graduated-prorated.ts';
import { transactionFold } from '../../../src/billing/price/percentage-transaction.ts';
import type { EventShare, ShareTotals, TransactionTotals } from '../../../src/billing/price/price-type.ts';

/** What a list of shares comes to. */
export function shareTotals(properties: ChargeProperties, shares: readonly EventShare[]): ShareTotals {
  const fold = shareFold(properties);
  for (const share of shares) fold.add(share);
  return fold.totals();
}

/** What a list of transactions comes to. */
export function transactionTotals(properties: ChargeProperties, values: readonly Decimal[]): TransactionTotals {
  const fold = transactionFold(properties);
  for (const value of values) fold.add(value, 1);
  return fold.totals();
}
