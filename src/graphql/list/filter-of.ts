import type { Model } from '../base/builder.ts';
import {
  addOnFilter,
  billableMetricFilter,
  billingEntityFilter,
  invoiceCustomSectionFilter,
  pricingUnitFilter,
  taxFilter,
} from '../catalogue/catalogue-filter.ts';
import { appliedCouponFilter, couponFilter } from '../catalogue/coupon-filter.ts';
import { planFilter } from '../catalogue/plan-filter.ts';
import { customerFilter } from '../customer/customer-filter.ts';
import { creditNoteFilter } from '../invoice/credit-filter.ts';
import { feeFilter } from '../invoice/fee-filter.ts';
import { invoiceFilter } from '../invoice/invoice-filter.ts';
import { paymentFilter } from '../payment/payment-filter.ts';
import { paymentRequestListFilter } from '../payment/payment-request-filter.ts';
import { walletFilter, walletTransactionFilter } from '../payment/wallet-filter.ts';
import { subscriptionFilter } from '../subscription/subscription-filter.ts';
import { eventFilter } from '../usage/event-filter.ts';
import { type ListFilter, unfiltered } from './list-filter.ts';

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
