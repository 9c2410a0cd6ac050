const NO_PROVIDER = {
  ...{ status: 422, error: 'Unprocessable entity', code: 'validation_errors' },
  error_details: { base: ['no_linked_payment_provider'] },
};

/**
 * Routes that refuse whatever they are asked while there is neither a portal for customers nor a payment provider, each with what it answers
 * where all that it names is there. Tests hold this in place of a success; who makes what is missing takes the route off the list.
 */
export const REFUSED: Readonly<Record<string, { readonly status: number } & Readonly<Record<string, unknown>>>> = {
  getCustomerPortalUrl: { status: 403, error: 'Forbidden', code: 'feature_unavailable' },
  generateCustomerCheckoutURL: NO_PROVIDER,
  invoicePaymentUrl: NO_PROVIDER,
};
