import { createChargeFilter } from './catalogue/create-charge-filter.ts';
import { destroyPlanChargeFilter } from './catalogue/destroy-plan-charge-filter.ts';
import { featureRoutes } from './catalogue/feature.ts';
import { findAllPlanChargeFilters } from './catalogue/find-all-plan-charge-filters.ts';
import { getChargeFilter } from './catalogue/get-charge-filter.ts';
import { planEntitlementRoutes } from './catalogue/plan-entitlement.ts';
import { catalogueRoutes } from './catalogue/resource.ts';
import { updateCharge } from './catalogue/update-charge.ts';
import { updateFixedCharge } from './catalogue/update-fixed-charge.ts';
import { updatePlanChargeFilter } from './catalogue/update-plan-charge-filter.ts';
import { appliedCouponRoutes } from './customer/applied-coupon.ts';
import { billingEntityRoutes } from './customer/billing-entity.ts';
import { customerRoutes } from './customer/customer.ts';
import { customerLinkRoutes } from './customer/customer-link.ts';
import { organizationRoutes } from './customer/organization.ts';
import { advanceTestClock } from './customer/test-clock.ts';
import { analyticsRoutes } from './insight/analytics.ts';
import { createInvoice } from './invoice/create-invoice.ts';
import { creditNoteReads } from './invoice/credit-note-list.ts';
import { downloadInvoice } from './invoice/download-invoice.ts';
import { feeWrites } from './invoice/fee-write.ts';
import { findAllFees } from './invoice/find-all-fees.ts';
import { findInvoice } from './invoice/find-invoice.ts';
import { getFee } from './invoice/get-fee.ts';
import { invoiceLists } from './invoice/invoice-list.ts';
import { invoiceRetries } from './invoice/invoice-retry.ts';
import { invoiceWrites } from './invoice/invoice-write.ts';
import { previewInvoice } from './invoice/preview-invoice.ts';
import { voidInvoice } from './invoice/void-invoice.ts';
import { listCustomerPaymentRequests } from './payment/list-customer-payment-requests.ts';
import { mergeWalletMetadata } from './payment/merge-wallet-metadata.ts';
import { paymentReads } from './payment/payment-list.ts';
import { paymentMethodRoutes } from './payment/payment-method.ts';
import { terminateWallet } from './payment/terminate-wallet.ts';
import type { Route } from './route.ts';
import { createSubscriptionAlert } from './subscription/create-subscription-alert.ts';
import { getSubscriptionCharge } from './subscription/get-subscription-charge.ts';
import { subscriptionAlertReads } from './subscription/subscription-alert.ts';
import { subscriptionAlertWrites } from './subscription/subscription-alert-write.ts';
import { subscriptionEntitlementRoutes } from './subscription/subscription-entitlement.ts';
import { subscriptionFilterReads } from './subscription/subscription-filter.ts';
import { subscriptionFilterWrites } from './subscription/subscription-filter-write.ts';
import { subscriptionReads } from './subscription/subscription-list.ts';
import { subscriptionPriceRoutes } from './subscription/subscription-price.ts';
import { subscriptionWrites } from './subscription/subscription-write.ts';
import { terminateSubscription } from './subscription/terminate-subscription.ts';
import { batchEstimateInstantFees } from './usage/batch-estimate-instant-fees.ts';
import { createBatchEvents } from './usage/create-batch-events.ts';
import { createEvent } from './usage/create-event.ts';
import { estimateFees } from './usage/estimate-fees.ts';
import { estimateInstantFees } from './usage/estimate-instant-fees.ts';
import { evaluateExpression } from './usage/evaluate-expression.ts';
import { findAllCustomerPastUsage } from './usage/find-all-customer-past-usage.ts';
import { findAllEvents } from './usage/find-all-events.ts';
import { findCustomerCurrentUsage } from './usage/find-customer-current-usage.ts';
import { findCustomerProjectedUsage } from './usage/find-customer-projected-usage.ts';
import { findEvent } from './usage/find-event.ts';
import { getSubscriptionLifetimeUsage } from './usage/get-subscription-lifetime-usage.ts';
import { updateSubscriptionLifetimeUsage } from './usage/update-subscription-lifetime-usage.ts';

/** The endpoints: the twelve of the specification in its order, then those of other areas. */
export const routes: readonly Route[] = [
  downloadInvoice,
  previewInvoice,
  mergeWalletMetadata,
  terminateWallet,
  createChargeFilter,
  getChargeFilter,
  updateCharge,
  updateFixedCharge,
  getSubscriptionCharge,
  getFee,
  ...billingEntityRoutes,
  listCustomerPaymentRequests,
  createEvent,
  createBatchEvents,
  findAllEvents,
  findEvent,
  evaluateExpression,
  estimateFees,
  estimateInstantFees,
  batchEstimateInstantFees,
  findCustomerCurrentUsage,
  findCustomerProjectedUsage,
  findAllCustomerPastUsage,
  getSubscriptionLifetimeUsage,
  updateSubscriptionLifetimeUsage,
  ...catalogueRoutes,
  findAllPlanChargeFilters,
  updatePlanChargeFilter,
  destroyPlanChargeFilter,
  ...featureRoutes,
  ...planEntitlementRoutes,
  createSubscriptionAlert,
  ...subscriptionAlertReads,
  ...subscriptionAlertWrites,
  ...subscriptionEntitlementRoutes,
  ...paymentMethodRoutes,
  ...customerRoutes,
  ...customerLinkRoutes,
  ...analyticsRoutes,
  ...organizationRoutes,
  ...appliedCouponRoutes,
  ...invoiceLists,
  findInvoice,
  createInvoice,
  ...invoiceWrites,
  ...invoiceRetries,
  voidInvoice,
  findAllFees,
  ...feeWrites,
  ...creditNoteReads,
  ...paymentReads,
  ...subscriptionReads,
  ...subscriptionWrites,
  ...subscriptionPriceRoutes,
  ...subscriptionFilterReads,
  ...subscriptionFilterWrites,
  terminateSubscription,
  advanceTestClock,
];
