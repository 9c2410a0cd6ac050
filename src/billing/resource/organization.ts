import { COMMON, COMMON_BILLING, vatRefusal } from './billing-entity.ts';
import { choice, grouped, HOOK, initially, optional } from './field.ts';
import { resource } from './resource.ts';

/**
 * What an organization says of itself: where it is told of what happens, and what its default billing entity has, by whose name its members
 * are known to the rules. Source: engine-catalogue 2.
 */
export const ORGANIZATION = resource(
  'billing_entity',
  {
    webhookUrl: optional(HOOK),
    documentNumbering: initially(choice<'per_customer' | 'per_billing_entity'>('DocumentNumbering'), 'per_customer'),
    ...COMMON,
    ...grouped('billingConfiguration', COMMON_BILLING),
  },
  (organization) => vatRefusal(organization, 'org_must_be_in_eu'),
);
