import { ZONE_COLUMNS } from '../account/period-row.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { Prisma } from '../generated/prisma/client.ts';

const ADDRESS = {
  addressLine1: true,
  addressLine2: true,
  zipcode: true,
  city: true,
  state: true,
  country: true,
} as const;
const PARTY = {
  ...ADDRESS,
  name: true,
  legalName: true,
  legalNumber: true,
  taxIdentificationNumber: true,
  email: true,
  logoUrl: true,
  timezone: true,
  documentLocale: true,
} as const;
const SUBSCRIPTION = {
  select: { id: true, name: true, plan: { select: { name: true, invoiceDisplayName: true, code: true } } },
} as const;

/** The columns of a customer that a document shows. */
export const CUSTOMER_ROW = {
  ...PARTY,
  ...ZONE_COLUMNS,
  firstname: true,
  lastname: true,
  shippingAddressLine1: true,
  shippingAddressLine2: true,
  shippingZipcode: true,
  shippingCity: true,
  shippingState: true,
  shippingCountry: true,
  metadata: { where: { displayInInvoice: true }, orderBy: [{ key: 'asc' }], select: { key: true, value: true } },
} as const satisfies Prisma.CustomerSelect;

/** The columns of a billing entity that a document shows. */
export const ENTITY_ROW = { ...PARTY, invoiceFooter: true } as const satisfies Prisma.BillingEntitySelect;

/** The columns that an invoice's document is made of. */
export const INVOICE_ROW = {
  id: true,
  number: true,
  currency: true,
  issuingDate: true,
  paymentDueDate: true,
  netPaymentTerm: true,
  selfBilled: true,
  feesAmountCents: true,
  progressiveBillingCreditAmountCents: true,
  couponsAmountCents: true,
  subTotalExcludingTaxesAmountCents: true,
  taxesAmountCents: true,
  subTotalIncludingTaxesAmountCents: true,
  creditNotesAmountCents: true,
  prepaidCreditAmountCents: true,
  totalAmountCents: true,
  totalPaidAmountCents: true,
  totalDueAmountCents: true,
  paymentStatus: true,
  billingEntity: {
    select: {
      ...ENTITY_ROW,
      paymentIban: true,
      paymentBic: true,
      paymentAccountHolder: true,
      paymentBankName: true,
      paymentUrl: true,
    },
  },
  customer: { select: CUSTOMER_ROW },
  creditNotes: { where: { status: 'finalized', offsetAmountCents: { gt: 0 } }, select: { offsetAmountCents: true } },
  billingPeriods: {
    orderBy: OLDEST_FIRST,
    select: {
      subscription: SUBSCRIPTION,
      subscriptionFromDatetime: true,
      subscriptionToDatetime: true,
      chargesFromDatetime: true,
      chargesToDatetime: true,
    },
  },
  fees: {
    where: { deletedAt: null },
    orderBy: OLDEST_FIRST,
    select: {
      id: true,
      feeType: true,
      subscription: SUBSCRIPTION,
      itemName: true,
      itemCode: true,
      itemInvoiceDisplayName: true,
      description: true,
      filterInvoiceDisplayName: true,
      filters: true,
      groupedBy: true,
      units: true,
      preciseUnitAmount: true,
      amountCents: true,
      taxesRate: true,
      fromDate: true,
      toDate: true,
      trueUpParentFeeId: true,
      amountDetails: true,
      presentationBreakdowns: true,
      pricingUnitUsage: {
        select: { shortName: true, preciseUnitAmount: true, preciseAmountCents: true, conversionRate: true },
      },
    },
  },
  credits: { orderBy: OLDEST_FIRST, select: { itemType: true, itemCode: true, itemName: true, amountCents: true } },
  appliedTaxes: {
    orderBy: [{ taxCode: 'asc' }, { id: 'asc' }],
    select: { taxName: true, taxRate: true, amountCents: true, feesAmountCents: true },
  },
  appliedInvoiceCustomSections: { orderBy: OLDEST_FIRST, select: { displayName: true, details: true } },
} satisfies Prisma.InvoiceSelect;

export type InvoiceRow = Prisma.InvoiceGetPayload<{ select: typeof INVOICE_ROW }>;
export type PrintedFeeRow = InvoiceRow['fees'][number];
