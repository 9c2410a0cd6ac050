import type { SubscriptionInput } from '../customer/subscription.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { computeInvoice } from '../invoice/invoice.ts';
import type { Instant } from '../period/calendar.ts';
import { billedSubscription } from '../subscription/billed-subscription.ts';
import type { LooseFee } from '../subscription/change.ts';
import { feeOwner } from '../subscription/subscription-fees.ts';
import { looseRenewalFees } from '../subscription/usage-fees.ts';
import { accountOf, billedIn, subscriptionOf } from './account.ts';
import { afterChanges } from './apply.ts';
import { idsOf, makeInvoice } from './make.ts';
import type { TimelineState } from './timeline-type.ts';

/** Fees of usage in advance that is not invoiced: they stand alone, with their taxes. Source: engine-money 2.14. */
export function addLooseFees(state: TimelineState, fees: readonly InvoiceFee[] = []): TimelineState {
  const ids = idsOf(state);
  const made = fees.flatMap((one) => {
    const { currency } = subscriptionOf(state, one.subscriptionId ?? '').plan;
    const taxed = computeInvoice({ currency, fees: [one], kind: 'plain' }).fees;
    return taxed.map((fee) => ({
      kind: 'fee_made' as const,
      fee: { id: ids.fee(), fee, paidAt: null, invoiceId: null },
      ...{ currency, selfBilled: state.customer.partner === true },
    }));
  });
  return afterChanges(state, made);
}

/** Renews what some subscriptions have of recurring usage in advance that is not invoiced, with their billing run. */
export function renewLooseFees(state: TimelineState, ids: readonly string[], at: Instant): TimelineState {
  return ids.reduce((changed, id) => {
    const ended = subscriptionOf(changed, id).status === 'terminated';
    const billed = billedIn(changed, id, at, ended ? 'subscription_terminating' : 'subscription_periodic');
    const account = accountOf(changed);
    return addLooseFees(changed, looseRenewalFees(billed, account.usage, feeOwner(billed, account)));
  }, state);
}

/** Fees on no invoice are paid. Throws a RangeError for an id the timeline does not know. */
export function payFee(state: TimelineState, id: string, at: Instant): TimelineState {
  if (!state.fees.some((fee) => fee.id === id)) throw new RangeError(`no fee ${id} in the timeline`);
  return { ...state, fees: state.fees.map((fee) => (fee.id === id ? { ...fee, paidAt: at } : fee)) };
}

/**
 * Gathers on one invoice, with a billing run of some subscriptions, the paid fees of charges that ask for it, under the external
 * identifiers of those subscriptions: only of periods that are over, unless one of them has ended. It is paid already. Source:
 * engine-money 2.13.
 */
export function gatherPaidFees(state: TimelineState, ids: readonly string[], at: Instant): TimelineState {
  const billed = ids.map((id) => subscriptionOf(state, id));
  const family = state.subscriptions.filter(({ externalId }) => billed.some((one) => one.externalId === externalId));
  const running = billed.every(({ status, nextId }) => status === 'active' && nextId === null);
  const due = state.fees.filter((loose) => isGathered(loose, family, at) && !(running && isOpen(loose, at)));
  const [first] = billed;
  if (due.length === 0 || first === undefined) return state;
  const owner = billedSubscription(accountOf(state), first, at, 'in_advance_charge_periodic');
  const fees = due.map(({ fee }) => fee);
  const made = makeInvoice(state, {
    at,
    subscriptions: [owner],
    fees,
    type: 'advance_charges',
  });
  const invoiceId = made.invoices.at(-1)?.id;
  if (invoiceId === undefined) return made;
  return afterChanges(made, [{ kind: 'fees_gathered', invoiceId, feeIds: due.map(({ id }) => id) }]);
}

function isGathered({ fee, paidAt, invoiceId }: LooseFee, family: readonly SubscriptionInput[], at: Instant): boolean {
  const owner = family.find(({ id }) => id === fee.subscriptionId);
  const charge = owner?.plan.charges.find(({ id }) => id === fee.chargeId);
  return charge?.regroupPaidFees === 'invoice' && invoiceId === null && paidAt !== null && paidAt <= at;
}

function isOpen({ fee }: LooseFee, at: Instant): boolean {
  return fee.period === null || fee.period.to >= at;
}
