import { zoneOf } from '../../../billing/subscription/billed-subscription.ts';
import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';

/** Says the time zone of a draft's customer: a customer has one clock, whichever entity bills. */
export async function zonesOf(drafts: readonly Draft[], importer: Importing): Promise<(draft: Draft) => string> {
  await importer.resolver.loadFound('customer', drafts, 'customer_id');
  const entities = await importer.resolver.loadAll('billing_entity', drafts, 'customer_id', 'billing_entity_id');
  return ({ found }) => {
    const customer = found.customer_id;
    const entity = entities.get(String(customer?.billing_entity_id));
    return zoneOf({ timezone: customer?.timezone ?? null }, { timezone: entity?.timezone ?? null });
  };
}
