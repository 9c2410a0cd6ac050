import { INVOICE_CUSTOM_SECTIONS } from '../../engine/customer/invoice-custom-section.ts';
import { invoiceCustomSectionFilter } from '../catalogue/catalogue-filter.ts';
import { defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { resourceMutations } from '../write/resource.ts';

defineNode('InvoiceCustomSection', {
  filter: invoiceCustomSectionFilter,
  resource: 'invoice_custom_section',
  fields: (t) => ({
    svcOrganizationId: t.expose('organizationId', {
      type: 'UUID',
      description: 'The organization that owns the section.',
    }),
  }),
});

defineNode('AppliedInvoiceCustomSection', {
  resource: 'invoice_custom_section',
  omit: [
    'subscription',
    'subscriptionId',
    'wallet',
    'walletId',
    'recurringTransactionRule',
    'recurringTransactionRuleId',
  ],
});

lookup('invoiceCustomSection', 'InvoiceCustomSection', {
  resource: 'invoice_custom_section',
  description: 'A custom section by its code.',
  args: codeArgs,
  query: ({ code }) => ({ where: { code, deletedAt: null } }),
});

listing('invoiceCustomSections', 'InvoiceCustomSection', {
  resource: 'invoice_custom_section',
  description: 'Custom sections.',
});

resourceMutations(INVOICE_CUSTOM_SECTIONS, {
  deletion: 'It is printed by nothing any more; issued documents keep it, and its code is free again.',
});
