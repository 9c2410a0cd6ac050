import type { FeeEdit } from '../fee/draft-fee.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import type { FeeStep, Trace } from '../fee/step.ts';
import type { MadeInvoice } from '../subscription/change.ts';
import { feeAnew } from '../timeline/regenerate.ts';
import type { TimelineState } from '../timeline/timeline-type.ts';
import { type Figures, type OwnDifference, textOf, unequal } from './difference.ts';
import {
  identityOf,
  type MadeAgain,
  othersAgain,
  runAgain,
  type UnaskedReason,
  type UnitsKnown,
} from './made-again.ts';

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

/** How a stored fee differs from the same one that is computed. */
export function feeDifferences(stored: InvoiceFee, computed: InvoiceFee) {
  const usage = unequal(measured(stored), measured(computed));
  if (usage.length > 0) return usage.map((one) => ({ ...one, reason: 'usage_changed' as const }));
  return unequal(priced(stored), priced(computed)).map((one) => ({ ...one, reason: 'price_changed' as const }));
}

const nameOf = ({ item, type }: InvoiceFee) => (type === 'subscription' ? type : item.code);

function differencesOf(invoice: MadeInvoice, { fees: again, unasked }: MadeAgain): OwnDifference[] {
  const expected = new Map(again.map((fee) => [identityOf(fee), fee]));
  const known = new Set(invoice.fees.map(identityOf));
  const differing = invoice.fees.flatMap((fee): OwnDifference[] => {
    const computed = expected.get(identityOf(fee));
    if (computed) {
      return feeDifferences(fee, computed).map((one) => ({ ...one, figure: `${nameOf(fee)}.${one.figure}` }));
    }
    if (unasked.has(fee)) return [];
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

/** Fees of an invoice made again, how they came about, and how those that are stored differ. */
export interface Compared extends MadeAgain {
  readonly steps: ReadonlyMap<string, readonly FeeStep[]>;
  readonly differences: readonly OwnDifference[];
}

function compared(invoice: MadeInvoice, make: (trace: Trace) => MadeAgain): Compared {
  const steps = new Map<string, readonly FeeStep[]>();
  const again = make((key, told) => steps.set(key, told));
  return { ...again, steps, differences: differencesOf(invoice, again) };
}

const isSameEdit = (one: FeeEdit | null, other: FeeEdit | null) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Fees of an invoice that was made anew of a voided one: what was not changed is what it was there, and came about as it did there; the rest follows
 * from what was changed by hand.
 */
function anewAgain(state: TimelineState, invoice: MadeInvoice, voided: MadeInvoice, trace: Trace): MadeAgain {
  const before = compareFees(state, voided);
  const computed = new Map(before.fees.map((fee) => [identityOf(fee), fee]));
  const unasked = new Map<InvoiceFee, UnaskedReason>();
  const fees = invoice.fees.flatMap((fee) => {
    const source = voided.fees.find(({ key }) => key === fee.originalFeeKey);
    if (source && isSameEdit(source.edit, fee.edit)) {
      const again = computed.get(identityOf(source));
      const steps = again && feeDifferences(source, again).length === 0 ? before.steps.get(again.key) : undefined;
      if (steps) trace(fee.key, steps);
      const reason = before.unasked.get(source);
      if (reason) unasked.set(fee, reason);
      return [{ ...source, key: fee.key }];
    }
    const told = (_: string, steps: readonly FeeStep[]) => trace(fee.key, steps);
    const again = feeAnew(state, voided, { feeKey: source?.key ?? null, place: fee, edit: fee.edit }, told);
    if (!again) unasked.set(fee, 'price_gone');
    return again ? [{ ...again, key: fee.key }] : [];
  });
  return { fees, unasked };
}

/** The voided invoice that one was made anew of, where it stands before it. */
const voidedOf = ({ invoices }: TimelineState, { id, voidedInvoiceId }: MadeInvoice) =>
  voidedInvoiceId == null
    ? undefined
    : invoices
        .slice(
          0,
          invoices.findIndex((one) => one.id === id),
        )
        .find((one) => one.id === voidedInvoiceId);

const NONE_UNASKED = new Map<never, never>();

/** The moments from that of an invoice on up to which units may have been recorded when it was made, the likelier ones first. */
function unitsKnownBy({ subscriptions }: TimelineState, { billedAt }: MadeInvoice): UnitsKnown[] {
  const histories = subscriptions.flatMap(({ unitEvents = {} }) => Object.values(unitEvents));
  const later = histories.flat().filter(({ createdAt }) => createdAt > billedAt);
  const moments = [...new Set([billedAt, ...later.map(({ createdAt }) => createdAt)])];
  const countAt = (at: number) =>
    Math.max(0, ...histories.map((units) => units.filter(({ createdAt }) => createdAt === at).length));
  const all = moments.map((at) => ({ at, atOnce: countAt(at) }));
  return [
    ...all,
    ...all.flatMap(({ at, atOnce }) => Array.from({ length: atOnce }, (_, few) => ({ at, atOnce: few }))),
  ];
}

/**
 * The fees of an invoice against those that it would have. A draft may have become final with units that were recorded after its day, and others
 * may have been recorded at the moment of an invoice, after it: of all moments, the one at which most is as it is.
 */
export function compareFees(state: TimelineState, invoice: MadeInvoice): Compared {
  const voided = voidedOf(state, invoice);
  if (voided) return compared(invoice, (trace) => anewAgain(state, invoice, voided, trace));
  if (invoice.recipe.length === 0) return compared(invoice, (trace) => othersAgain(state, invoice, trace));
  const of = (units: UnitsKnown) =>
    compared(invoice, (trace) => ({ fees: runAgain(state, invoice, units, trace), unasked: NONE_UNASKED }));
  const [first, ...others] = unitsKnownBy(state, invoice);
  let best = of(first ?? { at: invoice.billedAt, atOnce: 0 });
  for (const units of others) {
    if (best.differences.length === 0) break;
    const found = of(units);
    if (found.differences.length < best.differences.length) best = found;
  }
  return best;
}
