import { builder } from './builder.ts';
import { enumRef } from './enum.ts';
import { connection, defineNode, defineObject } from './node.ts';
import { PaymentMethodReference, REFERENCE_COLUMNS } from './payment-method.ts';
import { listing, lookupById } from './root.ts';

const OLDEST_FIRST = { orderBy: [{ createdAt: 'asc' as const }, { id: 'asc' as const }] };

interface AppliesTo {
  readonly allowedFeeTypes: readonly string[];
  readonly billableMetrics: readonly { readonly code: string }[];
}

const WalletAppliesTo = builder.objectRef<AppliesTo>('WalletAppliesTo').implement({
  description: 'What a wallet pays; two empty lists mean everything.',
  fields: (t) => ({
    feeTypes: t.field({
      type: [enumRef('FeeType')],
      description: 'Fee types that the wallet pays.',
      resolve: (wallet) => [...wallet.allowedFeeTypes],
    }),
    billableMetricCodes: t.stringList({
      description: 'Codes of the metrics whose usage the wallet pays.',
      resolve: (wallet) => wallet.billableMetrics.map((metric) => metric.code),
    }),
  }),
});

defineObject('RecurringTransactionRule', {
  resource: 'wallet',
  omit: ['wallet', 'walletId', 'grantsTargetTopUp'],
  fields: (t) => ({
    grantsTargetTopUp: t.boolean({
      description: 'Whether a target rule gives the credits away.',
      select: { grantsTargetTopUp: true },
      resolve: (rule) => rule.grantsTargetTopUp ?? false,
    }),
    paymentMethodReference: t.field({
      type: PaymentMethodReference,
      description: 'Who collects the payment.',
      select: REFERENCE_COLUMNS,
      resolve: (rule) => rule,
    }),
    appliedInvoiceCustomSections: t.relation('appliedInvoiceCustomSections', { query: OLDEST_FIRST }),
  }),
});

defineNode('Wallet', {
  resource: 'wallet',
  omit: ['allowedFeeTypes'],
  fields: (t) => ({
    externalCustomerId: t.string({
      description: "The customer's identifier in the caller's application.",
      select: { customer: { select: { externalId: true } } },
      resolve: (wallet) => wallet.customer.externalId,
    }),
    billingEntityCode: t.string({
      description: "Code of the wallet's billing entity: its own, else the customer's.",
      select: {
        billingEntity: { select: { code: true } },
        customer: { select: { billingEntity: { select: { code: true } } } },
      },
      resolve: ({ billingEntity, customer }) => (billingEntity ?? customer.billingEntity).code,
    }),
    appliesTo: t.field({
      type: WalletAppliesTo,
      description: 'What the wallet pays.',
      select: { allowedFeeTypes: true, billableMetrics: { select: { code: true }, orderBy: { code: 'asc' } } },
      resolve: (wallet) => wallet,
    }),
    recurringTransactionRules: t.relation('recurringTransactionRules', {
      description: 'Rules that top the wallet up, as far as they are active and not expired.',
      query: (_args, { now }) => ({
        where: { status: 'active', OR: [{ expirationAt: null }, { expirationAt: { gt: now } }] },
        ...OLDEST_FIRST,
      }),
    }),
    appliedInvoiceCustomSections: t.relation('appliedInvoiceCustomSections', { query: OLDEST_FIRST }),
    paymentMethodReference: t.field({
      type: PaymentMethodReference,
      description: 'Who collects the payment of top-ups.',
      select: REFERENCE_COLUMNS,
      resolve: (wallet) => wallet,
    }),
    transactions: connection(t, 'Wallet', 'transactions', {
      model: 'WalletTransaction',
      resource: 'wallet_transaction',
      foreignKey: 'walletId',
    }),
  }),
});

defineNode('WalletTransaction', { resource: 'wallet_transaction' });

lookupById('wallet', 'Wallet', 'wallet', 'A wallet by the identifier that the service assigned, whatever its state.');

listing('wallets', 'Wallet', { resource: 'wallet', description: 'Wallets.', where: () => ({}) });
