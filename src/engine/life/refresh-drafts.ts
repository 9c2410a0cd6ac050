import type { Actor } from '../../store/access/audit.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { staleDrafts } from '../../store/invoice/stale-draft.ts';
import { allChanged, type Changed } from '../changed.ts';
import { inTransaction } from '../transaction.ts';
import { live } from './live.ts';

/** Computes a customer's drafts anew of which something has changed that they are made of. Done again, it changes nothing. */
export function refreshDrafts(db: TenantClient, actor: Actor, customerId: string): Promise<Changed> {
  return inTransaction(db, actor, async (tx) => {
    await lockCustomers(tx, actor, [customerId]);
    const changed: Changed[] = [];
    for (const { billingEntityId, externalIds, invoiceIds } of await staleDrafts(tx, customerId)) {
      const at = actor.now.getTime();
      const steps = invoiceIds.map((invoiceId) => ({ at, do: 'refresh_draft' as const, invoiceId }));
      changed.push(await live({ db, tx, actor }, { customerId, billingEntityId, externalIds }, { steps, invoiceIds }));
    }
    return allChanged(changed);
  });
}
