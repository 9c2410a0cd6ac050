import type { Model } from './builder.ts';
import {
  addOnFilter,
  billableMetricFilter,
  billingEntityFilter,
  invoiceCustomSectionFilter,
  pricingUnitFilter,
  taxFilter,
} from './catalogue-filter.ts';
import { appliedCouponFilter, couponFilter } from './coupon-filter.ts';
import { creditNoteFilter } from './credit-filter.ts';
import { customerFilter } from './customer-filter.ts';
import { eventFilter } from './event-filter.ts';
import { feeFilter } from './fee-filter.ts';
import { invoiceFilter } from './invoice-filter.ts';
import { type ListFilter, unfiltered } from './list-filter.ts';
import { paymentFilter } from './payment-filter.ts';
import { paymentRequestListFilter } from './payment-request-filter.ts';
import { planFilter } from './plan-filter.ts';
import { subscriptionFilter } from './subscription-filter.ts';
import { walletFilter, walletTransactionFilter } from './wallet-filter.ts';

const FILTERS: Partial<Record<Model, ListFilter>> = {
  AddOn: addOnFilter,
  AppliedCoupon: appliedCouponFilter,
  BillableMetric: billableMetricFilter,
  BillingEntity: billingEntityFilter,
  Coupon: couponFilter,
  CreditNote: creditNoteFilter,
  Customer: customerFilter,
  Event: eventFilter,
  Fee: feeFilter,
  Invoice: invoiceFilter,
  InvoiceCustomSection: invoiceCustomSectionFilter,
  Payment: paymentFilter,
  PaymentRequest: paymentRequestListFilter,
  Plan: planFilter,
  PricingUnit: pricingUnitFilter,
  Subscription: subscriptionFilter,
  Tax: taxFilter,
  Wallet: walletFilter,
  WalletTransaction: walletTransactionFilter,
};

/** How lists of a model are narrowed and ordered; those without a line above are only listed, newest first. */
export const filterOf = (model: Model): ListFilter => FILTERS[model] ?? unfiltered(model);
