import type { CreditNoteDocument } from '../../src/pdf/credit-note-document.ts';
import type { InvoiceDocument, PrintedFee } from '../../src/pdf/invoice-document.ts';

/** A line as a test needs it: what is not said is plain. */
export function fee(members: Partial<PrintedFee> = {}): PrintedFee {
  return {
    id: `fee-${members.name ?? ''}-${members.amountCents ?? ''}`,
    type: 'charge',
    subscriptionId: 'sub-1',
    name: 'API calls',
    units: '1',
    preciseUnitAmount: '0',
    amountCents: 0n,
    taxesRate: '0',
    ...members,
  };
}

/** An invoice whose sums follow from its lines, credits and taxes, unless a test says otherwise. */
export function invoice(members: Partial<InvoiceDocument> = {}): InvoiceDocument {
  const total = (values: readonly { amountCents: bigint }[] = []) =>
    values.reduce((sum, { amountCents }) => sum + amountCents, 0n);
  const credits = members.credits ?? [];
  const fees = total(members.fees);
  const coupons = total(credits.filter(({ type }) => type === 'coupon'));
  const progressive = total(credits.filter(({ type }) => type === 'invoice'));
  const creditNotes = total(credits.filter(({ type }) => type === 'credit_note'));
  const taxes = total(members.appliedTaxes);
  const net = fees - coupons - progressive;
  const sum = members.totalAmountCents ?? net + taxes - creditNotes - (members.prepaidCreditAmountCents ?? 0n);
  const rest = sum - (members.totalPaidAmountCents ?? 0n) - (members.offsetAmountCents ?? 0n);
  return {
    number: 'ACM-2026-001',
    currency: 'USD',
    issuingDate: '2026-01-01',
    paymentDueDate: '2026-03-08',
    billingEntity: {
      name: 'Acme',
      legalName: 'Acme Cloud Inc.',
      legalNumber: 'C-482-991',
      taxIdentificationNumber: 'US123456789',
      addressLine1: '500 Market Street',
      zipcode: '94105',
      city: 'San Francisco',
      state: 'CA',
      country: 'US',
      email: 'billing@acme.test',
    },
    customer: {
      name: 'Bluefin Ltd',
      taxIdentificationNumber: 'GB999999973',
      addressLine1: '1 Quay Road',
      zipcode: 'BS1 4DJ',
      city: 'Bristol',
      country: 'GB',
      email: 'accounts@bluefin.test',
    },
    subscriptions: [{ id: 'sub-1', name: 'Growth plan' }],
    billingPeriods: [{ subscriptionId: 'sub-1', fromDate: '2026-01-01', toDate: '2026-01-31' }],
    fees: [],
    credits,
    appliedTaxes: [],
    customSections: [],
    feesAmountCents: fees,
    couponsAmountCents: coupons,
    progressiveBillingCreditAmountCents: progressive,
    subTotalExcludingTaxesAmountCents: net,
    taxesAmountCents: taxes,
    subTotalIncludingTaxesAmountCents: net + taxes,
    creditNotesAmountCents: creditNotes,
    prepaidCreditAmountCents: 0n,
    totalAmountCents: sum,
    totalDueAmountCents: rest > 0n ? rest : 0n,
    ...members,
  };
}

/** A credit note of nothing, by the parties of `invoice`. */
export function creditNote(members: Partial<CreditNoteDocument> = {}): CreditNoteDocument {
  const { number, currency, billingEntity, customer } = invoice();
  return {
    number: `${number}-CN1`,
    currency,
    billingEntity,
    customer,
    issuingDate: '2026-02-03',
    invoiceNumber: number,
    reason: 'other',
    description: null,
    items: [],
    couponsAdjustmentAmountCents: 0n,
    subTotalExcludingTaxesAmountCents: 0n,
    taxesAmountCents: 0n,
    taxesRate: '0',
    totalAmountCents: 0n,
    creditAmountCents: 0n,
    refundAmountCents: 0n,
    offsetAmountCents: 0n,
    ...members,
  };
}
