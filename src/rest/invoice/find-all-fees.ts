import { fee } from '../fragments.ts';
import { listOf, moment, one } from '../route-list.ts';

export const findAllFees = listOf({
  name: 'fees',
  permission: 'fee:read',
  shown: ['Fee', fee],
  parameters: {
    external_customer_id: one('everExternalCustomerId'),
    external_subscription_id: one('externalSubscriptionId'),
    event_transaction_id: one('eventTransactionId'),
    currency: one('currency'),
    fee_type: one('feeType', 'FeeType'),
    billable_metric_code: one('billableMetricCode'),
    payment_status: one('paymentStatus', 'FeePaymentStatus'),
    created_at_from: moment('createdAt.from'),
    created_at_to: moment('createdAt.through'),
    succeeded_at_from: moment('succeededAt.from'),
    succeeded_at_to: moment('succeededAt.through'),
    failed_at_from: moment('failedAt.from'),
    failed_at_to: moment('failedAt.through'),
    refunded_at_from: moment('refundedAt.from'),
    refunded_at_to: moment('refundedAt.through'),
  },
});
