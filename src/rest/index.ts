import { createChargeFilter } from './catalogue/create-charge-filter.ts';
import { getChargeFilter } from './catalogue/get-charge-filter.ts';
import { updateCharge } from './catalogue/update-charge.ts';
import { updateFixedCharge } from './catalogue/update-fixed-charge.ts';
import { getBillingEntity } from './customer/get-billing-entity.ts';
import { downloadInvoice } from './invoice/download-invoice.ts';
import { getFee } from './invoice/get-fee.ts';
import { previewInvoice } from './invoice/preview-invoice.ts';
import { listCustomerPaymentRequests } from './payment/list-customer-payment-requests.ts';
import { mergeWalletMetadata } from './payment/merge-wallet-metadata.ts';
import { terminateWallet } from './payment/terminate-wallet.ts';
import type { Route } from './route.ts';
import { getSubscriptionCharge } from './subscription/get-subscription-charge.ts';
import { createBatchEvents } from './usage/create-batch-events.ts';
import { createEvent } from './usage/create-event.ts';
import { evaluateExpression } from './usage/evaluate-expression.ts';
import { findAllEvents } from './usage/find-all-events.ts';
import { findEvent } from './usage/find-event.ts';

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
  getBillingEntity,
  listCustomerPaymentRequests,
  createEvent,
  createBatchEvents,
  findAllEvents,
  findEvent,
  evaluateExpression,
];
