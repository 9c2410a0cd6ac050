import { taxableInvoices } from '../../store/invoice/invoice-life.ts';
import { allChanged, type Changed } from '../changed.ts';
import { live, type Stage } from './live.ts';

/**
 * Gives a customer's invoices that waited for their taxes what they waited for, once it is known which taxes they are: those that would have
 * been final become so, drafts stay drafts. The customer is locked. Done again, it changes nothing.
 */
export async function settleTaxes(stage: Stage, customerId: string): Promise<Changed> {
  const changed: Changed[] = [];
  for (const { billingEntityId, externalIds, invoiceIds } of await taxableInvoices(stage.tx, customerId)) {
    const steps = [{ at: stage.actor.now.getTime(), do: 'settle_taxes' as const }];
    changed.push(await live(stage, { customerId, billingEntityId, externalIds }, { steps, invoiceIds }));
  }
  return allChanged(changed);
}
