import { BILLING_ENTITIES } from '../../engine/customer/billing-entity.ts';
import { BY_CODE } from '../../store/database/row-order.ts';
import { billingEntityFilter } from '../catalogue/catalogue-filter.ts';
import { connection, defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { resourceMutations } from '../write/resource.ts';

defineNode('BillingEntity', {
  filter: billingEntityFilter,
  resource: 'billing_entity',
  fields: (t) => ({
    taxes: t.relation('taxes', { query: { orderBy: BY_CODE } }),
    selectedInvoiceCustomSections: t.relation('selectedInvoiceCustomSections', { query: { orderBy: BY_CODE } }),
    customers: connection(t, 'BillingEntity', 'customers', {
      model: 'Customer',
      resource: 'customer',
      foreignKey: 'billingEntityId',
    }),
    invoices: connection(t, 'BillingEntity', 'invoices', {
      model: 'Invoice',
      resource: 'invoice',
      foreignKey: 'billingEntityId',
    }),
  }),
});

lookup('billingEntity', 'BillingEntity', {
  resource: 'billing_entity',
  description: 'A billing entity by its code, archived or not; the one that is not archived comes first.',
  args: codeArgs,
  query: ({ code }) => ({
    where: { code, deletedAt: null },
    orderBy: [{ archivedAt: { sort: 'desc', nulls: 'first' } }, { id: 'asc' }],
  }),
});

listing('billingEntities', 'BillingEntity', {
  resource: 'billing_entity',
  description: 'Billing entities that are not archived.',
  where: () => ({ archivedAt: null }),
});

resourceMutations(BILLING_ENTITIES, { groups: { billingConfiguration: 'How invoices are made and dated.' } });
