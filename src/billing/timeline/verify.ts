import type { UnitEvent } from '../customer/subscription.ts';
import { placeKey } from '../fee/edited-fee.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { placedEdits } from '../invoice/edited-draft.ts';
import type { Instant } from '../period/calendar.ts';
import type { MadeInvoice } from '../subscription/change.ts';
import { subscriptionFees } from '../subscription/subscription-fees.ts';
import { accountOf } from './account.ts';
import { type Difference, type Figures, type OwnDifference, textOf, unequal } from './difference.ts';
import { billingOf } from './recompute.ts';
import type { TimelineState } from './timeline-type.ts';
import { notTheSum } from './verify-sum.ts';

/** What tells a fee from the others of its invoice, whenever it is made. */
const identityOf = (fee: InvoiceFee): string =>
  JSON.stringify([placeKey(fee), fee.subscriptionId, fee.addOnId, fee.trueUpParentKey !== null]);

const measured = ({ units, eventsCount, totalAggregatedUnits }: InvoiceFee): Figures => ({
  units,
  // A prorated unique count has decimals, a stored one has none.
  eventsCount: eventsCount?.trunc() ?? null,
  totalAggregatedUnits,
});
const priced = ({ amountCents, preciseAmountCents, preciseUnitAmount }: InvoiceFee): Figures => ({
  amountCents,
  preciseAmountCents,
  preciseUnitAmount,
});

function feeDifferences(stored: InvoiceFee, computed: InvoiceFee) {
  const usage = unequal(measured(stored), measured(computed));
  if (usage.length > 0) return usage.map((one) => ({ ...one, reason: 'usage_changed' as const }));
  return unequal(priced(stored), priced(computed)).map((one) => ({ ...one, reason: 'price_changed' as const }));
}

/** The subscriptions as they were when no units of fixed charges were recorded after a moment. */
function unitsKnownAt(state: TimelineState, at: Instant): TimelineState {
  const knownOf = (units: readonly UnitEvent[]) => units.filter(({ createdAt }) => createdAt <= at);
  const subscriptions = state.subscriptions.map((one) => {
    const histories = Object.entries(one.unitEvents ?? {}).map(([id, units]) => [id, knownOf(units)] as const);
    return { ...one, unitEvents: Object.fromEntries(histories.filter(([, units]) => units.length > 0)) };
  });
  return { ...state, subscriptions };
}

/**
 * Fees of a billing run against those that it would make: of single events, thresholds and sales nothing is left to make them from. A draft may
 * have become final with units that were recorded after its day: of all moments since, the one at which most is as it is.
 */
function madeAgain(state: TimelineState, invoice: MadeInvoice): OwnDifference[] {
  if (invoice.recipe.length === 0) return [];
  const units = state.subscriptions.flatMap(({ unitEvents = {} }) => Object.values(unitEvents).flat());
  const later = units.map(({ createdAt }) => createdAt).filter((at) => at > invoice.billedAt);
  let fewest: OwnDifference[] | undefined;
  for (const at of new Set([invoice.billedAt, ...later])) {
    const found = differencesAt(unitsKnownAt(state, at), invoice);
    if (found.length < (fewest?.length ?? Number.POSITIVE_INFINITY)) fewest = found;
    if (found.length === 0) break;
  }
  return fewest ?? [];
}

function differencesAt(state: TimelineState, invoice: MadeInvoice): OwnDifference[] {
  const account = accountOf(state, invoice);
  const billing = billingOf(state, invoice, placedEdits(invoice.fees));
  const again = invoice.recipe.flatMap(({ subscriptionId, reason }) =>
    subscriptionFees(billing(subscriptionId, reason), account),
  );
  const expected = new Map(again.map((fee) => [identityOf(fee), fee]));
  const known = new Set(invoice.fees.map(identityOf));
  const nameOf = ({ item, type }: InvoiceFee) => (type === 'subscription' ? type : item.code);
  const differing = invoice.fees.flatMap((fee): OwnDifference[] => {
    const computed = expected.get(identityOf(fee));
    if (computed) {
      return feeDifferences(fee, computed).map((one) => ({ ...one, figure: `${nameOf(fee)}.${one.figure}` }));
    }
    const stored = textOf(fee.amountCents);
    return [{ figure: `${nameOf(fee)}.amountCents`, stored, computed: '', reason: 'fee_unexpected' }];
  });
  const missing = again.filter((fee) => !known.has(identityOf(fee)));
  return [
    ...differing,
    ...missing.map((fee): OwnDifference => {
      const computed = textOf(fee.amountCents);
      return { figure: `${nameOf(fee)}.amountCents`, stored: '', computed, reason: 'fee_missing' };
    }),
  ];
}

/**
 * Computes an invoice again from what is known of its customer, by the rules that made it, and tells every figure that comes out otherwise.
 * First what its fees come to, from usage and prices, then what follows from the fees that are there: one wrong figure is not told twice. An
 * invoice that is no more computed than stored (a draft) has no differences. Throws a RangeError for an id the timeline does not know.
 */
export function verifyInvoice(state: TimelineState, id: string): Difference[] {
  const invoice = state.invoices.find((one) => one.id === id);
  if (!invoice) throw new RangeError(`no invoice ${id} in the timeline`);
  if (invoice.status === 'draft') return [];
  return [...madeAgain(state, invoice), ...notTheSum(state, invoice)].map((one) => ({ invoiceId: id, ...one }));
}
