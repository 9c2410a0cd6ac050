import { paymentUrlOf } from '../../billing/customer/bank-account.ts';
import { dec, decimalText, HUNDRED } from '../../billing/money/decimal.ts';
import { formatDate, localDate } from '../../billing/period/calendar.ts';
import type {
  CustomerParty,
  InvoiceDocument,
  InvoiceSubscription,
  PaymentDetails,
  PrintedFee,
} from '../../pdf/invoice-document.ts';
import { shownZone } from '../account/period-row.ts';
import type { TenantClient } from '../database/tenant.ts';
import { readAmountDetails } from './amount-details.ts';
import { INVOICE_ROW, type InvoiceRow, type PrintedFeeRow } from './invoice-row.ts';

type Texts = Readonly<Record<string, string | null>>;

export const day = (date: Date) => date.toISOString().slice(0, 10);
const record = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const shown = (value: unknown) => (value === null || value === undefined ? null : String(value));
const textsOf = (value: unknown): Texts =>
  Object.fromEntries(Object.entries(record(value)).map(([key, member]) => [key, shown(member)]));

function filtersOf(value: unknown): Record<string, string[]> {
  const entries = Object.entries(record(value));
  return Object.fromEntries(entries.map(([key, values]) => [key, [values].flat().map(String)]));
}

function breakdownsOf(value: unknown): PrintedFee['presentationBreakdowns'] {
  const parts = Array.isArray(value) ? value.map(record) : [];
  return parts.map((part) => ({ by: textsOf(part.presentation_by), units: String(part.units ?? '0') }));
}

function pricingUnitOf({ pricingUnitUsage: usage }: PrintedFeeRow): PrintedFee['pricingUnit'] {
  if (!usage) return null;
  const preciseAmount = decimalText(dec(usage.preciseAmountCents).div(HUNDRED));
  const { shortName, preciseUnitAmount, conversionRate } = usage;
  return {
    shortName,
    preciseUnitAmount: preciseUnitAmount.toFixed(),
    preciseAmount,
    conversionRate: conversionRate.toFixed(),
  };
}

function feeOf(fee: PrintedFeeRow, dayOf: (moment: Date | null) => string | null): PrintedFee {
  return {
    id: fee.id,
    type: fee.feeType,
    subscriptionId: fee.subscription?.id ?? null,
    name: fee.itemInvoiceDisplayName || fee.itemName,
    otherNames: [fee.itemName, fee.itemCode],
    description: fee.description,
    filterName: fee.filterInvoiceDisplayName,
    filters: filtersOf(fee.filters),
    groupedBy: textsOf(fee.groupedBy),
    units: fee.units.toFixed(),
    preciseUnitAmount: fee.preciseUnitAmount.toFixed(),
    amountCents: fee.amountCents,
    taxesRate: fee.taxesRate.toFixed(),
    fromDate: dayOf(fee.fromDate),
    toDate: dayOf(fee.toDate),
    trueUpParentFeeId: fee.trueUpParentFeeId,
    amountDetails: readAmountDetails(fee.amountDetails),
    pricingUnit: pricingUnitOf(fee),
    presentationBreakdowns: breakdownsOf(fee.presentationBreakdowns),
  };
}

function subscriptionsOf({ billingPeriods, fees }: InvoiceRow): InvoiceSubscription[] {
  const rows = [...billingPeriods, ...fees].flatMap(({ subscription }) => (subscription ? [subscription] : []));
  const nameOf = ({ name, plan }: (typeof rows)[number]) => name || plan.invoiceDisplayName || plan.name;
  const otherNamesOf = ({ plan }: (typeof rows)[number]) => [plan.invoiceDisplayName, plan.name, plan.code];
  return [
    ...new Map(rows.map((row) => [row.id, { id: row.id, name: nameOf(row), otherNames: otherNamesOf(row) }])).values(),
  ];
}

/** Where an invoice is paid; null where its payer is the entity itself, and where nothing is known. */
function paymentOf({ billingEntity: entity, selfBilled, id, number }: InvoiceRow): PaymentDetails | null {
  const { paymentIban: iban, paymentUrl } = entity;
  if (selfBilled || (iban === null && paymentUrl === null)) return null;
  return {
    iban,
    bic: entity.paymentBic,
    accountHolder: entity.paymentAccountHolder,
    bankName: entity.paymentBankName,
    url: paymentUrl === null ? null : paymentUrlOf(paymentUrl, { id, number }),
  };
}

/** A customer's row as a party of a document. */
export function customerOf(customer: InvoiceRow['customer']): CustomerParty {
  const shippingAddress = {
    addressLine1: customer.shippingAddressLine1,
    addressLine2: customer.shippingAddressLine2,
    zipcode: customer.shippingZipcode,
    city: customer.shippingCity,
    state: customer.shippingState,
    country: customer.shippingCountry,
  };
  return { ...customer, shippingAddress };
}

/** A stored invoice as the renderer reads it. Moments become days in the customer's time zone. */
function invoiceDocument(row: InvoiceRow): InvoiceDocument {
  const zone = shownZone(row.customer);
  const dayOf = (moment: Date | null) => (moment ? formatDate(localDate(moment.getTime(), zone)) : null);
  return {
    ...row,
    issuingDate: day(row.issuingDate),
    paymentDueDate: day(row.paymentDueDate),
    documentLocale: row.customer.documentLocale,
    customer: customerOf(row.customer),
    payment: paymentOf(row),
    offsetAmountCents: row.creditNotes.reduce((sum, note) => sum + note.offsetAmountCents, 0n),
    subscriptions: subscriptionsOf(row),
    billingPeriods: row.billingPeriods.map((period) => ({
      subscriptionId: period.subscription.id,
      fromDate: dayOf(period.subscriptionFromDatetime),
      toDate: dayOf(period.subscriptionToDatetime),
      chargesFromDate: dayOf(period.chargesFromDatetime),
      chargesToDate: dayOf(period.chargesToDatetime),
    })),
    fees: row.fees.map((fee) => feeOf(fee, dayOf)),
    credits: row.credits.map(({ itemType, itemCode, itemName, amountCents }) => ({
      type: itemType,
      code: itemCode,
      name: itemName,
      amountCents,
    })),
    appliedTaxes: row.appliedTaxes.map(({ taxName, taxRate, amountCents, feesAmountCents }) => ({
      name: taxName,
      rate: taxRate.toFixed(),
      amountCents,
      feesAmountCents,
    })),
    customSections: row.appliedInvoiceCustomSections.map((section) => ({
      displayName: section.displayName ?? '',
      details: section.details,
    })),
  };
}

/** The document of an organization's invoice; null where it has none with this identifier that is final. */
export async function readInvoiceDocument(db: TenantClient, id: string): Promise<InvoiceDocument | null> {
  const row = await db.invoice.findFirst({ where: { id, status: 'finalized' }, select: INVOICE_ROW });
  return row && invoiceDocument(row);
}
