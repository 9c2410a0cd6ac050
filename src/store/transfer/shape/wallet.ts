import {
  FeeType,
  RecurringRuleInterval,
  RecurringRuleMethod,
  RecurringRuleStatus,
  RecurringRuleTrigger,
  WalletStatus,
  WalletTransactionKind,
  WalletTransactionSource,
  WalletTransactionStatus,
  WalletTransactionType,
} from '../../generated/prisma/enums.ts';
import { checkMetadata, fillTransactions, fillWallets } from '../default/wallet.ts';
import { choice, field, ref, shape, stamps } from '../document/shape.ts';
import { appliedSections, paymentMethod } from './subscription.ts';

const required = { required: true } as const;

const RULE = shape({
  name: 'recurring_transaction_rule',
  table: 'recurring_transaction_rules',
  fields: [
    choice('trigger', RecurringRuleTrigger, { initial: 'interval' }),
    choice('method', RecurringRuleMethod, { initial: 'fixed' }),
    choice('interval', RecurringRuleInterval),
    choice('status', RecurringRuleStatus, { initial: 'active' }),
    field('threshold_credits', 'decimal'),
    field('paid_credits', 'decimal', { initial: 0 }),
    field('granted_credits', 'decimal', { initial: 0 }),
    field('target_ongoing_balance', 'decimal'),
    field('grants_target_top_up', 'boolean'),
    field('invoice_requires_successful_payment', 'boolean', { initial: false }),
    field('ignore_paid_top_up_limits', 'boolean', { initial: false }),
    field('started_at', 'time'),
    field('expiration_at', 'time'),
    field('terminated_at', 'time'),
    field('transaction_metadata', 'json', { initial: [] }),
    field('transaction_name', 'text'),
    paymentMethod.type,
    ...stamps('updated'),
  ],
  refs: [paymentMethod.ref],
  children: [appliedSections('recurring_transaction_rule_id')],
});

/** Credits that came into a wallet or were used. */
const WALLET_TRANSACTION = shape({
  name: 'wallet_transaction',
  table: 'wallet_transactions',
  fields: [
    choice('transaction_type', WalletTransactionType, { initial: 'inbound' }),
    choice('status', WalletTransactionStatus, { initial: 'settled' }),
    choice('transaction_status', WalletTransactionKind, { nullable: false }),
    choice('source', WalletTransactionSource, { initial: 'manual' }),
    field('amount', 'decimal', { nullable: false }),
    field('credit_amount', 'decimal', { nullable: false }),
    field('remaining_amount_cents', 'cents'),
    field('priority', 'integer', { initial: 50 }),
    field('name', 'text'),
    field('invoice_requires_successful_payment', 'boolean', { initial: false }),
    field('metadata', 'json', { initial: [] }),
    field('settled_at', 'time'),
    field('failed_at', 'time'),
    ...stamps('updated'),
  ],
  refs: [ref('invoice_id', 'invoice', ['svc_invoice_id'], undefined, { late: true })],
  lookup: ['name'],
  fill: fillTransactions,
});

/** Prepaid credits of a customer. */
export const WALLET = shape({
  name: 'wallet',
  table: 'wallets',
  section: 'wallets',
  key: ['customer_id', 'code'],
  unique: (row) => row.status === 'active' || row.status === undefined,
  fields: [
    field('name', 'text'),
    field('code', 'text'),
    field('currency', 'currency', { nullable: false }),
    choice('status', WalletStatus, { nullable: false }),
    field('rate_amount', 'decimal', { initial: 1 }),
    field('credits_balance', 'decimal', { nullable: false }),
    field('consumed_credits', 'decimal', { initial: 0 }),
    field('credits_ongoing_balance', 'decimal', { nullable: false }),
    field('credits_ongoing_usage_balance', 'decimal', { initial: 0 }),
    field('balance_cents', 'cents', { nullable: false }),
    field('ongoing_balance_cents', 'cents', { nullable: false }),
    field('ongoing_usage_balance_cents', 'cents', { initial: 0 }),
    field('paid_top_up_min_amount_cents', 'cents'),
    field('paid_top_up_max_amount_cents', 'cents'),
    field('priority', 'integer', { initial: 50 }),
    field('invoice_requires_successful_payment', 'boolean', { initial: false }),
    field('expiration_at', 'time'),
    field('last_balance_sync_at', 'time'),
    field('last_consumed_credit_at', 'time'),
    field('terminated_at', 'time'),
    field('applies_to.fee_types', 'texts', {
      column: 'allowed_fee_types',
      initial: [],
      values: Object.values(FeeType),
      aliases: ['allowed_fee_types'],
    }),
    field('metadata', 'json'),
    paymentMethod.type,
    ...stamps('updated'),
  ],
  refs: [
    ref('customer_id', 'customer', ['svc_customer_id'], ['external_customer_id'], required),
    ref('billing_entity_id', 'billing_entity', ['svc_billing_entity_id'], ['billing_entity_code']),
    paymentMethod.ref,
  ],
  links: [
    {
      member: 'billable_metrics',
      codes: ['applies_to.billable_metric_codes'],
      to: 'billable_metric',
      table: '_WalletMetrics',
      own: 'B',
    },
  ],
  children: [
    { member: 'recurring_transaction_rules', shape: () => RULE, parent: 'wallet_id' },
    appliedSections('wallet_id'),
    { member: 'wallet_transactions', shape: () => WALLET_TRANSACTION, parent: 'wallet_id' },
  ],
  lookup: ['currency', 'rate_amount'],
  adopt: checkMetadata,
  fill: fillWallets,
});
