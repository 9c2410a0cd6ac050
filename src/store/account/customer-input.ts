import type { BillingEntityInput, CustomerInput } from '../../billing/invoice-input.ts';
import type { BillingEntityGetPayload, CustomerGetPayload } from '../generated/prisma/models.ts';
import { TAXES, taxInput } from './plan-input.ts';

export const ENTITY = { taxes: TAXES };
export const CUSTOMER = { taxes: TAXES, billingEntity: { include: ENTITY } };

export type EntityRow = BillingEntityGetPayload<{ include: typeof ENTITY }>;
export type CustomerRow = CustomerGetPayload<{ include: typeof CUSTOMER }>;

/** The prefix that numbers have where none is set: three letters of the name and four signs of the identifier. */
const defaultPrefix = ({ name, id }: { name: string; id: string }) =>
  `${name.slice(0, 3)}-${id.slice(-4)}`.toUpperCase();

/** A stored billing entity as the rules read it. */
export function entityInput(entity: EntityRow): BillingEntityInput {
  const { id, code, name, timezone, invoiceGracePeriod, netPaymentTerm, finalizeZeroAmountInvoice } = entity;
  return {
    ...{ id, code, name, timezone, invoiceGracePeriod, netPaymentTerm, finalizeZeroAmountInvoice },
    issuingDateAnchor: entity.subscriptionInvoiceIssuingDateAnchor,
    issuingDateAdjustment: entity.subscriptionInvoiceIssuingDateAdjustment,
    documentNumbering: entity.documentNumbering,
    documentNumberPrefix: entity.documentNumberPrefix ?? defaultPrefix(entity),
    taxes: entity.taxes.map(taxInput),
  };
}

/** A stored customer as the rules read it. */
export function customerInput(customer: CustomerRow): CustomerInput {
  const { id, externalId, currency, timezone, invoiceGracePeriod, netPaymentTerm, sequentialId } = customer;
  return {
    ...{ id, externalId, currency, timezone, invoiceGracePeriod, netPaymentTerm, sequentialId },
    stored: true,
    issuingDateAnchor: customer.subscriptionInvoiceIssuingDateAnchor,
    issuingDateAdjustment: customer.subscriptionInvoiceIssuingDateAdjustment,
    finalizeZeroAmountInvoice: customer.finalizeZeroAmountInvoice,
    partner: customer.accountType === 'partner',
    taxes: customer.taxes.map(taxInput),
  };
}
