import { document } from '../document.ts';
import type { Route } from '../route.ts';

const ONE = '/customers/{external_customer_id}';

/** The endpoints that tell where a customer is sent to. */
export const customerLinkRoutes: readonly Route[] = [
  {
    ...{ method: 'GET', path: `${ONE}/portal_url`, permission: 'customer:read' },
    operation: 'getCustomerPortalUrl',
    document: document(
      `query getCustomerPortalUrl($externalCustomerId: String!) {
        customer: customerPortal(externalCustomerId: $externalCustomerId) { portal_url: portalUrl }
      }`,
    ),
    variables: ({ params }) => ({ externalCustomerId: params.external_customer_id }),
  },
  {
    ...{ method: 'POST', path: `${ONE}/checkout_url`, permission: 'customer:write' },
    operation: 'generateCustomerCheckoutURL',
    document: document(
      `mutation generateCustomerCheckoutURL($externalCustomerId: String!) {
        customer: generateCheckout(externalCustomerId: $externalCustomerId) {
          svc_customer_id: svcCustomerId
          external_customer_id: externalCustomerId
          payment_provider: paymentProvider
          payment_provider_code: paymentProviderCode
          checkout_url: checkoutUrl
        }
      }`,
    ),
    variables: ({ params }) => ({ externalCustomerId: params.external_customer_id }),
  },
];
