import { INVOICE_CUSTOM_SECTIONS } from '../../engine/customer/invoice-custom-section.ts';
import { builder } from '../base/builder.ts';
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

/** Which custom sections the invoices of something print. */
export const CustomSectionChoiceInput = builder.inputType('CustomSectionChoiceInput', {
  description: 'Which custom sections invoices print.',
  fields: (t) => ({
    skipInvoiceCustomSections: t.boolean({
      description: 'Whether they print none; that takes away those that are chosen. As it is without it.',
    }),
    invoiceCustomSectionCodes: t.stringList({
      description:
        'Codes of all that they print; an empty list is what applies to the customer. Codes that are unknown are left aside, and all of them where none are to be printed.',
    }),
  }),
});
