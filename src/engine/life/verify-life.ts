import type { Difference, DifferenceReason } from '../../billing/verify/difference.ts';
import { type Unasked, verifyInvoice, verifyLooseFees } from '../../billing/verify/verify.ts';
import type { Actor } from '../../store/access/audit.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import type { BilledLife } from '../../store/subscription/billed-life.ts';
import { readLife } from './read-life.ts';

/** A difference, with the number of its invoice; empty where it has none. */
export interface FoundDifference extends Difference {
  readonly number: string;
}

/** What came out of a customer's invoices: differences, and figures that were not asked again, in the words and in how many there are. */
export interface VerifiedLife {
  readonly differences: readonly FoundDifference[];
  readonly unasked: Unasked;
}

const REASONS: Readonly<Record<DifferenceReason, string>> = {
  usage_changed: 'the events that are stored come to other units',
  price_changed: 'the same units cost something else by the prices that are stored',
  fee_missing: 'a fee is not there',
  fee_unexpected: 'nothing stored makes this fee',
  not_the_sum: 'it does not follow from the other figures of the invoice',
  note_changed: 'what is given back of the invoice comes to something else',
};

const UNASKED: Readonly<Record<keyof Unasked, string>> = {
  units_paid_before: 'fees of units that grew at once: by how much they grew, their price was',
  event_gone: 'fees of events that are not stored any more',
  price_gone: 'fees of charges or subscriptions that are not stored any more',
  renewed: 'fees that renewed usage without an invoice',
  sold_elsewhere: 'fees of credits that were bought',
  wallet_gave: 'amounts that a wallet gave',
  note_by_hand: 'credit notes that no rule made, or of fees that were changed by hand',
};

/** A difference in a line. */
export const differenceText = ({ number, invoiceId, figure, stored, computed, reason }: FoundDifference): string =>
  `${number || invoiceId} ${figure}: ${stored || 'none'}, not ${computed || 'none'}: ${REASONS[reason]}`;

/** What was not asked again, a line for each reason. */
export const unaskedLines = (unasked: Unasked): string[] =>
  (Object.keys(UNASKED) as (keyof Unasked)[]).flatMap((reason) =>
    unasked[reason] ? [`${unasked[reason]} ${UNASKED[reason]}`] : [],
  );

/** Counts of several, added up. */
export function addUnasked(all: readonly Unasked[]): Unasked {
  const sums: Partial<Record<keyof Unasked, number>> = {};
  for (const one of all) {
    for (const [reason, count] of Object.entries(one)) {
      sums[reason as keyof Unasked] = (sums[reason as keyof Unasked] ?? 0) + count;
    }
  }
  return sums;
}

/**
 * Computes stored invoices of a customer again, from what is stored of it and of its usage, and tells every figure that is not what comes out.
 * Nothing is written. `loose`: the fees of its subscriptions that are on no invoice too.
 */
export async function verifyLife(
  db: TenantClient,
  actor: Actor,
  life: BilledLife,
  { loose = false } = {},
): Promise<VerifiedLife> {
  const named = new Set(life.invoiceIds);
  const found = await readLife(db, actor, life, (state) => {
    const invoices = state.invoices.filter(({ id }) => named.has(id));
    const verified = invoices.map(({ id, number }) => ({ number, ...verifyInvoice(state, id) }));
    return loose ? [...verified, { number: '', ...verifyLooseFees(state) }] : verified;
  });
  const verified = found ?? [];
  return {
    differences: verified.flatMap(({ number, differences }) => differences.map((one) => ({ ...one, number }))),
    unasked: addUnasked(verified.map(({ unasked }) => unasked)),
  };
}
