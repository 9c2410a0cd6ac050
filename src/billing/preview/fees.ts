import { withSupposed } from '../aggregate/usage-source.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import type { BilledSubscription } from '../subscription/billed-subscription.ts';
import { arrearsPeriod, fixedFees, isProposed, runningFixedPeriod } from '../subscription/fixed-fees.ts';
import {
  commitmentFees,
  feeOwner,
  isAdvanced,
  isSubscriptionFeeDue,
  planFee,
} from '../subscription/subscription-fees.ts';
import { usageFees } from '../subscription/usage-fees.ts';
import type { SubscriptionEvent } from '../usage/usage.ts';

/**
 * Fees of a subscription on a preview: those of its invoice. A proposal always has a subscription fee, and no usage but what is
 * supposed. Source: invoicing 17.3.
 */
export function previewFees(
  billed: BilledSubscription,
  account: CustomerAccount,
  supposed: readonly SubscriptionEvent[],
): InvoiceFee[] {
  const owner = feeOwner(billed, account);
  const usage = withSupposed(account.usage, supposed);
  const isPlanBilled = isProposed(billed) || isSubscriptionFeeDue(billed);
  const fees = [
    ...(isPlanBilled ? [planFee(billed, owner)] : []),
    ...(!isProposed(billed) || supposed.length > 0 ? usageFees(billed, usage, owner) : []),
    ...fixedFees(billed, account.pastInvoices, owner, fixedArrearsPeriod(billed)),
  ];
  return [...fees, ...commitmentFees(billed, fees, owner)];
}

/**
 * A proposal shows fixed charges in arrears with its first period. Where nothing is in advance, an only invoice of the start has billed
 * them for existing clients; none is made here.
 */
function fixedArrearsPeriod(billed: BilledSubscription) {
  const { past, reason } = billed;
  if (isProposed(billed) && reason === 'subscription_starting') return runningFixedPeriod(billed);
  const reasons = past.flatMap((invoice) => invoice.billingPeriods.map((period) => period.reason));
  const onlyStarted = reasons.length > 0 && reasons.every((each) => each === 'subscription_starting');
  return onlyStarted && !isAdvanced(billed.subscription.plan) ? null : arrearsPeriod(billed);
}
