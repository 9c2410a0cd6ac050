import { randomUUID } from 'node:crypto';
import { zoneOf } from '../../billing/subscription/billed-subscription.ts';
import type { PreviewCustomerRow } from '../../store/account/preview.ts';
import { rowFields } from '../base/column.ts';
import type { InvoicePreviewArgs } from './input.ts';

type Given = NonNullable<InvoicePreviewArgs['customer']>;

interface Billing {
  readonly id: string;
  readonly code: string;
  readonly timezone: string;
}

// What a customer that is made up has; the rest is null.
const MADE_UP = {
  externalId: '',
  sequentialId: 0,
  slug: '',
  accountType: 'customer',
  finalizeZeroAmountInvoice: 'inherit',
  skipInvoiceCustomSections: false,
  providerPaymentMethods: [],
};

function shippingAddress(given: Given['shippingAddress']) {
  return {
    shippingAddressLine1: given?.addressLine1 ?? null,
    shippingAddressLine2: given?.addressLine2 ?? null,
    shippingCity: given?.city ?? null,
    shippingState: given?.state ?? null,
    shippingCountry: given?.country ?? null,
    shippingZipcode: given?.zipcode ?? null,
  };
}

/** Members of the request that replace those of the customer; absent ones do not. */
function overrides(given: Given | null | undefined) {
  const { shippingAddress: _address, integrationCustomers: _connections, externalId: _id, ...members } = given ?? {};
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

const connected = (given: Given | null | undefined, createdAt: Date) =>
  (given?.integrationCustomers ?? []).map(({ integrationType, integrationCode }) => ({
    ...{ svcId: randomUUID(), type: integrationType, integrationCode, externalCustomerId: '', createdAt },
  }));

/** A customer as a preview shows it: the stored one or one made up, with the members of the request laid over it. */
export function previewCustomer(
  row: PreviewCustomerRow | null,
  given: Given | null | undefined,
  billing: Billing,
  now: Date,
) {
  const id = row?.id ?? randomUUID();
  const stored = row ? { ...row } : { ...MADE_UP, id, createdAt: now, updatedAt: now };
  const laid = { ...stored, ...overrides(given), ...shippingAddress(given?.shippingAddress) } as Record<
    string,
    unknown
  >;
  const connections = connected(given, now);
  return {
    ...rowFields('Customer', laid),
    svcId: id,
    svcBillingEntityId: billing.id,
    billingEntityCode: billing.code,
    applicableTimezone: zoneOf({ timezone: laid.timezone as string | null }, billing),
    shippingAddress: laid,
    billingConfiguration: { providerPaymentMethods: [], ...laid },
    metadata: (row?.metadata ?? []).map((pair) => rowFields('CustomerMetadata', { ...pair })),
    integrationCustomers:
      connections.length > 0
        ? connections
        : (row?.integrationCustomers ?? []).map((one) =>
            rowFields('IntegrationCustomer', { ...one, type: one.type ?? '' }),
          ),
  };
}
