import { notFound } from '../../billing/errors.ts';
import { HIDDEN_STATES } from '../../billing/invoice/hidden.ts';
import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import { isUuid } from '../../store/database/uuid.ts';
import { builder } from '../base/builder.ts';
import { firstOf } from '../base/column.ts';
import { derivesFrom } from '../base/guard.ts';
import { checkFilteredEntities } from '../list/entity-code.ts';
import { connection, defineNode } from '../list/node.ts';
import { listing, lookupById } from '../list/root.ts';
import { Subscription } from '../subscription/subscription.ts';
import { invoiceFilter } from './invoice-filter.ts';
import { feesBySubscription } from './subscription-fees.ts';

const BY_TAX_CODE = { orderBy: [{ taxCode: 'asc' as const }, { id: 'asc' as const }] };
const part = { resource: 'invoice', omit: ['invoice'] } as const;

defineNode('InvoiceMetadata', { ...part, omit: ['invoice', 'invoiceId'] });
defineNode('InvoiceAppliedTax', part);
defineNode('InvoiceAppliedCustomSection', { ...part, filled: { details: '', displayName: '' } });
defineNode('AppliedUsageThreshold', { ...part, omit: ['invoice', 'invoiceId'] });
defineNode('InvoiceErrorDetail', { ...part, omit: ['invoice', 'invoiceId'] });

defineNode('BillingPeriod', {
  ...part,
  fields: (t) => ({
    externalSubscriptionId: t.string({
      description: "The subscription's identifier in the caller's application.",
      extensions: firstOf(['subscription.externalId']),
      select: { subscription: { select: { externalId: true } } },
      resolve: (period) => period.subscription.externalId,
    }),
    svcPlanId: t.field({
      type: 'UUID',
      description: 'Identifier of the plan of the subscription.',
      extensions: firstOf(['subscription.planId']),
      select: { subscription: { select: { planId: true } } },
      resolve: (period) => period.subscription.planId,
    }),
  }),
});

defineNode('Invoice', {
  sums: {
    currency: 'currency',
    columns: [
      'feesAmountCents',
      'couponsAmountCents',
      'creditNotesAmountCents',
      'progressiveBillingCreditAmountCents',
      'subTotalExcludingTaxesAmountCents',
      'taxesAmountCents',
      'subTotalIncludingTaxesAmountCents',
      'prepaidCreditAmountCents',
      'totalAmountCents',
      'totalPaidAmountCents',
      'totalDueAmountCents',
    ],
  },
  filter: invoiceFilter,
  resource: 'invoice',
  fields: (t) => ({
    billingEntityCode: t.string({
      description: 'Code of the entity that issues the invoice.',
      extensions: firstOf(['billingEntity.code']),
      select: { billingEntity: { select: { code: true } } },
      resolve: (invoice) => invoice.billingEntity.code,
    }),
    fileUrl: t.field({
      type: 'URL',
      nullable: true,
      description:
        'Address of the PDF document; null unless the invoice is final. It needs no key and expires. The document shows the customer and ' +
        'the fees: in GraphQL, it is for keys that may read these too.',
      ...derivesFrom('customer', 'fee'),
      select: { status: true },
      resolve: ({ id, status }, _args, context) =>
        status === 'finalized' && !context.dryRun ? context.fileUrl('invoices', id) : null,
    }),
    explanationUrl: t.field({
      type: 'URL',
      nullable: true,
      description:
        'Address of a page that tells in steps why each of its fees comes to its amount, to be read, printed and kept; null unless the invoice is ' +
        'final. It needs no key and expires. `Fee.explanation` is the same as data.',
      ...derivesFrom('customer', 'fee', 'subscription', 'plan', 'billable_metric'),
      select: { status: true },
      resolve: ({ id, status }, _args, context) =>
        status === 'finalized' && !context.dryRun ? context.fileUrl('explanations', id) : null,
    }),
    metadata: t.relation('metadata', { query: { orderBy: [{ createdAt: 'asc' }, { key: 'asc' }] } }),
    appliedTaxes: t.relation('appliedTaxes', { query: BY_TAX_CODE }),
    appliedInvoiceCustomSections: t.relation('appliedInvoiceCustomSections', { query: { orderBy: OLDEST_FIRST } }),
    appliedUsageThresholds: t.relation('appliedUsageThresholds', { query: { orderBy: OLDEST_FIRST } }),
    errorDetails: t.relation('errorDetails', { query: { where: { deletedAt: null }, orderBy: OLDEST_FIRST } }),
    billingPeriods: t.relation('billingPeriods', { query: { orderBy: OLDEST_FIRST } }),
    subscriptions: t.field({
      type: [Subscription],
      description: 'The subscriptions that the invoice bills.',
      select: (_args, _context, nested) => ({
        billingPeriods: { orderBy: OLDEST_FIRST, select: { subscription: nested() } },
      }),
      resolve: (invoice) => invoice.billingPeriods.map((period) => period.subscription),
    }),
    fees: connection(t, 'Invoice', 'fees', { model: 'Fee', resource: 'fee', foreignKey: 'invoiceId' }),
    allFees: t.relation('fees', {
      description: 'All its lines, oldest first.',
      query: { where: { deletedAt: null }, orderBy: OLDEST_FIRST },
    }),
    feesBySubscription: feesBySubscription(t),
    credits: t.relation('credits', { query: { orderBy: OLDEST_FIRST } }),
    creditNotes: t.relation('creditNotes', { query: { orderBy: OLDEST_FIRST } }),
    payments: connection(t, 'Invoice', 'payments', { model: 'Payment', resource: 'payment', foreignKey: 'invoiceId' }),
  }),
});

lookupById(
  'invoice',
  'Invoice',
  'invoice',
  'An invoice by the identifier that the service assigned, unless it is still being made or was skipped.',
  { status: { notIn: HIDDEN_STATES } },
);

listing('invoices', 'Invoice', {
  resource: 'invoice',
  description: 'Invoices, without those that are still being made and those of zero that were skipped.',
  check: checkFilteredEntities,
});

builder.mutationField('downloadInvoice', (t) =>
  t.prismaField({
    type: 'Invoice',
    nullable: true,
    description: 'A final invoice with the address of its PDF document.',
    args: { svcId: t.arg({ type: 'UUID', required: true, description: 'Identifier assigned by the service.' }) },
    extensions: { permission: 'invoice:write' },
    resolve: async (selection: object, _root, { svcId }, { db }) => {
      const where = { id: svcId, status: 'finalized' as const };
      const invoice = isUuid(svcId) ? await db.invoice.findFirst({ ...selection, where }) : null;
      if (!invoice) throw notFound('invoice');
      return invoice;
    },
  }),
);
