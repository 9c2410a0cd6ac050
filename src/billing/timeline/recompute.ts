import type { PlanChargeInput } from '../catalogue/plan.ts';
import type { PlacedEdit } from '../fee/edited-fee.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { targetWalletOf } from '../fee/target-wallet.ts';
import { withCommonTaxes } from '../fee/tax-source.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import { editsOf } from '../invoice/edited-draft.ts';
import type { InvoicingReason } from '../invoice/issued-invoice.ts';
import { ZERO } from '../money/decimal.ts';
import type { BilledSubscription } from '../subscription/billed-subscription.ts';
import type { MadeInvoice } from '../subscription/change.ts';
import { running } from '../subscription/invoice-request.ts';
import { issueInvoice } from '../subscription/issue.ts';
import { feeOwner, planFee } from '../subscription/subscription-fees.ts';
import { accountOf, billedIn, inZoneOf } from './account.ts';
import type { TimelineState } from './timeline-type.ts';

/** Who is billed again. */
type Billing = (subscriptionId: string, reason: InvoicingReason) => BilledSubscription;

/** Subscriptions as an invoice bills them again, with what was changed by hand on its fees. */
export const billingOf =
  (state: TimelineState, invoice: MadeInvoice, edits: readonly PlacedEdit[]): Billing =>
  (subscriptionId, reason) => ({
    ...billedIn(state, subscriptionId, invoice.billedAt, reason, invoice),
    edits: edits.filter(({ place }) => place.subscriptionId === subscriptionId),
  });

/**
 * An invoice that is not final as it is computed with the data of this moment, with its dates. `edits`: what is changed by hand on its fees from
 * now on; absent: what is already. Source: invoicing 14.
 */
export function recomputed(
  now: TimelineState,
  draft: MadeInvoice,
  final: boolean,
  edits?: readonly PlacedEdit[],
): MadeInvoice {
  const state = inZoneOf(now, draft);
  const isOfRun = draft.recipe.length > 0;
  const billing = billingOf(state, draft, edits ?? editsOf(draft));
  const subscriptions = (isOfRun ? draft.recipe : draft.billingPeriods).map(({ subscriptionId, reason }) => {
    const billed = billing(subscriptionId, reason);
    return reason.startsWith('subscription_') ? billed : running(billed);
  });
  const account = accountOf(state, draft);
  const result = issueInvoice(account, {
    ...{ at: draft.billedAt, subscriptions, final, gated: draft.status === 'open' },
    ...{ type: draft.type, currency: draft.currency, appliedThresholds: draft.appliedThresholds },
    voidedInvoiceId: draft.voidedInvoiceId,
    ...(isOfRun ? {} : { fees: feesAgain(state, draft, account, edits && billing) }),
  });
  const billingPeriods = isOfRun ? result.billingPeriods : draft.billingPeriods;
  return {
    ...draft,
    ...result,
    billingPeriods,
    issuingDate: draft.issuingDate,
    paymentDueDate: draft.paymentDueDate,
  };
}

/**
 * The fees that an invoice was made with, where it is not of a run that makes them anew; taxed by now where their taxes were waited for. Those of
 * a plan alone are computed with `billing`, where what is changed by hand is another.
 */
function feesAgain(
  { subscriptions }: TimelineState,
  draft: MadeInvoice,
  account: CustomerAccount,
  billing: Billing | undefined,
): InvoiceFee[] {
  const charges = new Map(
    subscriptions.flatMap(({ plan }) => plan.charges.map((charge) => [charge.id, charge] as const)),
  );
  const fees = draft.fees.map((fee) => {
    const { type, subscriptionId, chargeId } = fee;
    const billed =
      type === 'subscription' && subscriptionId ? billing?.(subscriptionId, 'subscription_starting') : null;
    return billed ? planFee(billed, feeOwner(billed, account)) : withoutCredits(fee, charges.get(chargeId ?? ''));
  });
  return draft.taxStatus === 'pending' ? withCommonTaxes(fees, account) : fees;
}

/** A fee as it was before its invoice credited and taxed it. */
function withoutCredits(fee: InvoiceFee, charge: PlanChargeInput | undefined): InvoiceFee {
  return {
    ...fee,
    targetWalletCode: fee.targetWalletCode ?? (charge ? targetWalletOf(fee, charge) : null),
    preciseCouponsAmountCents: ZERO,
    preciseCreditNotesAmountCents: ZERO,
  };
}
