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

/** The endpoints in the order of the specification. */
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
];
