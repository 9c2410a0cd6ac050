import { createChargeFilter } from './create-charge-filter.ts';
import { downloadInvoice } from './download-invoice.ts';
import { getBillingEntity } from './get-billing-entity.ts';
import { getChargeFilter } from './get-charge-filter.ts';
import { getFee } from './get-fee.ts';
import { getSubscriptionCharge } from './get-subscription-charge.ts';
import { listCustomerPaymentRequests } from './list-customer-payment-requests.ts';
import { mergeWalletMetadata } from './merge-wallet-metadata.ts';
import { previewInvoice } from './preview-invoice.ts';
import type { Route } from './route.ts';
import { terminateWallet } from './terminate-wallet.ts';
import { updateCharge } from './update-charge.ts';
import { updateFixedCharge } from './update-fixed-charge.ts';

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
