import { type BillingError, invalid, joined } from '../errors.ts';
import { COMMON, COMMON_BILLING, vatRefusal } from './billing-entity.ts';
import { choice, grouped, initially, LINE, optional } from './field.ts';
import { resource } from './resource.ts';

const isAddress = (text: string) => /^https?:\/\/[^/?#\s]/i.test(text) && URL.canParse(text);

const addressRefusal = (address: string | null): BillingError | undefined =>
  address?.trim() && !isAddress(address.trim())
    ? invalid(
        { webhook_url: ['url_is_invalid'] },
        { webhook_url: { limit: 'an address that begins with http:// or https://' } },
      )
    : undefined;

/**
 * What an organization says of itself: where it is told of what happens, and what its default billing entity has, by whose name its members
 * are known to the rules. Source: engine-catalogue 2.
 */
export const ORGANIZATION = resource(
  'billing_entity',
  {
    webhookUrl: optional(LINE),
    documentNumbering: initially(choice<'per_customer' | 'per_billing_entity'>('DocumentNumbering'), 'per_customer'),
    ...COMMON,
    ...grouped('billingConfiguration', COMMON_BILLING),
  },
  (organization) => {
    const found = [addressRefusal(organization.webhookUrl), vatRefusal(organization, 'org_must_be_in_eu')];
    const refusals = found.filter((one) => one !== undefined);
    return refusals.length > 0 ? joined(...refusals) : undefined;
  },
);
