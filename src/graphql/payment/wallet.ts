import { notFound } from '../../billing/errors.ts';
import { mergeWalletMetadata } from '../../engine/payment/merge-wallet-metadata.ts';
import { terminateWallet } from '../../engine/payment/terminate-wallet.ts';
import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import { isUuid } from '../../store/database/uuid.ts';
import { builder } from '../base/builder.ts';
import { firstOf } from '../base/column.ts';
import { enumRef } from '../base/enum.ts';
import { KeyValue, keyValues } from '../base/key-value.ts';
import { actorOf } from '../context.ts';
import { connection, defineNode } from '../list/node.ts';
import { listing, lookupById } from '../list/root.ts';
import { mutation } from '../write/mutation.ts';
import { PaymentMethodReference, REFERENCE_COLUMNS } from './payment-method.ts';
import { runningBalanceFields } from './running-balance.ts';
import { walletFilter, walletTransactionFilter } from './wallet-filter.ts';

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

defineNode('RecurringTransactionRule', {
  resource: 'wallet',
  omit: ['wallet', 'walletId', 'grantsTargetTopUp'],
  fields: (t) => ({
    grantsTargetTopUp: t.boolean({
      description: 'Whether a target rule gives the credits away.',
      select: { grantsTargetTopUp: true },
      resolve: (rule) => rule.grantsTargetTopUp ?? false,
    }),
    transactionMetadataEntries: t.field({
      type: [KeyValue],
      description: 'Key-value pairs put on the transactions; `transactionMetadata` has them as JSON.',
      select: { transactionMetadata: true },
      resolve: (rule) => keyValues(rule.transactionMetadata),
    }),
    paymentMethodReference: t.field({
      type: PaymentMethodReference,
      description: 'Who collects the payment.',
      select: REFERENCE_COLUMNS,
      resolve: (rule) => rule,
    }),
    appliedInvoiceCustomSections: t.relation('appliedInvoiceCustomSections', { query: { orderBy: OLDEST_FIRST } }),
  }),
});

defineNode('Wallet', {
  sums: {
    currency: 'currency',
    columns: ['balanceCents', 'ongoingBalanceCents', 'ongoingUsageBalanceCents', 'creditsBalance', 'consumedCredits'],
  },
  filter: walletFilter,
  resource: 'wallet',
  omit: ['allowedFeeTypes'],
  fields: (t) => ({
    externalCustomerId: t.string({
      description: "The customer's identifier in the caller's application.",
      extensions: firstOf(['customer.externalId']),
      select: { customer: { select: { externalId: true } } },
      resolve: (wallet) => wallet.customer.externalId,
    }),
    billingEntityCode: t.string({
      description: "Code of the wallet's billing entity: its own, else the customer's.",
      extensions: firstOf(['billingEntity.code', 'customer.billingEntity.code']),
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
        orderBy: OLDEST_FIRST,
      }),
    }),
    appliedInvoiceCustomSections: t.relation('appliedInvoiceCustomSections', { query: { orderBy: OLDEST_FIRST } }),
    paymentMethodReference: t.field({
      type: PaymentMethodReference,
      description: 'Who collects the payment of top-ups.',
      select: REFERENCE_COLUMNS,
      resolve: (wallet) => wallet,
    }),
    metadataObject: t.field({
      type: 'JSON',
      description: 'Free key-value pairs; an empty object until some are set.',
      select: { metadata: true },
      resolve: ({ metadata }) => metadata ?? {},
    }),
    metadataEntries: t.field({
      type: [KeyValue],
      description: 'Free key-value pairs; `metadata` has them as JSON.',
      select: { metadata: true },
      resolve: ({ metadata }) => keyValues(metadata),
    }),
    transactions: connection(t, 'Wallet', 'transactions', {
      model: 'WalletTransaction',
      resource: 'wallet_transaction',
      foreignKey: 'walletId',
    }),
  }),
});

defineNode('WalletTransaction', {
  filter: walletTransactionFilter,
  resource: 'wallet_transaction',
  sums: {
    currency: 'currency',
    currencyOf: { relation: 'wallet', model: 'Wallet', resource: 'wallet' },
    columns: ['amount', 'creditAmount', 'remainingAmountCents'],
  },
  fields: (t) => ({
    ...runningBalanceFields(t),
    metadataEntries: t.field({
      type: [KeyValue],
      description: 'Key-value pairs; `metadata` has them as JSON.',
      select: { metadata: true },
      resolve: ({ metadata }) => keyValues(metadata),
    }),
  }),
});

lookupById('wallet', 'Wallet', 'wallet', 'A wallet by the identifier that the service assigned, whatever its state.');

listing('wallets', 'Wallet', { resource: 'wallet', description: 'Wallets.' });

listing('walletTransactions', 'WalletTransaction', {
  resource: 'wallet_transaction',
  description: 'Credits that came into wallets or were used.',
});

const svcIdArg = builder.args((t) => ({
  svcId: t.field({ type: 'UUID', required: true, description: 'Identifier assigned by the service.' }),
}));

const metadataArg = builder.args((t) => ({
  metadata: t.field({
    type: 'JSON',
    description:
      'An object of keys of at most 100 characters and values that are null or strings of at most 255. Null is stored. Absent or empty, nothing is changed.',
  }),
}));

mutation('mergeWalletMetadata', 'Wallet', {
  resource: 'wallet',
  description:
    'Merges key-value pairs into the metadata of a wallet: new keys are added, known ones get the new value, all others stay. At most 50 keys in all. A terminated wallet is refused.',
  args: { ...svcIdArg, ...metadataArg },
  write: async ({ svcId, metadata }, context) => {
    if (!isUuid(svcId)) throw notFound('wallet');
    return mergeWalletMetadata(context.db, actorOf(context), svcId, metadata);
  },
});

mutation('terminateWallet', 'Wallet', {
  resource: 'wallet',
  description:
    'Terminates a wallet and its recurring rules; balance, credits and invoices stay as they are. Done again, it changes nothing and answers the same wallet.',
  args: svcIdArg,
  write: async ({ svcId }, context) => {
    if (!isUuid(svcId)) throw notFound('wallet');
    return terminateWallet(context.db, actorOf(context), svcId);
  },
});
