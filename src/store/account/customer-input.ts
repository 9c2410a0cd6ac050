import type { BillingEntityInput, CustomerInput } from '../../billing/customer/customer.ts';
import { defaultNumberPrefix } from '../../billing/invoice/numbering.ts';
import type { BillingEntityGetPayload, CustomerGetPayload } from '../generated/prisma/models.ts';
import { inRange } from './in-range.ts';
import { storedZone } from './period-row.ts';
import { TAXES, taxInput } from './plan-input.ts';

export const ENTITY = { taxes: TAXES };
export const CUSTOMER = { taxes: TAXES, billingEntity: { include: ENTITY } };

export type EntityRow = BillingEntityGetPayload<{ include: typeof ENTITY }>;
export type CustomerRow = CustomerGetPayload<{ include: typeof CUSTOMER }>;

/** A stored billing entity as the rules read it. */
export function entityInput(entity: EntityRow): BillingEntityInput {
  const { id, code, name, timezone, invoiceGracePeriod, netPaymentTerm } = inRange('billing_entity', entity);
  const { finalizeZeroAmountInvoice } = entity;
  return {
    ...{ id, code, name, timezone, invoiceGracePeriod, netPaymentTerm, finalizeZeroAmountInvoice },
    issuingDateAnchor: entity.subscriptionInvoiceIssuingDateAnchor,
    issuingDateAdjustment: entity.subscriptionInvoiceIssuingDateAdjustment,
    documentNumbering: entity.documentNumbering,
    documentNumberPrefix: entity.documentNumberPrefix ?? defaultNumberPrefix(entity),
    taxes: entity.taxes.map(taxInput),
  };
}

/** A stored customer as the rules read it: its time zone is its own entity's where it has none, whichever entity bills. */
export function customerInput(customer: CustomerRow): CustomerInput {
  const { id, externalId, currency, invoiceGracePeriod, netPaymentTerm } = inRange('customer', customer);
  const { sequentialId } = customer;
  return {
    ...{ id, externalId, currency, invoiceGracePeriod, netPaymentTerm, sequentialId },
    timezone: storedZone(customer),
    stored: true,
    issuingDateAnchor: customer.subscriptionInvoiceIssuingDateAnchor,
    issuingDateAdjustment: customer.subscriptionInvoiceIssuingDateAdjustment,
    finalizeZeroAmountInvoice: customer.finalizeZeroAmountInvoice,
    partner: customer.accountType === 'partner',
    taxes: customer.taxes.map(taxInput),
  };
}
