import type { Meanings } from './enum-value.ts';

/** Values of invoices, fees and credit notes. */
export const INVOICE_VALUES: Meanings<
  | 'CreditItemType'
  | 'CreditNoteCreditStatus'
  | 'CreditNoteReason'
  | 'CreditNoteRefundStatus'
  | 'CreditNoteStatus'
  | 'FeePaymentStatus'
  | 'FeeType'
  | 'InvoicePaymentStatus'
  | 'InvoiceStatus'
  | 'InvoiceTaxStatus'
  | 'InvoiceType'
  | 'InvoicingReason'
> = {
  InvoiceType: {
    subscription: 'Periods of subscriptions.',
    add_on: 'An add-on.',
    credit: 'Prepaid credits of a wallet.',
    one_off: 'Add-ons sold once.',
    advance_charges: 'Charges in advance that were already paid.',
    progressive_billing: 'Usage that reached a threshold within a period.',
  },
  InvoiceStatus: {
    draft: 'Still open to changes in its grace period.',
    finalized: 'Final and issued.',
    voided: 'Issued and made void.',
    generating: 'Being made; never listed.',
    failed: 'Could not be made.',
    open: 'Collecting what it will bill; never listed.',
    closed: 'Closed without being issued; never listed.',
    pending: 'Waiting for its taxes, without a number; final once they are known.',
  },
  InvoiceTaxStatus: {
    pending: 'Without taxes until the check of the VAT number of its customer is answered.',
    succeeded: 'Taxed.',
    failed: 'Could not be taxed.',
  },
  InvoicePaymentStatus: {
    pending: 'Not paid, or not wholly.',
    succeeded: 'Paid.',
    failed: 'The last attempt to collect it failed.',
  },
  InvoicingReason: {
    subscription_starting: 'The subscription began.',
    subscription_periodic: 'A period ended, or one paid in advance began.',
    subscription_terminating: 'The subscription ended.',
    in_advance_charge: 'Usage was charged as it happened.',
    in_advance_charge_periodic: 'Paid usage of a period was put together.',
    progressive_billing: 'Usage reached a threshold.',
  },
  FeeType: {
    charge: 'Usage.',
    add_on: 'An add-on.',
    subscription: 'The price of a plan.',
    credit: 'Prepaid credits.',
    commitment: 'What completes a period to its minimum commitment.',
    fixed_charge: 'A fixed charge.',
  },
  FeePaymentStatus: {
    pending: 'Not paid.',
    succeeded: 'Paid.',
    failed: 'The last attempt to collect it failed.',
    refunded: 'Paid and given back.',
  },
  CreditItemType: {
    coupon: 'An applied coupon.',
    credit_note: 'The balance of a credit note.',
    invoice: 'A progressive invoice of the same period.',
  },
  CreditNoteStatus: { draft: 'Its invoice is still a draft.', finalized: 'Final and issued.' },
  CreditNoteCreditStatus: {
    available: 'Some of it can be used.',
    consumed: 'All of it was used.',
    voided: 'What was left was made void.',
  },
  CreditNoteRefundStatus: {
    pending: 'The money is on its way.',
    succeeded: 'The money was given back.',
    failed: 'The money could not be given back.',
  },
  CreditNoteReason: {
    duplicated_charge: 'It was charged twice.',
    product_unsatisfactory: 'The customer was not satisfied.',
    order_change: 'The order was changed.',
    order_cancellation: 'The order was called off.',
    fraudulent_charge: 'It was charged by fraud.',
    other: 'Another reason.',
  },
};

/** Values of wallets and payments. */
export const PAYMENT_VALUES: Meanings<
  | 'PaymentRequestStatus'
  | 'PaymentStatus'
  | 'PaymentType'
  | 'RecurringRuleInterval'
  | 'RecurringRuleMethod'
  | 'RecurringRuleStatus'
  | 'RecurringRuleTrigger'
  | 'WalletStatus'
  | 'WalletTransactionKind'
  | 'WalletTransactionSource'
  | 'WalletTransactionStatus'
  | 'WalletTransactionType'
> = {
  WalletStatus: { active: 'Its credits can be used.', terminated: 'It has ended, and its credits with it.' },
  WalletTransactionType: { inbound: 'Credits came in.', outbound: 'Credits went out.' },
  WalletTransactionStatus: {
    pending: 'Not booked yet.',
    settled: 'Booked on the balance.',
    failed: 'Never booked, because it was not paid.',
  },
  WalletTransactionKind: {
    purchased: 'Credits that were bought.',
    granted: 'Credits that were given.',
    voided: 'Credits that were taken back.',
    invoiced: 'Credits that paid an invoice.',
  },
  WalletTransactionSource: {
    manual: 'Somebody asked for it.',
    interval: 'A recurring rule, by the calendar.',
    threshold: 'A recurring rule, by the balance.',
  },
  RecurringRuleTrigger: { interval: 'The calendar.', threshold: 'A balance that is too low.' },
  RecurringRuleMethod: { fixed: 'It adds a fixed amount.', target: 'It fills the balance up to a target.' },
  RecurringRuleInterval: {
    weekly: 'Every week.',
    monthly: 'Every month.',
    quarterly: 'Every three months.',
    yearly: 'Every year.',
    semiannual: 'Every six months.',
  },
  RecurringRuleStatus: { active: 'In force.', terminated: 'No longer in force.' },
  PaymentRequestStatus: {
    pending: 'Not paid yet.',
    failed: 'The last attempt to collect it failed.',
    succeeded: 'Paid.',
  },
  PaymentStatus: {
    pending: 'Not begun.',
    processing: 'On its way.',
    succeeded: 'The money was received.',
    failed: 'The money was not received.',
  },
  PaymentType: { provider: 'A provider collected it.', manual: 'Somebody recorded it.' },
};
