import type { ActivationOutcome } from '../../../billing/timeline/timeline-type.ts';
import { type LockedInvoice, lifeOf } from '../../../store/invoice/invoice-lock.ts';
import type { Changed } from '../../changed.ts';
import { live, type Stage } from '../../life/live.ts';

/**
 * Lets what waits for an open invoice become active, or gives it up: the invoice is final or closed after it. Of invoices that nothing waits for
 * nothing becomes another.
 */
export async function settleActivation(
  stage: Stage,
  invoice: LockedInvoice,
  outcome: Extract<ActivationOutcome, 'paid' | 'failed'>,
): Promise<Changed> {
  const { tx, actor } = stage;
  const waiting = await tx.subscription.findMany({
    where: { status: 'incomplete', billingPeriods: { some: { invoiceId: invoice.id } } },
    select: { id: true },
  });
  const at = actor.now.getTime();
  const steps = waiting.map(({ id: subscriptionId }) => ({
    ...{ at, do: 'settle_activation' as const, subscriptionId, outcome },
  }));
  return steps.length > 0 ? live(stage, lifeOf(invoice), { steps, invoiceIds: [invoice.id] }) : {};
}
