import type { SubscriptionInput } from '../customer/subscription.ts';
import { invalid } from '../errors.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import type { InvoiceResult } from '../invoice/issued-invoice.ts';
import type { Instant } from '../period/calendar.ts';
import { unitsRequest } from './invoice-request.ts';
import { issueInvoice } from './issue.ts';

/** Bound of amounts: what a column of minor units holds. */
const MOST_CENTS = 2n ** 63n - 1n;

/**
 * The invoice of a change of units that takes effect at once and is paid in advance; null where nothing is. `subscription` has
 * the new units in its history. Throws a validation error for an amount past 64 bits. 3 to 6 units at 10: 3000 cents.
 * Source: invoicing 6.
 */
export function issueUnitsInvoice(
  account: CustomerAccount,
  subscription: SubscriptionInput,
  fixedChargeId: string,
  at: Instant,
): InvoiceResult | null {
  const request = unitsRequest(account, subscription, [fixedChargeId], at);
  if (request === null) return null;
  const invoice = issueInvoice(account, request);
  const most = [invoice.feesAmountCents, invoice.subTotalIncludingTaxesAmountCents];
  if (most.some((cents) => cents > MOST_CENTS)) throw invalid({ units: ['value_is_out_of_range'] });
  return invoice;
}
