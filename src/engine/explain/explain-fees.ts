import type { TimelineState } from '../../billing/timeline/timeline-type.ts';
import { explainInvoice, explainLooseFee, type FeeExplanation } from '../../billing/verify/explain.ts';
import type { Actor } from '../../store/access/audit.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { livesOfFees } from '../../store/invoice/fee-life.ts';
import { readLife } from '../life/read-life.ts';

function explainedIn(state: TimelineState, invoiceIds: ReadonlySet<string>, feeIds: ReadonlySet<string>) {
  const invoiced = state.invoices
    .filter(({ id }) => invoiceIds.has(id))
    .flatMap(({ id, fees }) =>
      explainInvoice(state, id).map((explanation, at) => [fees[at]?.key ?? '', explanation] as const),
    );
  const loose = state.fees
    .filter(({ id }) => feeIds.has(id))
    .map(({ id }) => [id, explainLooseFee(state, id)] as const);
  return [...invoiced, ...loose].filter(([id]) => feeIds.has(id));
}

/**
 * Why fees come to their amounts, by their identifiers; those of invoices that are still being made have none. What is read depends on how many
 * customers they are of, and on the charges of their invoices, not on how many fees there are. Nothing is written.
 */
export async function explainFees(
  db: TenantClient,
  actor: Actor,
  feeIds: readonly string[],
): Promise<ReadonlyMap<string, FeeExplanation>> {
  const asked = new Set(feeIds);
  const found = new Map<string, FeeExplanation>();
  for (const life of await livesOfFees(db, actor, feeIds)) {
    const invoiceIds = new Set(life.invoiceIds);
    const explained = await readLife(db, actor, life, (state) => explainedIn(state, invoiceIds, asked));
    for (const [id, explanation] of explained ?? []) found.set(id, explanation);
  }
  return found;
}
